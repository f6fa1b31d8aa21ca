package lintcmd

var elsewhere []subcommand
