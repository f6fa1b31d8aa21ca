package fuzzcmd

import (
	"errors"
	"fmt"
	"go/token"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/fuzz"
	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
)

// exportFlags are the flags of export.
type exportFlags struct {
	genFlags
	engine  string
	valid   bool
	target  string
	address bool
}

const (
	forLibFuzzer = "libfuzzer"
	forAFL       = "afl"
	forGo        = "go"
)

const exportLong = `Makes a seed corpus for another fuzzer, with a manifest: valid sections of all kinds,
alternating with sections that have a known fault.

For libFuzzer and AFL++ the seeds are in DIR/seeds, one file each, and DIR/sframe.dict
is a dictionary:

    TARGET -dict=DIR/sframe.dict CORPUS DIR/seeds
    afl-fuzz -i DIR/seeds -o OUT -x DIR/sframe.dict -- TARGET @@

For go test the seeds are in DIR/NAME, for testdata/fuzz of the package with the fuzz
target NAME. The target takes a []byte, and with --address also a uint64, the address
of the section.`

const exportExample = `  sframe-fuzz export --count 200 --out corpus
  sframe-fuzz export --for go --func FuzzSection --address --out testdata/fuzz`

func (a *app) exportCommand() *cobra.Command {
	var f exportFlags
	c := &cobra.Command{
		Use: "export --out DIR [flags]", Short: "Make a seed corpus and a dictionary for another fuzzer", Long: exportLong, Example: exportExample,
		Args: program.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := f.check(c); err != nil {
				return err
			}
			return a.export(&f)
		},
	}
	f.flags(c, 100, true)
	f.container.flag(c, breaks.Raw, "container of the sections: raw, exec, shared, rel or archive")
	fl := c.Flags()
	f.engine = forLibFuzzer
	program.Choice(c, fl, &f.engine, "for", "fuzzer", "the `TOOL`: libfuzzer, afl or go", forLibFuzzer, forAFL, forGo)
	fl.BoolVar(&f.valid, "valid", false, "make only valid sections")
	fl.StringVar(&f.target, "func", "FuzzSection", "name of the fuzz target in Go: `NAME`")
	fl.BoolVar(&f.address, "address", false, "with Go: also pass the section's address to the target")
	return c
}

func (f *exportFlags) check(c *cobra.Command) error {
	if err := f.genFlags.check(); err != nil {
		return err
	}
	if f.engine != forGo {
		for _, name := range []string{"func", "address"} {
			if c.Flags().Changed(name) {
				return fmt.Errorf("--%s requires --for go", name)
			}
		}
	} else if !isFuzzTarget(f.target) {
		return fmt.Errorf("--func: %q is not the name of a fuzz target", f.target)
	}
	return nil
}

// isFuzzTarget reports whether a function of this name is a fuzz target of go
// test.
func isFuzzTarget(name string) bool {
	rest, ok := strings.CutPrefix(name, "Fuzz")
	r, _ := utf8.DecodeRuneInString(rest)
	return ok && token.IsIdentifier(name) && !unicode.IsLower(r)
}

func (a *app) export(f *exportFlags) error {
	dir := "seeds" // a directory of their own: a fuzzer uses every file in it
	if f.engine == forGo {
		dir = f.target
	}
	others := map[string][]byte{}
	if f.engine != forGo {
		others["sframe.dict"] = dictionary()
	}
	return a.write(&f.genFlags, others, func(i int) made {
		m := f.seedFile(i)
		if m.err != nil {
			return m
		}
		if f.engine == forGo {
			m.data = goSeed(m.entry, f.address)
			m.File = strings.TrimSuffix(m.File, filepath.Ext(m.File))
		}
		m.File = filepath.ToSlash(filepath.Join(dir, m.File))
		return m
	})
}

// seedFile makes the i-th section; those with odd i are broken.
func (f *exportFlags) seedFile(i int) (m made) {
	if f.valid || i%2 == 0 {
		return f.make(i)
	}
	m.err = f.source.draw(i, func(c generator.Config, rnd *rand.Rand) error {
		r := breaks.Recipe{Config: c, Container: breaks.Container(f.container)}
		s, err := r.Subject()
		if err != nil {
			return err
		}
		odd := besides(s, false)
		if s, r.Breaks = breaks.Compose(s, 1, rnd); len(r.Breaks) == 0 {
			return errors.New("no break is applicable")
		}
		m.entry = newEntry(fileName(i), c.Seed, r, s, odd)
		return nil
	})
	return m
}

// goSeed writes a seed in the format of go test.
func goSeed(e *entry, address bool) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "go test fuzz v1\n[]byte(%q)\n", e.data)
	if address {
		addr := e.Address
		if addr == "" {
			addr = "0"
		}
		fmt.Fprintf(&b, "uint64(%s)\n", addr)
	}
	return []byte(b.String())
}

// dictionary writes the tokens of sections in the format of libFuzzer and AFL++.
func dictionary() []byte {
	var b strings.Builder
	b.WriteString("# Tokens of SFrame sections.\n")
	for _, t := range fuzz.Tokens() {
		b.WriteString(t.Name + `="`)
		for _, x := range t.Bytes {
			fmt.Fprintf(&b, `\x%02X`, x)
		}
		b.WriteString("\"\n")
	}
	return []byte(b.String())
}
