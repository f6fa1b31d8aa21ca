package lint

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/edit"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// A file is fixed again because fixes exclude one another, or are beyond the limit of
// findings: up to maxRounds times, and fewRounds times if that reads much.
const (
	maxRounds = 10
	fewRounds = 3
	muchRead  = 64 << 20 // bytes
)

// fix shows or applies the fixes of the findings in the file.
func (c *check) fix() {
	switch c.opts.Fix {
	case ShowFixes:
		c.within(c.show)
	case ApplyFixes:
		// A file that is met twice, as a member of a thin archive and by itself,
		// must not be changed twice at once: the file that is reported next is the
		// one that is changed. Waiting does not count as time.
		if c.share.Wait(c.run) == nil {
			c.within(c.repair)
		}
	}
}

// repair applies the fixes and checks the file again, until there are none.
func (c *check) repair() error {
	if err := c.recheck(); err != nil {
		return err
	}
	for n := range maxRounds {
		if n >= fewRounds && c.budget.Used(budget.Read) > muchRead {
			return nil
		}
		all, err := c.plans()
		if err != nil || len(all) == 0 {
			return err
		}
		for _, p := range all {
			if err := c.apply(p); err != nil {
				return err
			}
		}
		if err := c.recheck(); err != nil {
			return err
		}
	}
	return nil
}

// apply changes a file and records it, unless the budget is exceeded.
func (c *check) apply(p *fixes) error {
	if err := c.budget.Err(); err != nil {
		return err
	}
	if err := p.Apply(c.budget, p.Path); err != nil {
		return fmt.Errorf("can't be fixed: %w", err)
	}
	for _, f := range p.applied {
		c.file.Fixed = append(c.file.Fixed, f.Rule.ID)
	}
	return nil
}

// addSums adds to the fixes of an object, which is being visited, the sums of the bytes
// that they replace. Many findings may share one that replaces very many.
func addSums(o *reader.Object, findings []rules.Finding) (err error) {
	const many = 256
	large := map[model.Span][sha256.Size]byte{}
	for i := range findings {
		for j := range findings[i].Fixes {
			edits := findings[i].Fixes[j].Edits
			for k := range edits {
				e := &edits[k]
				if sum, ok := large[e.Span]; ok {
					e.Sum = sum
					continue
				}
				if err := o.Step(e.Span.Len / many); err != nil {
					return err
				}
				if e.Sum, err = edit.Sum(o.Reader(e.Span)); err != nil {
					return err
				}
				if e.Span.Len >= many {
					large[e.Span] = e.Sum
				}
			}
		}
	}
	return nil
}

// recheck checks the file once more.
func (c *check) recheck() error {
	c.file.Objects = nil
	c.budget.Release(budget.Memory, c.charged)
	c.charged = 0
	c.collect()
	return c.scan()
}

// collect collects what the last scan of a large file has left, so that the next one
// does not come on top of it.
func (c *check) collect() {
	if c.budget.Used(budget.Read) > largeFile {
		runtime.GC()
	}
}

// largeFile is the number of bytes that are read of a file that is worth a garbage collection.
const largeFile = 4 << 20

// judge returns the driver that decides whether a fix does harm: with all rules,
// whichever of them are run.
func (o *Options) judge() *rules.Driver {
	d := &rules.Driver{Rules: slices.DeleteFunc(Rules(o.Extra...), func(r *rules.Rule) bool { return r.OptIn || r.Family() == consumerFamily })}
	apply(o.limits(), d, false)
	d.Limits.Findings = 1 // their numbers count, those of the ones beyond the limit included
	return d
}

func fixable(f *File) bool {
	for i := range f.Objects {
		for j := range f.Objects[i].Findings {
			if len(f.Objects[i].Findings[j].Fixes) > 0 {
				return true
			}
		}
	}
	return false
}

// plans returns a plan for each file that has to be changed: the file itself, or
// members of a thin archive. Fixes that do harm are left out.
func (c *check) plans() ([]*fixes, error) {
	var order []string
	found := map[string][]*rules.Finding{}
	for i := range c.file.Objects {
		o := &c.file.Objects[i]
		path := o.Input.Place()
		if _, met := found[path]; !met {
			order = append(order, path)
			found[path] = nil
		}
		within := absolute(o.Input.Path)
		for j := range o.Findings {
			if f := &o.Findings[j]; c.exceptions.excuses(within, f) == nil {
				found[path] = append(found[path], f)
			}
		}
	}
	var all []*fixes
	for _, path := range order {
		p := c.withoutHarm(chooseFixes(path, found[path], c.opts.UnsafeFixes))
		if len(p.applied) == 0 {
			continue
		}
		// Findings that come up because more can be checked do no harm. The other fixes
		// have their turn when the file has been checked again.
		if first := p.reveals(); len(first.applied) > 0 {
			delete(c.graves, path)
			all = append(all, first)
			continue
		}
		p, err := c.harmlessPart(p)
		if err != nil {
			return nil, err
		}
		if len(p.applied) > 0 {
			all = append(all, p)
		}
	}
	return all, nil
}

