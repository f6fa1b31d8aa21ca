package lintcmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/budget"
	"github.com/sframe-lint/sframe-lint/internal/escape"
	"github.com/sframe-lint/sframe-lint/internal/execute"
	"github.com/sframe-lint/sframe-lint/internal/program"
	"github.com/sframe-lint/sframe-lint/internal/regular"
	"github.com/sframe-lint/sframe-lint/internal/replace"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/reports"
)

// readTruth reads a truth file.
func readTruth(path string, b *budget.Budget) (*execute.Truth, error) {
	in, info, err := regular.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return execute.ReadTruth(in, info.Size(), b)
}

// readTruths reads the truth files of --truth, within the limits of one input. Those of one
// ABI are merged: what holds is what holds in all of them. It returns at least one truth for
// at least one path, so that the rule is run.
func readTruths(paths []string, limits budget.Limits) (all []*execute.Truth, err error) {
	b := budget.New(context.Background(), limits)
	for _, path := range paths {
		t, err := readTruth(path, b)
		if err != nil {
			return []*execute.Truth{{}}, program.Failed(fmt.Errorf("%s: %w", path, err))
		}
		if i := slices.IndexFunc(all, func(x *execute.Truth) bool { return x.ABI == t.ABI }); i < 0 {
			all = append(all, t)
		} else if err := all[i].Merge(t); err != nil {
			return all, program.Failed(fmt.Errorf("%s: %w", path, err))
		}
	}
	return all, nil
}

// record adds a truth to a file, which need not exist.
func (a *app) record(path string, t *execute.Truth, b *budget.Budget) error {
	switch old, err := readTruth(path, b); {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, regular.ErrNotRegular): // new, or written through
	case err != nil:
		return fmt.Errorf("%s: %w", path, err)
	default:
		if err := old.Merge(t); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		t = old
	}
	data, err := json.Marshal(t)
	if err != nil {
		return err
	}
	return replace.File(path, func(f *os.File) error { _, err := f.Write(append(data, '\n')); return err })
}

// judged is the output of --judge.
type judged struct {
	Schema string       `json:"schema"`
	Files  []judgedFile `json:"files"`
}

type judgedFile struct {
	File string `json:"file"`
	*execute.Judgement
}

const judgeSchema = "sframe-lint/judge/1"

// judge compares the SFrame data of files with a truth.
func (a *app) judge(truth, format string, paths []string) error {
	b, end := a.account()
	defer end()
	t, err := readTruth(truth, b)
	if err != nil {
		a.fail("%s: %s", reports.Escape(truth), reports.Escape(err.Error()))
		return nil
	}
	out := judged{judgeSchema, []judgedFile{}}
	for _, path := range paths {
		err := reader.Scan(path, reader.Options{NoSurvey: true, Budget: b, MaxSection: a.limits[budget.Section]}, func(o *reader.Object) error {
			if o.ELF == nil || o.ELF.Relocatable() {
				return errors.New("not a linked ELF file")
			}
			x := t.File(execute.Identify(o))
			if x == nil {
				return errors.New("the truth has neither its build ID nor its code")
			}
			for _, s := range o.SFrames {
				if s.Section == nil {
					continue
				}
				j := x.Judge(s.Section)
				for i := range j.Wrong {
					y, _ := o.ELF.Symbols.Func(-1, j.Wrong[i].Start)
					j.Wrong[i].Function = escape.UTF8(escape.Cut(y.Name, escape.MaxName))
				}
				if len(j.Wrong) > 0 {
					a.status = max(a.status, program.ExitFindings)
				}
				out.Files = append(out.Files, judgedFile{escape.UTF8(path), j})
			}
			return nil
		})
		if err != nil {
			a.fail("%s: %s", reports.Escape(path), reports.Escape(err.Error()))
		}
	}
	return a.writeComparison(format == "json", &out, out.text)
}

// text writes a judgement as text.
func (j *judged) text(w io.Writer) error {
	for _, f := range j.Files {
		for _, x := range f.Wrong {
			name := x.Function
			if name == "" {
				name = fmt.Sprintf("0x%x", x.Start)
			}
			if _, err := fmt.Fprintf(w, "%s: %s%+#x (0x%x): %s is wrong: %s, but in all runs: %s; FDE %d, FRE %d, %d instructions\n",
				escape.Printable(f.File), escape.Printable(name), int64(x.PC-x.Start), x.PC, x.What, x.Row, x.True, x.FDE, x.FRE, x.Instructions); err != nil {
				return err
			}
		}
		more := ""
		if f.Cut {
			more = " (and more)"
		}
		if _, err := fmt.Fprintf(w, "%s: %d rows are wrong%s; %d of %d instructions judged, %d without a row\n",
			escape.Printable(f.File), len(f.Wrong), more, f.Judged, f.Instructions, f.NoRow); err != nil {
			return err
		}
	}
	return nil
}
