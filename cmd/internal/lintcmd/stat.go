package lintcmd

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/tool/compare"
	"github.com/sframe-lint/sframe-lint/internal/tool/rewrite"
	"github.com/sframe-lint/sframe-lint/reader"
)

var statCommand = command{
	name: "stat", args: "PATH...", files: true, formats: []string{"text", "json"},
	short: "List versions, producers and sizes of SFrame data",
	long: `Lists the SFrame data of files: version, ABI, flags, section type, counts, and the
producers that write such sections. Then it counts the files that agree, and names those
that differ from most files of their kind.

For each section and for all of them, it shows how many bytes are header, index (the
FDEs), attributes, start offsets, info bytes and data words of FREs, or anything else.
It also shows the size of .eh_frame with its header, the size after 'rewrite', the
habits of the producer that cost the difference, and the largest functions.

With --compare, the files are builds of one program. A table shows the bytes of code,
.eh_frame and SFrame data of each build in percent of its code, and the total compared
with the first file.`,
	status: [3]string{"all files were read"},
	example: `  sframe-lint stat build/ /usr/lib/crt1.o libc.a
  sframe-lint stat --functions 20 build/server
  sframe-lint stat --compare app-eh-frame app-frame-pointers app-sframe`,
	start: startStat,
}

func startStat(a *app, c *cobra.Command) action {
	fl := c.Flags()
	functions := fl.Int("functions", 5, "list up to `N` functions of a section, the largest first")
	builds := fl.Bool("compare", false, "compare the sizes of several builds of one program")
	return func(paths []string) error {
		if *functions < 0 {
			return errors.New("--functions is at least 0")
		}
		all := compare.NewStat()
		a.look(paths, reader.Options{NoSurvey: true}, func(part *app) (func(*reader.Object) error, func(string, error)) {
			one := compare.NewStat()
			return func(o *reader.Object) error { return statOf(part, one, o, *functions, *builds) }, func(path string, err error) {
				if err != nil {
					one.Census.Unreadable(path)
				}
				all.Join(one)
			}
		})
		all.Finish()
		text := writeStat
		if *builds {
			text = compare.WriteBuilds
		}
		return a.report(all, forms{"text": func(w io.Writer) error { return text(w, all) }})
	}
}

// statOf adds an object to a table, unless builds are compared with what its bytes are for.
func statOf(part *app, s *compare.Stat, o *reader.Object, functions int, builds bool) error {
	if err := s.Census.Add(o); err != nil || builds {
		return err
	}
	for _, sf := range o.SFrames {
		if sf.Section == nil {
			continue
		}
		z, err := rewrite.Measure(o, sf, functions)
		var over *budget.Exceeded
		switch {
		case o.Err() != nil:
			return o.Err()
		case errors.As(err, &over):
			return err
		case err != nil:
			part.fail("%s: %s", nameOf(o), reason(err))
			continue
		}
		if err := s.Sizes.Add(o, z); err != nil {
			return err
		}
	}
	return nil
}

// writeStat writes the table, and then the sizes.
func writeStat(w io.Writer, s *compare.Stat) error {
	if err := compare.WriteCensus(w, s.Census); err != nil || len(s.Sections) == 0 {
		return err
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	return s.Sizes.WriteText(w)
}
