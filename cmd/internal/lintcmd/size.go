package lintcmd

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/internal/budget"
	"github.com/sframe-lint/sframe-lint/internal/html"
	"github.com/sframe-lint/sframe-lint/internal/program"
	"github.com/sframe-lint/sframe-lint/internal/rewrite"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/reports"
)

const sizeLong = `Shows what the bytes of SFrame sections are for: header, index (the FDEs), attributes,
start offsets, info bytes and data words of FREs, and the rest; how large .eh_frame and
its header are; how few bytes 'rewrite' would need, and which habit of the producer
costs the difference; and the largest functions. Several files have a total. The
members of archives are summed up by archive. With the linker map of a linked file,
its functions are summed up by object and archive.

Exit status:

    0  all files could be read
    2  the command line is wrong
    3  a file could not be read or a section not be decoded`

func (a *app) sizeCommand() *cobra.Command {
	var f sizeFlags
	c := &cobra.Command{
		Use:   "size [flags] PATH...",
		Short: "Show what the bytes of SFrame sections are for",
		Long:  sizeLong,
		Example: `  sframe-lint size build/server
  sframe-lint size --functions 0 /usr/lib/crt1.o libc.a
  sframe-lint size --map build/server.map build/server
  sframe-lint size --format html --functions 200 build/server > size.html`,
		Args: program.AtLeastOne("PATH"),
		RunE: func(_ *cobra.Command, paths []string) error {
			if err := stdinOnce(paths); err != nil {
				return err
			}
			if f.functions < 0 {
				return fmt.Errorf("--functions: %d is below 0", f.functions)
			}
			if f.objects < 0 {
				return fmt.Errorf("--objects: %d is below 0", f.objects)
			}
			if f.linkerMap != "" && len(paths) > 1 {
				return errors.New("--map: want one PATH, the file that the linker wrote")
			}
			return a.size(paths, &f)
		},
	}
	program.Format(c, &f.format, "text", "json", "html")
	c.Flags().IntVar(&f.functions, "functions", 5, "list up to `N` functions of a section, the largest first")
	c.Flags().IntVar(&f.objects, "objects", 5, "list up to `N` objects of a library, the largest first")
	c.Flags().StringVar(&f.linkerMap, "map", "", "sum up the functions of a linked file by object and archive, as its\nlinker map `FILE` (-Map of GNU ld, lld or mold) says")
	program.Values(c, "functions")
	program.Values(c, "objects")
	a.thinRootFlag(c)
	return c
}

// sizeFlags are the flags of the command.
type sizeFlags struct {
	format             string
	functions, objects int
	linkerMap          string
}

// origin reads the linker map, and returns nil if there is none.
func (f *sizeFlags) origin(b *budget.Budget) (rewrite.Origin, error) {
	if f.linkerMap == "" {
		return nil, nil
	}
	s := &origins{budget: b}
	return s.at, readListing(f.linkerMap, s.read)
}

func (a *app) size(paths []string, f *sizeFlags) error {
	b, end := a.account()
	defer end()
	from, err := f.origin(b)
	if err != nil {
		return err
	}
	t := rewrite.NewSizes()
	t.MostObjects = f.objects
	a.look(paths, reader.Options{NoSurvey: true}, func(o *reader.Object) error {
		if from != nil && (o.Member != "" || o.ELF != nil && o.ELF.Relocatable()) {
			a.fail("%s: --map is for files that a linker wrote", reports.Name(o.Path, o.Member))
			return nil
		}
		for _, sf := range o.SFrames {
			if sf.Section == nil {
				continue
			}
			z, err := rewrite.MeasureFrom(o, sf, f.functions, from)
			if over := o.Budget.Err(); over != nil {
				return over
			}
			if err != nil {
				a.fail("%s: %s", reports.Name(o.Path, o.Member), reports.Escape(err.Error()))
				continue
			}
			if err := t.Add(o, z); err != nil {
				return err
			}
		}
		return nil
	}, func(string) {})
	t.Finish()
	if from != nil && len(t.Sections) > 0 && len(t.Libraries) == 0 {
		a.fail("%s: it has no function where the linker map %s has a section", reports.Name(paths[0], ""), reports.Escape(f.linkerMap))
	}
	write := t.WriteText
	if f.format == "html" {
		write = func(w io.Writer) error { return html.WriteSizes(w, tool(), t) }
	}
	return a.writeComparison(f.format == "json", t, write)
}
