package lintcmd

// sections are the commands that a browser has: it downloads the program.
func sections() []section {
	return []section{{"Look at data", []command{dumpCommand, viewCommand, coverageCommand, asmCommand}}, {"Rules", []command{rulesCommand, explainCommand}}}
}
