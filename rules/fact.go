package rules

import (
	"fmt"
	"math/bits"
	"reflect"
	"sync"
	"sync/atomic"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

// Fact is something that must be known about a section before a rule can judge it. [Rule.Needs] names the facts; the
// driver holds a rule back if one is unknown. A fact implies the facts that it depends on.
type Fact uint32

const (
	// HeaderKnown: the section has a header. Every rule with scope PerSection needs this. SF1001 and SF1002 report a
	// missing header.
	HeaderKnown Fact = 1 << iota
	// VersionKnown: sfp_version is a version of the format. Rules for certain versions need this. SF1003 reports
	// other values.
	VersionKnown
	// FDEsKnown: the header points to FDEs. SF1010 to SF1014 and SF1016 report contradictions.
	FDEsKnown
	// FREsKnown: the FDEs point to FREs and, in version 3, to attributes. SF1010, SF1013, SF1014 and SF1016 report
	// contradictions.
	FREsKnown
	// AttributesKnown: the attributes of the FDEs are known. Versions 1 and 2 have them in the FDEs, version 3 in the
	// FRE sub-section.
	AttributesKnown
	// AllFDEsKnown: the header's counts and sizes include all FDEs. SF1010 to SF1014 and SF1016 report
	// contradictions.
	AllFDEsKnown
	// ABIKnown: sfh_abi_arch identifies an ABI of the version, and the byte order, the fixed offsets and the ELF
	// header agree. Rules for certain ABIs need this. SF1006 to SF1008 and SF5007 report contradictions.
	ABIKnown
	// RAKnown: the header's fixed RA offset is that of the ABI; it decides whether FREs have a data word for RA.
	// SF1008 reports other values.
	RAKnown
	// FPKnown: the header's fixed FP offset is that of the ABI. SF1009 and SF1023 report other values.
	FPKnown
	// RelocationsKnown: the file's relocations could be read. SF5028 reports unreadable ones.
	RelocationsKnown
	// StartsKnown: in a relocatable file, each start field has exactly one usable relocation. SF5016 to SF5023 report
	// other cases.
	StartsKnown
	// StartsAsFlagged: the start fields agree with the PCREL flag. SF2015 and SF6006 report contradictions.
	StartsAsFlagged
	// SymbolsReadable: the symbol tables are within [Limits]. A rule calls [Context.Has] before it looks up a symbol.
	SymbolsReadable
	// CodeReadable: the machine code is within [Limits]. A rule calls [Context.Has] before it reads code.
	CodeReadable
	// CFIReadable: .eh_frame and .debug_frame are within [Limits]. A rule calls [Context.Has] before it reads them.
	CFIReadable
	// SingleSection: the bytes contain only one SFrame section. No rule needs this: rules check the first section,
	// and those on FDEs or FREs skip the others. SF1019 reports the others.
	SingleSection
	// AsDefined: the section follows the format as defined, not a known misreading of it. SF6027 reports misreadings.
	AsDefined

	numFacts = iota
	limited  = SymbolsReadable | CodeReadable | CFIReadable
)

var factNames = [numFacts]string{
	"header", "version", "FDEs", "FREs", "FDE attributes", "number of FDEs", "ABI", "place of RA", "place of FP",
	"relocations", "function starts", "PCREL flag", "symbols", "machine code", "CFI", "single section", "reading of the format",
}

// String returns the name of the fact in reports.
func (f Fact) String() string { return factNames[f.index()] }

// index returns the place of a fact among all facts.
func (f Fact) index() int { return bits.TrailingZeros32(uint32(f)) }

// ParseFact returns the fact with this name. It reports false for an unknown name.
func ParseFact(name string) (f Fact, ok bool) {
	for i, n := range factNames {
		if n == name {
			return 1 << i, true
		}
	}
	return 0, false
}

// Limited reports whether a fact may be unknown because of a limit of the run.
func (f Fact) Limited() bool { return f&limited != 0 }

// Absence is an unknown fact with the reason. As an [Option], it says that the finding refutes the fact.
type Absence struct {
	Fact   Fact
	Reason string   // a clause: "version 7 is unknown"
	Causes []string // IDs of the rules that report the reason
	// Limit says that the reason is a limit of the run, not a fault of the input. Chosen says that the user has set
	// this limit.
	Limit, Chosen bool
	// Part says that the rule checked a part of the section.
	Part bool
}

// absent returns the absence of a fact for a reason that rules report.
func (f Fact) absent(reason string, causes ...string) *Absence {
	return &Absence{Fact: f, Reason: reason, Causes: causes}
}

// Facts are the facts of a section. Each is established on first use. Facts are safe for concurrent use.
type Facts struct {
	pass *analysis.Pass
	obj  *reader.Object
	sf   *reader.SFrame

	known  atomic.Uint32 // a bit for each fact that was found to be known
	within atomic.Uint32 // the same of limits
	mu     sync.Mutex    // guards what follows
	asked  Fact
	no     [numFacts]*Absence

	whole  bool      // all facts but limits are known, and rules that do not apply are left out
	last   model.FRE // that a finding was about
	walked bool      // there is one

	assumed bool // as Driver.Assume

	judged *Judged // by CodeProofs, nil if it has not run

	at      *Addr // of the last finding without a function's name
	section int   // its index
}

// enter prepares the facts of another section.
func (k *Facts) enter(obj *reader.Object, sf *reader.SFrame) {
	k.obj, k.sf = obj, sf
	k.known.Store(0)
	k.within.Store(0)
	k.asked, k.no = 0, [numFacts]*Absence{}
	k.walked, k.last, k.whole, k.at, k.judged = false, model.FRE{}, false, nil, nil
}

// refute records that a fact is missing.
func (k *Facts) refute(a *Absence) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.asked, k.no[a.Fact.index()], k.whole = k.asked|a.Fact, a, false
	k.known.And(^uint32(a.Fact))
}

