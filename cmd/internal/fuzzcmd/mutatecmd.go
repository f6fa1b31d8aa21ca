package fuzzcmd

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/fuzz"
	"github.com/sframe-lint/sframe-lint/generator/breaks"
	packages "github.com/sframe-lint/sframe-lint/internal/base/container"
	"github.com/sframe-lint/sframe-lint/internal/base/regular"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/reports"
)

const mutateLong = `Makes damaged copies of files by changes that do not depend on the format. It changes
bits and bytes, sets numbers to the ends of their ranges, and removes, adds or copies
runs of bytes, also from another of the files.

With --aware, the changes follow the structure of ELF files, archives and SFrame
sections, and get further into a reader. They change a field of a header, symbol or
relocation. Or they double, move or remove an FRE or a function, together with the
counts that depend on it.

Without files, it generates valid sections like gen --swarm and damages them. Knobs
apply only to these.`

const mutateExample = `  sframe-fuzz mutate --count 1000 --out damaged lib.so prog.o
  sframe-fuzz mutate --count 100 --aware --set abi=aarch64 --container rel --out damaged`

func (a *app) mutateCommand() *cobra.Command {
	var f genFlags
	changes, aware := 0, false
	c := &cobra.Command{
		Use: "mutate --out DIR [flags] [FILE...]", Short: "Make damaged copies of files", Long: mutateLong, Example: mutateExample,
		RunE: func(c *cobra.Command, files []string) error {
			if err := f.check(); err != nil {
				return err
			}
			if changes < 1 {
				return errors.New("--changes: must be at least 1")
			}
			if name := f.generating(c); len(files) > 0 && name != "" {
				return fmt.Errorf("--%s applies to generated sections, not to files", name)
			}
			return a.mutate(&f, changes, aware, files)
		},
	}
	f.flags(c, 1, true)
	f.container.flag(c, breaks.Raw, "container of generated sections: raw, exec, shared, rel or archive")
	c.Flags().IntVar(&changes, "changes", 8, "make up to `N` changes to a copy")
	c.Flags().BoolVar(&aware, "aware", false, "change fields of headers, tables and FREs, not only bytes")
	return c
}

func (a *app) mutate(f *genFlags, changes int, aware bool, files []string) error {
	var originals [][]byte
	for _, file := range files {
		b, err := regular.Read(file, 0)
		if err != nil {
			return program.Failed(err)
		}
		if !reader.IsInput(b) && packages.KindOf(b[:min(len(b), packages.HeadSize)], bytes.NewReader(b), int64(len(b))) == packages.None {
			return program.Failed(fmt.Errorf("%s: not an ELF file, archive, package or SFrame section", reports.Name(file, "")))
		}
		originals = append(originals, b)
	}
	return a.write(f, nil, func(i int) made {
		e := &entry{manifestEntry: manifestEntry{Seed: f.source.seed(i)}}
		m := fuzz.New(uint64(e.Seed))
		if len(files) > 0 {
			k := i % len(files)
			e.data, e.From = originals[k], files[k]
			e.File = fileName(i) + filepath.Ext(files[k])
			m.Other = originals[(k+1)%len(files)]
		} else {
			made := f.make(i)
			if made.err != nil {
				return made
			}
			e = made.entry
			e.Besides = nil // it is damaged now
		}
		m.Max = 2*len(e.data) + 1<<10
		if aware {
			e.data = m.File(e.data, changes)
		} else {
			e.data = m.Blind(e.data, changes)
		}
		e.Changes = m.Log()
		return made{entry: e}
	})
}

// generating returns a flag that was given and is for generated sections, ""
// for none.
func (f *genFlags) generating(c *cobra.Command) string {
	for _, name := range []string{"set", "knobs", "swarm", "container"} {
		if c.Flags().Changed(name) {
			return name
		}
	}
	return ""
}
