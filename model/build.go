package model

import "math"

// Parts is what a reader has found out about a section's bytes.
type Parts struct {
	Header    Header
	BigEndian bool
	Addr      uint64 // virtual address, 0 for none
	// Data are the section's bytes. The section keeps them: they must not
	// change as long as it is in use.
	Data []byte
	// Starts are the functions' starts where the fields are not enough,
	// else nil.
	Starts []Start
	// Rows are the numbers of rows that can be decoded, FDE by FDE; nil
	// where all that is claimed can be.
	Rows []uint32
	// Ordered and Disjoint are what StartsAscend and Disjoint return.
	Ordered, Disjoint bool
	// NumFREs and ClaimedFREs are what the methods of these names return.
	NumFREs, ClaimedFREs uint64
	// Runs are the bytes of the FDEs' attributes and FREs, from the start of
	// the FRE sub-section, sorted by offset. Adjacent ones may be joined.
	Runs []Span
}

// New makes a section of its parts. The parts must be right: of every FDE,
// the rows counted must lie in the FRE sub-section and in Data.
func New(p Parts) *Section {
	s := &Section{
		header: p.Header, abi: lookupABI(p.Header.ABI), format: p.Header.Version.info(), big: p.BigEndian, addr: p.Addr,
		data: p.Data, starts: p.Starts, rows: p.Rows,
	}
	s.counts.ordered, s.counts.disjoint = p.Ordered, p.Ordered && p.Disjoint
	s.fdes = s.region(s.FDESubsection())
	s.fres = s.region(s.FRESubsection())
	if n := s.format.FDESize; n > 0 {
		s.counts.numFDEs = len(s.fdes.b) / n
	}
	s.counts.numFREs, s.counts.claimedFREs = int(min(p.NumFREs, math.MaxInt)), p.ClaimedFREs
	s.gaps = findGaps(s, p.Runs)
	return s
}