// Known gives a rule the [*Facts] of its section.
var Known = &analysis.Analyzer{
	Name:       "known",
	Doc:        "what is known of the section that is checked",
	Requires:   []*analysis.Analyzer{Container, Contents, prereq.LayoutOf, prereq.Misread, prereq.TailOf, prereq.ByStart},
	ResultType: reflect.TypeFor[*Facts](),
	Run:        func(pass *analysis.Pass) (any, error) { return factsOf(pass), nil },
}

func factsOf(pass *analysis.Pass) *Facts {
	obj, sf := prereq.Input(pass)
	return &Facts{pass: pass, obj: obj, sf: sf}
}

// Missing returns the reason why the first unknown one of some facts is unknown, or nil if all are known.
func (k *Facts) Missing(facts Fact) *Absence {
	if k.has(facts) {
		return nil
	}
	return k.ask(facts)
}

func (k *Facts) has(facts Fact) bool { return Fact(k.known.Load())&facts == facts }

func (k *Facts) ask(facts Fact) *Absence {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.missing(facts)
}

func (k *Facts) missing(facts Fact) *Absence {
	for ; !k.has(facts); facts &= facts - 1 {
		f := facts & -facts
		if i := f.index(); k.asked&f == 0 {
			k.no[i] = k.find(f)
			if k.asked |= f; k.no[i] == nil {
				k.known.Or(uint32(f))
			}
		}
		if a := k.no[f.index()]; a != nil {
			return a
		}
	}
	return nil
}

func (k *Facts) find(f Fact) *Absence {
	switch f {
	case HeaderKnown:
		if k.sf == nil || k.sf.Section == nil {
			return f.absent("the section has no header that can be read", "SF1001", "SF1002")
		}
		return nil
	}
	if k.assumed {
		return nil
	}
	switch f {
	case VersionKnown, ABIKnown, RAKnown, FPKnown:
		return k.header(f)
	case FDEsKnown, FREsKnown, AttributesKnown, AllFDEsKnown:
		return k.layout(f)
	case RelocationsKnown, StartsKnown:
		return k.starts(f)
	case SingleSection:
		if a := k.missing(FDEsKnown); a != nil {
			return a
		}
		if n := len(k.tail().Pieces); n > 0 {
			return f.absent("rules check only the first of "+Count(n+1, "concatenated section"), "SF1019")
		}
	case StartsAsFlagged:
		if a := k.missing(FDEsKnown); a != nil {
			return a
		}
		if prereq.Get[bool](k.pass, prereq.Misread) {
			return f.absent("the start fields contradict the PCREL flag", "SF2015")
		}
	}
	return nil
}

// header finds out the facts that header and ELF header give.
func (k *Facts) header(f Fact) *Absence {
	if a := k.missing(HeaderKnown); a != nil {
		return a
	}
	s := k.sf.Section
	h, abi := s.Header(), s.ABI()
	if f == VersionKnown {
		if !s.Version().Known() {
			return f.absent(fmt.Sprintf("version %d is unknown", uint8(s.Version())), "SF1003")
		}
		return nil
	}
	if a := k.missing(VersionKnown); a != nil {
		return a
	}
	if a := k.missing(ABIKnown &^ f); a != nil {
		return a
	}
	e := k.obj.ELF
	switch {
	case f == RAKnown && h.FixedRAOffset != abi.FixedRA:
		return f.absent(fmt.Sprintf("the fixed RA offset %d is wrong for %s", h.FixedRAOffset, abi.Name), "SF1008")
	case f == FPKnown && h.FixedFPOffset != abi.FixedFP:
		return f.absent(fmt.Sprintf("the fixed FP offset %d is wrong for %s", h.FixedFPOffset, abi.Name), "SF1009", "SF1023")
	case f != ABIKnown:
		return nil
	case !abi.InVersion(s.Version()):
		return f.absent(fmt.Sprintf("%v has no ABI %d", s.Version(), uint8(h.ABI)), "SF1006")
	case e != nil && e.Machine != abi.Machine:
		return f.absent(fmt.Sprintf("the ABI is %s, but the ELF header says %v", abi.Name, e.Machine), "SF5007")
	case e == nil && h.FixedRAOffset != abi.FixedRA && ofAnother(h, s.BigEndian()):
		return f.absent(fmt.Sprintf("the fixed RA offset %d belongs to another ABI than %s", h.FixedRAOffset, abi.Name), "SF1008")
	case abi.Big != s.BigEndian() && e == nil && !model.LookupMachine(abi.Machine, !abi.Big).Known():
		return f.absent(fmt.Sprintf("the byte order is wrong for %s", abi.Name), "SF1007")
	}
	return nil
}

