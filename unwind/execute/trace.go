package execute

import (
	"os"
	"time"

	"github.com/sframe-lint/sframe-lint/reader"
)

// Config says what to execute, and how.
type Config struct {
	Path string   // of the program
	Args []string // including the name of the program
	Env  []string
	Dir  string
	// Qemu is the path of the emulator, for [Emulate].
	Qemu string
	// Files are the standard input, output and error of the program.
	Files [3]*os.File
	// For is how long the program may run; 0: until it ends.
	For time.Duration
	// Steps is the largest number of steps; 0: no limit. With a limit, code that is not
	// checked is executed step by step too.
	Steps uint64
	// Children says that the children of fork and vfork are checked too.
	Children bool
	// CheckNothing executes the steps without a check, to measure what the check costs.
	CheckNothing bool
	Check        Options
	Read         reader.Options
	// Progress is called about every second, unless it is nil.
	Progress func(Stats)
}

// Exit says how a run ended.
type Exit struct {
	Status int    `json:"status"`           // exit status of the program
	Signal int    `json:"signal,omitempty"` // that ended it, 0 for none
	Cut    string `json:"cut,omitempty"`    // why it was ended before: "time", "steps" or [Canceled]
}

// Canceled is why a run was ended whose context has ended.
const Canceled = "canceled"
