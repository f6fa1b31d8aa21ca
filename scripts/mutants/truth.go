package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/execute"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/scripts/internal/page"
	"github.com/sframe-lint/sframe-lint/scripts/internal/subject"
	"github.com/sframe-lint/sframe-lint/unwind"
)

// executed counts mutants of files of which executions are recorded.
type executed struct {
	mutants, equivalent int
	unreached           int // no instruction was executed at which the fault changes a row
	rowless             int // at those that were, the mutant has no row
	right               int // at those that were, the changed row always leads to the true caller
	verdicts            [found + 1]int
}

func (c *executed) add(d *executed) {
	c.mutants += d.mutants
	c.equivalent += d.equivalent
	c.unreached += d.unreached
	c.rowless += d.rowless
	c.right += d.right
	for i := range c.verdicts {
		c.verdicts[i] += d.verdicts[i]
	}
}

// complaint is a row that contradicts the truth, however rows are counted.
type complaint struct {
	pc   uint64
	what string
}

// witness is the truth of a file, and what it says of the file itself.
type witness struct {
	truth *execute.TruthFile
	pcs   []uint64        // of the instructions that were executed
	facts []*execute.Fact // of each
	base  map[complaint]bool
}

// judgeAll makes mutants of the files, judges them by truth files, and prints the tables.
func judgeAll(files []string, truths string, o *options) error {
	var all []*execute.Truth
	for path := range strings.SplitSeq(truths, ",") {
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		t, err := execute.ReadTruth(bytes.NewReader(b), int64(len(b)), nil)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, t)
	}
	var t sheet[executed]
	for _, path := range files {
		in, err := load(path)
		if err != nil {
			return err
		}
		w, err := in.witness(all)
		if err != nil {
			return err
		}
		t.file(in, fmt.Sprintf("%s (%d instructions)", brief(path), len(w.pcs)))
		err = in.each(o, func(m *mutant) error {
			w.check(in, m, t.cell(in.ABIName(), m.kind.name), o)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return page.Write(o.page, truthTable, executedTables(&t, o))
}

// witness returns the truth of a file.
func (in *input) witness(all []*execute.Truth) (*witness, error) {
	w := &witness{}
	err := in.Scan(in.Data, func(o *reader.Object) error {
		id, code := execute.Identify(o)
		for _, t := range all {
			if x := t.File(id, code); x != nil {
				w.truth = x
			}
		}
		return nil
	})
	if err == nil && w.truth == nil {
		err = errors.New("no truth file has it")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.Path, err)
	}
	for _, run := range w.truth.Runs {
		at := run[0]
		for _, n := range run[2:] {
			w.pcs = append(w.pcs, at)
			w.facts = append(w.facts, &w.truth.Facts[run[1]])
			at += n
		}
	}
	w.base = w.complaints(in.Base)
	return w, nil
}

func (w *witness) complaints(s *model.Section) map[complaint]bool {
	all := map[complaint]bool{}
	for _, x := range w.truth.Judge(s).Wrong {
		all[complaint{x.PC, x.What}] = true
	}
	return all
}

// check judges a mutant by the truth.
func (w *witness) check(in *input, m *mutant, c *executed, o *options) {
	c.mutants++
	if in.Equal(m.Section, m.Touched) {
		c.equivalent++
		return
	}
	reached, rowless, right := false, false, true
	for i, pc := range w.pcs {
		if !m.Touched.Contains(pc) {
			continue
		}
		now, row := in.executes(m.Section, pc)
		if was, _ := in.executes(in.Base, pc); now == was {
			continue
		}
		none := now.Reason == unwind.NoFDE || now.Reason == unwind.NoFRE
		reached = reached || !none
		rowless = rowless || none
		right = right && row != nil && (row.MangledRA() || !in.signs(pc)) && holds(in.ABI, row, w.facts[i])
	}
	got := silent
	for x := range w.complaints(m.Section) {
		switch {
		case w.base[x]:
		case m.Touched.Contains(x.pc):
			got = found
		default:
			got = max(got, astray)
		}
	}
	switch {
	case !reached && rowless && got != found:
		c.rowless++
		return
	case !reached && got != found:
		c.unreached++
		return
	case right && got != found:
		c.right++
		return
	}
	c.verdicts[got]++
	if got != found && o.verbose {
		in.report(m, both, got, nil)
	}
}

// executes returns what a tracer recovers at an instruction, and its row. Only what is signed by
// the intact file's row has a signature.
func (in *input) executes(s *model.Section, pc uint64) (subject.Step, *model.FRE) {
	p := subject.Program{ABI: in.ABI, Section: s, Real: true, Unsigned: !in.signs(pc)}
	got := p.Recover(pc)
	if fde, ok := s.Find(pc); ok {
		if row, ok := fde.At(pc - fde.Start()); ok {
			return got, &row
		}
	}
	return got, nil
}

// signs reports whether the return address is signed at an instruction.
func (in *input) signs(pc uint64) bool {
	fde, ok := in.Base.Find(pc)
	if !ok {
		return false
	}
	row, ok := fde.At(pc - fde.Start())
	return ok && row.MangledRA()
}

// holds reports whether a row led to the true caller at each visit.
func holds(abi model.ABIInfo, fre *model.FRE, f *execute.Fact) bool {
	row := fre.Row()
	if row.Outermost() || fre.FDE().Signal() || row.CFA.Kind != model.InRegister {
		return false
	}
	pair := [2]int64{int64(row.CFA.Reg), row.CFA.Offset}
	if row.CFA.Deref && !slices.Contains(f.Mem, pair) || !row.CFA.Deref && !slices.Contains(f.CFA, pair) {
		return false
	}
	place := func(r model.Recovery, own uint32, regs, slots []int64) bool {
		switch {
		case r.Kind == model.Unchanged:
			return slices.Contains(regs, int64(own))
		case r.Kind == model.InRegister && !r.Deref:
			return r.Offset == 0 && slices.Contains(regs, int64(r.Reg))
		case r.Kind == model.FromCFA && r.Deref:
			return slices.Contains(slots, r.Offset)
		}
		for _, c := range f.CFA {
			if r.Kind == model.InRegister && c[0] == int64(r.Reg) {
				return slices.Contains(slots, r.Offset-c[1])
			}
		}
		return false
	}
	return place(row.RA, abi.RA, f.RA, f.RASlots) && place(row.FP, abi.FP, f.FP, f.FPSlots)
}

const executedHead = "| %s | mutants | equivalent | not reached | no row | true | named | wrong function | silent | named, of those reached |\n|---|---|---|---|---|---|---|---|---|---|\n"

func executedTables(t *sheet[executed], o *options) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "Seed %d, up to %d mutants of each kind for each file.\n\n", o.seed, o.count)
	fmt.Fprintf(&b, executedHead, "ABI")
	all, kinds := executed{}, map[string]*executed{}
	for _, abi := range t.abis {
		sum := executed{}
		for k, c := range t.cells[abi] {
			sum.add(c)
			if kinds[k] == nil {
				kinds[k] = &executed{}
			}
			kinds[k].add(c)
		}
		sum.print(&b, abi)
		all.add(&sum)
	}
	all.print(&b, "all")
	for _, abi := range t.abis {
		fmt.Fprintf(&b, "\n%s: %s.\n", abi, strings.Join(t.files[abi], ", "))
	}
	fmt.Fprintf(&b, "\nKinds of which not all are named:\n\n")
	fmt.Fprintf(&b, executedHead, "fault")
	for i := range o.kinds {
		if c := kinds[o.kinds[i].name]; c != nil && c.verdicts[silent]+c.verdicts[astray] > 0 {
			c.print(&b, o.kinds[i].name)
		}
	}
	return b.Bytes()
}

func (c *executed) print(b *bytes.Buffer, name string) {
	n := c.verdicts[silent] + c.verdicts[astray] + c.verdicts[found]
	fmt.Fprintf(b, "| %s | %d | %d | %d | %d | %d | %d | %d | %d | %.1f%% |\n", name, c.mutants, c.equivalent, c.unreached, c.rowless, c.right,
		c.verdicts[found], c.verdicts[astray], c.verdicts[silent], 100*float64(c.verdicts[found])/float64(max(n, 1)))
}
