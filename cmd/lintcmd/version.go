package lintcmd

const homepage = "https://github.com/sframe-lint/sframe-lint"

// version is set by the linker for releases that the go command has no version of: -X github.com/sframe-lint/sframe-lint/cmd/lintcmd.version=...
var version string
