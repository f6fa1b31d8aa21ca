package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/tool/execute"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/scripts/internal/harness"
	"github.com/sframe-lint/sframe-lint/scripts/internal/page"
	"github.com/sframe-lint/sframe-lint/unwind"
)

// complaint is a row that contradicts the truth, however rows are counted.
type complaint struct {
	pc   uint64
	what string
}

// witness is the truth of a file, and what it says of the file itself.
type witness struct {
	truth *execute.FileTruth
	pcs   []uint64        // of the instructions that were executed
	facts []*execute.Fact // of each
	base  map[complaint]bool
}

// judgeAll makes mutants of the files, judges them by truth files, and prints the tables.
func judgeAll(files []string, truths string, o *flags) error {
	var all []*execute.Truth
	for path := range strings.SplitSeq(truths, ",") {
		t, err := execute.ReadTruthFile(path, nil)
		if err != nil {
			return err
		}
		all = append(all, t)
	}
	t := &harness.Table{Columns: append(harness.Plain("mutants", "equivalent", "not reached", "no row", "true"),
		harness.Column{Name: "named", Text: func(c harness.Counts) string { return fmt.Sprint(c[harness.Found]) }},
		harness.Column{Name: harness.Astray}, harness.Column{Name: harness.Silent},
		harness.Column{Name: "named, of those reached", Text: func(c harness.Counts) string {
			return fmt.Sprintf("%.1f%%", 100*float64(c[harness.Found])/float64(max(1, c[harness.Found]+c[harness.Astray]+c[harness.Silent])))
		}})}
	for _, path := range files {
		in, err := load(path)
		if err != nil {
			return err
		}
		w, err := in.witness(all)
		if err != nil {
			return err
		}
		t.File(in.ABIName(), fmt.Sprintf("%s (%d instructions)", brief(path), len(w.pcs)))
		err = in.each(o, func(m *mutant) error {
			w.check(in, m, t.Cell(in.ABIName(), m.kind.name), o)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return page.Write(o.Page, "executed", executedTables(t, o))
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
func (w *witness) check(in *input, m *mutant, c harness.Counts, o *flags) {
	c["mutants"]++
	if in.Equal(m.Section, m.Touched) {
		c["equivalent"]++
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
	got := harness.Silent
	for x := range w.complaints(m.Section) {
		switch {
		case w.base[x]:
		case m.Touched.Contains(x.pc):
			got = harness.Found
		case got == harness.Silent:
			got = harness.Astray
		}
	}
	switch {
	case got == harness.Found:
	case !reached && rowless:
		got = "no row"
	case !reached:
		got = "not reached"
	case right:
		got = "true"
	case o.Verbose:
		in.report(m, both, got, nil)
	}
	c[got]++
}

// executes returns what a tracer recovers at an instruction, and its row. Only what is signed by
// the intact file's row has a signature.
func (in *input) executes(s *model.Section, pc uint64) (harness.Step, *model.FRE) {
	p := harness.Program{ABI: in.ABI, Section: s, Real: true, Unsigned: !in.signs(pc)}
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

func executedTables(t *harness.Table, o *flags) []byte {
	b := bytes.NewBufferString(seedText(o) + "\n\n")
	t.Sums(b, "ABI")
	for _, abi := range t.Groups {
		fmt.Fprintf(b, "\n%s: %s.\n", abi, t.Files(abi))
	}
	fmt.Fprintf(b, "\nKinds of which not all are named:\n\n")
	t.Head(b, "fault")
	for _, k := range names(o) {
		if c := t.Sum("", k); c[harness.Silent]+c[harness.Astray] > 0 {
			t.Row(b, k, c)
		}
	}
	return b.Bytes()
}
