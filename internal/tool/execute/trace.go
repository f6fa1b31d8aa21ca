package execute

import (
	"os"
	"time"

	"github.com/sframe-lint/sframe-lint/reader"
)

// Config determines which program to execute, and how.
type Config struct {
	Path string   // of the program
	Args []string // including the name of the program
	Env  []string
	Dir  string
	// Qemu is the path of the emulator, for [Emulate].
	Qemu string
	// Files are the standard input, output and error of the program.
	Files [3]*os.File
	// For is the maximum run time of the program; 0 means no limit.
	For time.Duration
	// Steps is the maximum number of steps; 0 means no limit. With a limit, unchecked code is also executed step by
	// step.
	Steps uint64
	// Children says that the children of fork and vfork are checked as well.
	Children bool
	Check    Options
	Read     reader.Options
	// Progress, unless nil, is called about once a second.
	Progress func(Stats)
}

// Exit describes the end of a run.
type Exit struct {
	Status int    `json:"status"`           // exit status of the program
	Signal int    `json:"signal,omitempty"` // the signal that ended it, 0 for none
	Cut    string `json:"cut,omitempty"`    // why it was stopped: "time", "steps" or [Canceled]
}

// Canceled is the reason if the context of a run ended.
const Canceled = "canceled"