// withoutHarm returns the plan without fixes that did harm before, if much was read to
// find that out: they may do none now, but it takes a scan for each rule to know.
func (c *check) withoutHarm(p *fixes) *fixes {
	if c.budget.Used(budget.Read) > muchRead {
		for _, h := range c.file.Harmful {
			if h.Path == p.Path && h.Rule != "" {
				p = p.without(h.Rule)
			}
		}
	}
	return p
}

// harmlessPart returns the part of a plan after which the file has no more
// errors and warnings of any rule than before. New findings of another rule show
// that the file is not the case that the fix was made for.
func (c *check) harmlessPart(p *fixes) (*fixes, error) {
	file, err := os.Open(p.Path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	before, known := c.graves[p.Path]
	if !known {
		if before, err = c.grave(p.Path, file, info.Size(), nil); err != nil {
			return nil, err
		}
	}
	var after map[string]int
	harm := func(p *fixes, ids []string) ([]string, error) {
		v, err := p.View(file, info.Size())
		if err != nil {
			return nil, fmt.Errorf("can't be fixed: %w", err)
		}
		after, err = c.grave(p.Path, v, v.Size, ids)
		var worse []string
		for _, id := range slices.Sorted(maps.Keys(after)) {
			if after[id] > before[id] {
				worse = append(worse, id)
			}
		}
		return worse, err
	}
	// What there is after the plan is what there is before the next one.
	defer func() {
		if c.graves == nil {
			c.graves = map[string]map[string]int{}
		}
		c.graves[p.Path] = after
	}()
	worse, err := harm(p, nil)
	for q := p; err == nil && worse != nil; p = q {
		var ids []string
		for _, f := range p.applied {
			ids = append(ids, f.Rule.ID)
		}
		slices.Sort(ids)
		for _, id := range slices.Compact(ids) {
			does, err := harm(p.keep(func(x string) bool { return x == id }), worse)
			if err != nil {
				return nil, err
			}
			if does != nil {
				q = q.without(id)
				c.noteHarm(Harm{p.Path, id, does})
			}
		}
		if len(q.applied) == len(p.applied) { // fixes of which each does no harm may do it together
			c.noteHarm(Harm{p.Path, "", worse})
			q = chooseFixes(p.Path, nil, false)
		}
		if worse, after = nil, before; len(q.applied) > 0 {
			worse, err = harm(q, nil)
		}
	}
	return p, err
}

// grave counts the errors and warnings of a file, by rule: of the rules with these IDs, or of all for none.
func (c *check) grave(path string, r io.ReaderAt, size int64, ids []string) (map[string]int, error) {
	n, d := map[string]int{}, c.judge()
	if len(ids) > 0 {
		some := *d // the run shares the driver
		some.Rules = slices.DeleteFunc(slices.Clone(d.Rules), func(r *rules.Rule) bool { return !slices.Contains(ids, r.ID) })
		d = &some
	}
	opts := c.reader
	opts.Context = c.budget
	c.collect()
	err := reader.ScanReader(path, r, size, opts, func(o *reader.Object) error {
		if err := c.budget.Err(); err != nil {
			return err
		}
		res := d.Run(o)
		defer c.budget.Release(budget.Memory, res.Memory)
		for i := range res.Findings {
			if f := &res.Findings[i]; f.Severity > rules.Note {
				n[f.Rule.ID]++
			}
		}
		for _, r := range d.Rules {
			if cut := res.Cut[r.ID]; cut > 0 && d.SeverityOf(r) > rules.Note {
				n[r.ID] += cut
			}
		}
		return nil
	})
	return n, err
}

func (c *check) noteHarm(h Harm) {
	if !slices.ContainsFunc(c.file.Harmful, func(x Harm) bool { return x.Path == h.Path && x.Rule == h.Rule && slices.Equal(x.New, h.New) }) {
		c.file.Harmful = append(c.file.Harmful, h)
	}
}

// show writes down what would be changed.
func (c *check) show() error {
	var b bytes.Buffer
	all, err := c.plans()
	if err != nil {
		return err
	}
	for _, p := range all {
		file, err := os.Open(p.Path)
		if err != nil {
			return err
		}
		err = p.Diff(&charged{c.budget, &b}, file)
		if err := errors.Join(err, file.Close()); err != nil {
			return err
		}
	}
	c.file.Diff = b.Bytes()
	return nil
}

// charged spends the memory for what is written to a buffer that grows.
type charged struct {
	budget *budget.Budget
	b      *bytes.Buffer
}

func (w *charged) Write(p []byte) (int, error) {
	if err := w.budget.Spend(budget.Memory, 2*int64(len(p))); err != nil {
		return 0, err
	}
	return w.b.Write(p)
}
