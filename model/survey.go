package model

// Trait is something that holds of at least one FDE or FRE of a section.
type Trait uint32

// Traits. A rule whose trait is absent has nothing to find and need not walk
// the section.
const (
	FirstRowLate    Trait = 1 << iota // a first row does not start at 0
	RowsUnordered                     // a row starts at or before the one in front of it
	RowBeyond                         // a row starts at or behind the end of what its FDE covers
	RowsRepeat                        // a row says the same as the one in front of it
	NoRows                            // an FDE claims no rows
	RowsMissing                       // an FDE has fewer rows than it claims
	StartsWide                        // an FRE type is wider than its rows need
	EmptyFunction                     // a function has size 0
	PaddingUsed                       // V2: sfde_func_padding2 is not zero
	DataOverlaps                      // bytes of the FRE sub-section are claimed by more than one FDE
	ManyRows                          // an FDE claims more than 60000 rows
	FunctionUnknown                   // a start is not resolved
)

// Tally counts what could be written in fewer bytes.
type Tally struct {
	Count int   // of FDEs or rows
	Bytes int64 // that could be saved
	FDE   int   // the first one
	FRE   int   // the first one, where rows are counted
}

func (t *Tally) add(u Tally) {
	if t.Count == 0 {
		t.FDE, t.FRE = u.FDE, u.FRE
	}
	t.Count += u.Count
	t.Bytes += u.Bytes
}

// Survey is what is known of all FDEs and FREs of a section together. It
// lets a rule test each distinct row once: a program of 800,000 rows has
// some hundreds of distinct ones.
type Survey struct {
	traits              Trait
	rows, firsts, lasts []FRE
	kinds               []FDE
	complete            bool
	claimedRows         uint64
	wide, repeats       Tally
	masks               []int32
	moreMasks           bool
}

// Has tells whether any of the traits holds of some FDE or FRE.
func (v *Survey) Has(t Trait) bool { return v.traits&t != 0 }

// Complete tells whether Rows, FirstRows and Kinds list all there is. They
// are cut for a section of very many distinct ones, which no program has; a
// rule then has to walk the section.
func (v *Survey) Complete() bool { return v.complete }

// Rows returns one row of each distinct content: PC type, FDE type, info
// byte and data words. They are the first of their kind, in order.
func (v *Survey) Rows() []FRE { return v.rows }

// FirstRows returns the same of the rows that open a function.
func (v *Survey) FirstRows() []FRE { return v.firsts }

// LastRows returns the same of the rows that end a function.
func (v *Survey) LastRows() []FRE { return v.lasts }

// Kinds returns one FDE of each distinct info, info2 and rep_size.
func (v *Survey) Kinds() []FDE { return v.kinds }

// ClaimedFREs returns the sum of the FDEs' own counts of rows.
func (v *Survey) ClaimedFREs() uint64 { return v.claimedRows }

// WideStarts counts the FDEs whose FRE type is wider than the starts of
// their rows need.
func (v *Survey) WideStarts() Tally { return v.wide }

// Repeats counts the rows that say the same as the one in front of them.
func (v *Survey) Repeats() Tally { return v.repeats }

// AnyRow tells whether some row of the section may satisfy bad, which must
// look at nothing but the row's content. True for a survey that is not
// complete.
func (v *Survey) AnyRow(bad func(FRE) bool) bool { return anyOf(v.complete, v.rows, bad) }

// AnyFirstRow is AnyRow for the rows that open a function.
func (v *Survey) AnyFirstRow(bad func(FRE) bool) bool { return anyOf(v.complete, v.firsts, bad) }

// AnyLastRow is AnyRow for the rows that end a function.
func (v *Survey) AnyLastRow(bad func(FRE) bool) bool { return anyOf(v.complete, v.lasts, bad) }

// AnyKind tells whether some FDE may satisfy bad, which must look at nothing
// but info, info2 and rep_size.
func (v *Survey) AnyKind(bad func(FDE) bool) bool { return anyOf(v.complete, v.kinds, bad) }

func anyOf[T any](complete bool, all []T, bad func(T) bool) bool {
	if !complete {
		return true
	}
	for _, x := range all {
		if bad(x) {
			return true
		}
	}
	return false
}

// EachMask yields the FDEs of PC type MASK. A program has few, which the
// survey lists.
func (s *Section) EachMask(yield func(FDE)) {
	if !s.survey.moreMasks {
		for _, i := range s.survey.masks {
			yield(s.FDE(int(i)))
		}
		return
	}
	for i := range s.NumFDEs() {
		if f := s.FDE(i); f.hasAttr && f.PCType() == SFRAME_FDE_PCTYPE_MASK {
			yield(f)
		}
	}
}