// ofAnother reports whether an ABI of the byte order has the fixed offsets of a
// header.
func ofAnother(h model.Header, big bool) bool {
	for _, a := range model.ABIs() {
		if a.Big == big && a.FixedRA == h.FixedRAOffset && a.FixedFP == h.FixedFPOffset {
			return true
		}
	}
	return false
}

// layout finds out the facts that the places of FDEs and FREs give.
func (k *Facts) layout(f Fact) *Absence {
	if a := k.missing(VersionKnown); a != nil {
		return a
	}
	l := prereq.Get[prereq.Layout](k.pass, prereq.LayoutOf)
	d := l.FDEs
	switch {
	case f == AllFDEsKnown:
		d = l.All
	case f == FREsKnown, f == AttributesKnown && k.sf.Section.Version().Info().AttrSize > 0:
		d = l.FREs
	}
	if d == nil {
		return nil
	}
	return f.absent(d.Reason, d.Causes...)
}

// starts finds out the facts that a relocatable file's relocations give.
func (k *Facts) starts(f Fact) *Absence {
	if k.obj.Foreign != "" && k.sf.Survey().Has(model.FunctionUnknown) {
		return f.absent("the relocations of "+k.obj.Foreign+" are not read", "SF5034")
	}
	if k.obj.ELF == nil || !k.obj.ELF.Relocatable() {
		return nil
	}
	if f == RelocationsKnown {
		for _, x := range k.obj.Faults {
			if x.Code == reader.RelocsDamaged {
				return f.absent("the relocations can't be read", "SF5028")
			}
		}
		return nil
	}
	if a := k.missing(FDEsKnown | RelocationsKnown); a != nil {
		return a
	}
	causes := k.irregular()
	if causes == nil {
		return nil
	}
	return f.absent("the relocations do not give each FDE one start", causes...)
}

// irregular returns the rules that report why the relocations do not give each FDE
// one start, nil if they do. Relocations without effect change nothing.
func (k *Facts) irregular() []string {
	relocs, fdes := k.sf.Relocs, k.sf.Section.NumFDEs()
	if k.sf.Survey().Has(model.FunctionUnknown) {
		return []string{"SF5016", "SF5020", "SF5022", "SF5023"}
	}
	if len(relocs) == fdes {
		return nil
	}
	abi, dead := k.obj.ELF.ABI(), 0
	for i := range relocs {
		if abi.NoEffect(relocs[i].Type) {
			dead++
		}
	}
	if len(relocs)-dead == fdes+k.tail().Starts(relocs) {
		return nil
	}
	return []string{"SF5017", "SF5018", "SF5022"}
}

func (k *Facts) tail() prereq.Tail { return prereq.Get[prereq.Tail](k.pass, prereq.TailOf) }

// overLimit returns why what an object has of something is too large for a limit; nil:
// it is not.
func (k *Facts) overLimit(f Fact, what string, limit int64, b *Limits, sections func(*reader.ELF) []int) *Absence {
	if limit < 0 || k.obj.ELF == nil || k.within.Load()&uint32(f) != 0 {
		return nil
	}
	sum := bytesOf(k.obj, sections(k.obj.ELF))
	if sum <= limit {
		k.within.Or(uint32(f))
		return nil
	}
	return b.limitAbsence(f, fmt.Sprintf("the file has %d bytes of %s, more than the limit of %d", sum, what, limit))
}

// limitAbsence returns that a limit is the reason why a fact is not known.
func (b *Limits) limitAbsence(f Fact, reason string) *Absence {
	return &Absence{Fact: f, Reason: reason, Limit: true, Chosen: b.Chosen&f != 0}
}

// bytesOf returns the bytes that an object has in some of its sections: those that the file
// lacks do not count, and sections that share bytes have no more than the file.
func bytesOf(o *reader.Object, sections []int) (sum int64) {
	for _, i := range sections {
		s, size := &o.ELF.Sections[i], uint64(o.Size)
		sum += int64(min(s.Size, size-min(s.Offset, size)))
		sum = min(sum, o.Size)
	}
	return sum
}
