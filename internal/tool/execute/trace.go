package execute

import (
	"os"
	"time"

	"github.com/sframe-lint/sframe-lint/reader"
)

// Config determines what to execute, and how.
type Config struct {
	Path string   // of the program
	Args []string // including the name of the program
	Env  []string
	Dir  string
	// Qemu is the path of the emulator, for [Emulate].
	Qemu string
	// Files are the standard input, output and error of the program.
	Files [3]*os.File
	// For is the maximum run time of the program; 0: until it ends.
	For time.Duration
	// Steps is the largest number of steps; 0: no limit. With a limit, code that is not
	// checked is executed step by step too.
	Steps uint64
	// Children says that the children of fork and vfork are checked too.
	Children bool
	Check    Options
	Read     reader.Options
	// Progress is called about every second, unless it is nil.
	Progress func(Stats)
}

// Exit is how a run ended.
type Exit struct {
	Status int    `json:"status"`           // exit status of the program
	Signal int    `json:"signal,omitempty"` // that ended it, 0 for none
	Cut    string `json:"cut,omitempty"`    // why it was ended before: "time", "steps" or [Canceled]
}

// Canceled is the reason for the end of a run whose context has ended.
const Canceled = "canceled"
