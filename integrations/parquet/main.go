// Command sframe-parquet writes the results of 'sframe-lint --list FILE --results DIR' as Parquet files, for DuckDB
// and similar programs; see docs/distribution.md. It is a separate program because the Parquet library would more
// than double the start time of sframe-lint.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/parquet-go/parquet-go"
	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/evidence/coverage"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
	"github.com/sframe-lint/sframe-lint/internal/tool/shard"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

const long = `Writes the results that 'sframe-lint --list FILE --results DIR' has kept as Parquet
files below --out: units, files, findings, gaps (functions without SFrame data) and
producers.

Exit status:

    0  the tables have all units of the list
    2  the command line is wrong
    3  a unit has no result, or a file could not be read or written`

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	status := program.ExitClean
	if s := program.Run(command(stderr, &status), args, nil, stdout, stderr); s != program.ExitClean {
		return s
	}
	return status
}

// command returns the command, which sets the exit status if units are missing.
func command(stderr io.Writer, status *int) *cobra.Command {
	var out string
	c := &cobra.Command{
		Use: "sframe-parquet --out OUT DIR", Short: "Write results as tables", Long: long, Args: program.Arguments("DIR"),
		Example:       "  sframe-lint --list packages.tsv --results results\n  sframe-parquet --out tables results",
		SilenceErrors: true, SilenceUsage: true,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if out == "" {
				return errors.New("--out: no directory given")
			}
			missing, err := write(args[0], out)
			if err == nil && missing > 0 {
				program.PrintLine(stderr, "sframe-parquet", "%s without a result by the setup of the last run", rules.Count(missing, "unit"))
				*status = program.ExitFailed
			}
			return program.Failed(err)
		},
	}
	c.Flags().StringVarP(&out, "out", "o", "", "directory of the tables, `OUT` (required)")
	program.Directory(c, "out")
	return c
}

// table writes rows to a file.
type table[T any] struct {
	w    *parquet.GenericWriter[T]
	f    *os.File
	name string
	rows int
}

// rowGroup is the number of rows that are held in memory.
const rowGroup = 100_000

func create[T any](dir, name string) (*table[T], error) {
	name = filepath.Join(dir, name+".parquet")
	f, err := os.CreateTemp(dir, filepath.Base(name)+".*.tmp")
	if err != nil {
		return nil, err
	}
	return &table[T]{parquet.NewGenericWriter[T](f, parquet.Compression(&parquet.Zstd), parquet.KeyValueMetadata("schema", schema)), f, name, 0}, nil
}

func (t *table[T]) add(row T) error {
	if _, err := t.w.Write([]T{row}); err != nil {
		return err
	}
	if t.rows++; t.rows%rowGroup == 0 {
		return t.w.Flush()
	}
	return nil
}

// close gives the file its name if it is whole.
func (t *table[T]) close(whole bool) error {
	err := errors.Join(t.w.Close(), t.f.Chmod(0o644), t.f.Close())
	if err != nil || !whole {
		return errors.Join(err, os.Remove(t.f.Name()))
	}
	return os.Rename(t.f.Name(), t.name)
}

// tables are those of a run.
type tables struct {
	units     *table[unitRecord]
	files     *table[fileRecord]
	findings  *table[findingRecord]
	gaps      *table[gapRecord]
	producers *table[producerRecord]
	rules     map[string]*rules.Rule
}

// write writes the tables of a directory of results, and returns the number of units without a result.
func write(dir, out string) (missing int, err error) {
	var setup struct {
		Digest  string `json:"setup"`
		Version string `json:"version"`
	}
	units, err := shard.Load(dir, &setup)
	if err != nil {
		return 0, err
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return 0, err
	}
	t := &tables{rules: map[string]*rules.Rule{}}
	var errs [5]error
	t.units, errs[0] = create[unitRecord](out, "units")
	t.files, errs[1] = create[fileRecord](out, "files")
	t.findings, errs[2] = create[findingRecord](out, "findings")
	t.gaps, errs[3] = create[gapRecord](out, "gaps")
	t.producers, errs[4] = create[producerRecord](out, "producers")
	if err := errors.Join(errs[:]...); err != nil {
		return 0, err
	}
	for i := range units {
		var ok bool
		if ok, err = t.unit(dir, &units[i], setup.Digest, setup.Version); err != nil {
			err = fmt.Errorf("%s: %w", escape.Name(units[i].Path), err)
			break
		}
		if !ok {
			missing++
		}
	}
	whole := err == nil
	return missing, errors.Join(err, t.units.close(whole), t.files.close(whole), t.findings.close(whole), t.gaps.close(whole), t.producers.close(whole))
}

// unit adds the rows of a unit. It reports false if there is no result of this setup.
func (t *tables) unit(dir string, u *shard.Unit, setup, version string) (ok bool, err error) {
	r, err := shard.Open(dir, u)
	if err != nil {
		return false, nil
	}
	defer r.Close()
	if r.Setup != setup {
		return false, nil
	}
	if err := t.units.add(unitOf(r, version)); err != nil {
		return false, err
	}
	replayed := reports.Replay(r.Read(), t.rule, func(f *lint.File) bool {
		err = t.file(r, f)
		return err == nil
	})
	return true, errors.Join(replayed, err)
}

// rule stands for the rule with an ID: the tables have no more of it.
func (t *tables) rule(id string) *rules.Rule {
	if t.rules[id] == nil {
		t.rules[id] = &rules.Rule{ID: id}
	}
	return t.rules[id]
}

func (t *tables) file(r *shard.Result, f *lint.File) error {
	at := input{r.Path, packageOf(r.Path), inPackage(r.Path, f.Path), ""}
	if f.Err != nil {
		if err := t.files.add(fileRecord{input: at, Status: string(lint.StatusUnreadable), Detail: f.Err.Error()}); err != nil {
			return err
		}
	}
	for i := range f.Objects {
		if err := t.object(at, &f.Objects[i]); err != nil {
			return err
		}
	}
	return nil
}

func (t *tables) object(at input, o *lint.Object) error {
	at.Member = o.Input.Member
	if err := t.files.add(fileOf(at, o)); err != nil {
		return err
	}
	for i := range o.Findings {
		if err := t.findings.add(findingOf(at, &o.Findings[i])); err != nil {
			return err
		}
	}
	if c, ok := o.Coverage.(*coverage.File); ok {
		for i := range c.Gaps {
			if err := t.gaps.add(gapOf(at, &c.Gaps[i])); err != nil {
				return err
			}
		}
	}
	if o.Facts != nil {
		for _, text := range o.Facts.Comments {
			if err := t.producers.add(producerRecord{at, text}); err != nil {
				return err
			}
		}
	}
	return nil
}
