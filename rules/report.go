package rules

import (
	"cmp"
	"fmt"
	"reflect"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/model"
)

// Report is the result of a rule's analyzer. It is shared, so callers must not change it.
type Report struct {
	Found    []Finding
	Cut      int // number of findings beyond the limit
	Withheld [numWithheld]int
	HeldBack []HeldBack
}

// Withheld is a reason why a rule does not report that machine code contradicts an FRE.
type Withheld uint8

const (
	Elsewhere Withheld = iota // another rule reports the fault
	Excused                   // the function may have another entry, or its CFI does not describe an ordinary frame

	numWithheld
)

// HeldBack says that a rule did not check a section, with the reason.
type HeldBack struct {
	Rule string
	Absence
	Section      string // its name, "" in a raw section
	SectionIndex int
}

func (r *Report) full(l *Limits) bool {
	limit := cmp.Or(l.Findings, budget.DefaultFindings)
	return limit >= 0 && len(r.Found) >= limit
}

// add adds a finding within the limits. When work must end, what it rests on may be cut, and the finding is dropped.
func (r *Report) add(f Finding, l *Limits, free bool) {
	if l.account != nil && l.account.budget.Err() != nil {
		return
	}
	if r.full(l) || !free && !l.account.pay(&f) {
		r.Cut++
		return
	}
	r.Found = append(r.Found, f)
}

// account is what the findings of an object take from the budget of its memory. A nil
// account has no bounds.
type account struct {
	budget   *budget.Budget
	spent    int64             // bytes
	messages map[string]string // some of those that there are; nil for none
	bytes    *byte             // of the last edit: many findings of a rule may share a fix
}

// mostMessages bounds the messages that are compared with new ones.
const mostMessages = 1024

// About the bytes of a finding in memory, besides its message and the new bytes of its fixes.
// For a while it is in two lists: a list that grows is copied into one of a quarter more.
var (
	findingCost    = int64(9 * reflect.TypeFor[Finding]().Size() / 4)
	fixCost        = int64(reflect.TypeFor[Fix]().Size())
	editCost       = int64(reflect.TypeFor[Edit]().Size())
	frameCost      = int64(reflect.TypeFor[Frame]().Size() + 3*reflect.TypeFor[Side]().Size())
	placeCost      = int64(reflect.TypeFor[Addr]().Size())
	proofCost      = int64(reflect.TypeFor[string]().Size())
	correctionCost = int64(2 * reflect.TypeFor[Directive]().Size())
)

// pay spends the memory of a finding, and reports whether there is enough. Equal
// messages are held once.
func (a *account) pay(f *Finding) bool {
	if a == nil {
		return true
	}
	n := findingCost
	if m, ok := a.messages[f.Message]; ok {
		f.Message = m
	} else {
		n += int64(len(f.Message))
	}
	for _, m := range f.Directives() {
		n += correctionCost + int64(len(m.Text))
	}
	if f.Help != f.Rule.Remedy() {
		n += int64(len(f.Help))
	}
	if f.At != nil {
		n += placeCost
	}
	if f.Frame != nil {
		n += frameCost
		for _, p := range f.Frame.Proof {
			n += proofCost + int64(len(p))
		}
	}
	for _, x := range f.Fixes {
		n += fixCost
		for _, e := range x.Edits {
			n += editCost
			if len(e.New) > 0 && &e.New[0] != a.bytes {
				n += int64(len(e.New))
			}
		}
	}
	spent, err := a.budget.Keep(n)
	if err != nil {
		return false
	}
	a.spent += spent
	for _, x := range f.Fixes {
		for _, e := range x.Edits {
			if len(e.New) > 0 {
				a.bytes = &e.New[0]
			}
		}
	}
	if a.messages == nil {
		a.messages = map[string]string{}
	}
	if len(a.messages) < mostMessages {
		a.messages[f.Message] = f.Message
	}
	return true
}

// locate adds the function and the PC to a finding.
func (k *Facts) locate(f *Finding) {
	if k.sf == nil || k.sf.Section == nil || f.FDE < 0 || f.FDE >= k.sf.Section.NumFDEs() {
		return
	}
	fde := k.sf.Section.FDE(f.FDE)
	if !fde.Resolved() {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	f.PC, f.HasPC, f.Place = fde.Start(), true, uint32(fde.Place())
	if f.FRE >= 0 && f.FRE < fde.NumFREs() {
		f.PC += uint64(k.row(fde, f.FRE).Start())
	}
	e := k.obj.ELF
	if e == nil {
		return
	}
	if sym, ok := e.Symbols.Func(fde.Place(), fde.Start()); ok {
		f.Function = sym.Name
	}
	k.place(f)
}

// label names an FDE of the section in a message: by its number, and its function or the section that
// that is in.
func (c *Context) label(fde int) string {
	f := Finding{FDE: fde, FRE: -1}
	c.facts.locate(&f)
	switch {
	case f.Function != "":
		return fmt.Sprintf("FDE %d \"%s\"", fde, escape.Cut(f.Function, escape.MaxName))
	case f.At != nil:
		return fmt.Sprintf("FDE %d (%s)", fde, f.Address())
	}
	return FDE(fde).String()
}

// name is place for callers that do not hold the lock.
func (k *Facts) name(f *Finding) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.place(f)
}

// place adds the section that the PC of a finding is in, if no function has a name.
func (k *Facts) place(f *Finding) {
	if f.Function != "" {
		return
	}
	place := -1
	e := k.obj.ELF
	if e.Relocatable() {
		place = int(f.Place)
	}
	i, _, ok := e.Within(place, f.PC)
	if !ok {
		return
	}
	if k.at == nil || k.section != i { // findings have the order of their FDEs, so that one place is mostly enough
		k.at, k.section = &Addr{Section: escape.Cut(e.Sections[i].Name, escape.MaxName)}, i
		if !e.Relocatable() {
			k.at.Addr = e.Sections[i].Addr
		}
	}
	f.At = k.at
}

// row returns a row of an FDE. Rules report rows in their order, so that the
// next one is mostly found from the last one and not from the first.
func (k *Facts) row(fde model.FDE, j int) model.FRE {
	r := k.last
	if !k.walked || r.FDEIndex() != fde.Index() || r.Index() > j {
		r = fde.FRE(0)
	}
	for ok := true; ok && r.Index() < j; {
		r, ok = r.Next()
	}
	k.last, k.walked = r, true
	return r
}
