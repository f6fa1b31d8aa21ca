//go:build !js

package lintcmd

// sections is the table of commands, as the help lists them.
func sections() []section {
	return []section{
		{"Check programs and builds", []command{linkCommand, expectCommand, coverageCommand, doctorCommand}},
		{"Look at data", []command{dumpCommand, viewCommand, statCommand, diffCommand, consumersCommand, traceCommand}},
		{"Write data", []command{synthCommand, rewriteCommand, asmCommand}},
		{"Rules", []command{rulesCommand, explainCommand}},
	}
}
