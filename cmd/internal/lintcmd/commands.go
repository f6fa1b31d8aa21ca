//go:build !js

package lintcmd

// elsewhere are the commands that a browser does without: it downloads the program.
var elsewhere = []subcommand{
	{"diff", (*app).diffCommand}, {"link", (*app).linkCommand}, {"merge", (*app).mergeCommand},
	{"convert", (*app).convertCommand}, {"rewrite", (*app).narrowCommand}, {"census", (*app).censusCommand},
	{"trace", (*app).traceCommand}, {"size", (*app).sizeCommand}, {"expect", (*app).expectCommand},
	{"synth", (*app).synthCommand}, {"consumers", (*app).consumersCommand},
}
