package harness

import (
	"bytes"
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand"
	"os"
	"regexp"

	"github.com/sframe-lint/sframe-lint/scripts/internal/root"
)

// Choice is what -list and -run name: a kind of fault, or an assembler.
type Choice interface {
	Describe() (name, about string)
}

// Flags are the flags of the programs that make and count faults. Values before Main are defaults.
type Flags[K Choice] struct {
	Kinds   []K // those that -run chooses
	Seed    int64
	Count   int
	Verbose bool
	Keep    string // directory for the mutants
	Tools   string // directory of the assemblers and linkers
	Work    string // directory for temporary files
}

// KeepFlag declares the flag of programs that write mutants.
func (o *Flags[K]) KeepFlag() {
	flag.StringVar(&o.Keep, "keep", "", "write the mutants that draw nothing to files in this `DIRECTORY`")
}

// ToolsFlag declares the flag of programs that run real tools.
func (o *Flags[K]) ToolsFlag() {
	flag.StringVar(&o.Tools, "tools", os.Getenv("SFRAME_TOOLS"), "`DIRECTORY` that scripts/toolchains has unpacked tools into")
}

// Main parses the flags, and lists the kinds or runs the program.
func (o *Flags[K]) Main(program string, kinds func() []K, run func(args []string) error) {
	root.Enter()
	list := flag.Bool("list", false, "list the kinds")
	only := flag.String("run", "", "use the kinds whose names match this `REGEXP`")
	flag.Int64Var(&o.Seed, "seed", 1, "`SEED` of the random choices")
	flag.IntVar(&o.Count, "count", o.Count, "`NUMBER` of "+program+" to make")
	flag.BoolVar(&o.Verbose, "v", false, "print each of which something is to be said")
	flag.Parse()
	err := func() (err error) {
		if *list {
			_, err = os.Stdout.Write(List(kinds()))
			return err
		}
		which, err := regexp.Compile(*only)
		if err != nil {
			return err
		}
		for _, k := range kinds() {
			if name, _ := k.Describe(); which.MatchString(name) {
				o.Kinds = append(o.Kinds, k)
			}
		}
		if o.Work, err = os.MkdirTemp("", program); err != nil {
			return err
		}
		defer os.RemoveAll(o.Work)
		if o.Keep != "" {
			if err := os.MkdirAll(o.Keep, 0o777); err != nil {
				return err
			}
		}
		return run(flag.Args())
	}()
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", program, err)
		os.Exit(1)
	}
}

// List returns a table of all kinds.
func List[K Choice](kinds []K) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%d kinds:\n\n| name | what it is |\n|---|---|\n", len(kinds))
	for _, k := range kinds {
		name, about := k.Describe()
		fmt.Fprintf(&b, "| %s | %s |\n", name, about)
	}
	return b.Bytes()
}

// Random returns the random numbers of a seed for what has these names.
func Random(seed int64, names ...any) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprint(h, names...)
	return rand.New(rand.NewSource(seed ^ int64(h.Sum64())))
}
