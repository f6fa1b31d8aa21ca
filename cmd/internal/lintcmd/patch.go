package lintcmd

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

// verifier returns what checks the repairs of a patch, nil if nothing does.
func (a *app) verifier(f *lintFlags) reports.Verify {
	words := strings.Fields(f.verify)
	if len(words) == 0 {
		return nil
	}
	return func(path string, all []*reports.Repair, text func([]*reports.Repair) []byte) ([]string, error) {
		dir, err := os.MkdirTemp("", "sframe-lint-patch-*")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		t := trial{a: a, words: words, dir: dir, path: path, root: f.sources.Root, text: text}
		return t.judge(all)
	}
}

// trial assembles the source of a patch.
type trial struct {
	a          *app
	words      []string
	dir        string
	path, root string
	text       func([]*reports.Repair) []byte
}

// judge returns why repairs are left out. If all together do not help, each is tried for itself.
func (t *trial) judge(all []*reports.Repair) ([]string, error) {
	before, err := t.findings(nil)
	if err != nil {
		return nil, fmt.Errorf("the source cannot be assembled: %w", err)
	}
	after, err := t.findings(all)
	out := make([]string, len(all))
	if good, _ := improves(before, after, all); err == nil && good {
		return out, nil
	}
	for i, r := range all {
		one := []*reports.Repair{r}
		if after, err = t.findings(one); err != nil {
			out[i] = "the patched source cannot be assembled: " + err.Error()
		} else if good, why := improves(before, after, one); !good {
			out[i] = why
		}
	}
	return out, nil
}

// found counts the findings of a function by a rule.
type found struct{ function, rule string }

// improves reports whether no finding of the repaired functions stays, and no other function has a new one.
func improves(before, after map[found]int, all []*reports.Repair) (good bool, why string) {
	repaired := map[string]bool{}
	for _, r := range all {
		repaired[r.Function] = true
	}
	for x, n := range after {
		switch {
		case repaired[x.function] && n >= before[x]:
			return false, x.rule + " stays"
		case n > before[x]:
			return false, x.rule + " comes"
		}
	}
	return true, ""
}

// findings assembles the source with some repairs, and counts what the linter finds.
func (t *trial) findings(some []*reports.Repair) (map[found]int, error) {
	source, object := filepath.Join(t.dir, filepath.Base(t.path)), filepath.Join(t.dir, "patched.o")
	if err := os.WriteFile(source, t.text(some), 0o600); err != nil {
		return nil, err
	}
	args := append(t.words[1:len(t.words):len(t.words)], "-c", "-I", filepath.Dir(filepath.FromSlash(t.path)), "-o", object, source)
	c := exec.CommandContext(t.a.ctx, t.words[0], args...)
	c.Dir = t.root
	if out, err := c.CombinedOutput(); err != nil {
		return nil, errors.New(firstLine(strings.TrimSpace(string(out)), err))
	}
	f, err := lint.CheckFile(t.a.ctx, object)
	if err != nil {
		return nil, err
	}
	all := map[found]int{}
	for i := range f.Objects {
		for j := range f.Objects[i].Findings {
			if x := &f.Objects[i].Findings[j]; x.Severity > rules.Note {
				all[found{x.Function, x.Rule.ID}]++
			}
		}
	}
	return all, nil
}

func firstLine(out string, err error) string {
	if line, _, _ := strings.Cut(out, "\n"); line != "" {
		return line
	}
	return err.Error()
}
