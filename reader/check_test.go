package reader

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit"
	"github.com/sframe-lint/sframe-lint/model"
)

// refRow and refFDE are what the reference decoder below makes of a section.
type refRow struct {
	start uint32
	info  uint8
	words []int32
	at    int64
	size  int64
}

type refFDE struct {
	start   uint64
	size    uint32
	freOff  uint32
	claimed uint32
	info    uint8
	info2   uint8
	rep     uint8
	padding uint16
	attr    bool
	rows    []refRow
	whole   bool // all rows claimed are there
}

// refSection decodes a section in the plainest way, straight from the
// specification, to hold the real decoder against.
type refSection struct {
	b    []byte
	o    binary.ByteOrder
	fres []byte
	at   int64 // of the FRE sub-section
	fdes []refFDE
	// spent are the bytes of rows decoded, shared ones as often as shared.
	spent int64
}

// headerSize is the bytes of the header in versions 1 to 3.
const headerSize = 28

// TestReferenceKnowsTheTable: the reference decoder reads an FDE of each version.
func TestReferenceKnowsTheTable(t *testing.T) {
	for _, v := range model.Versions(func(model.VersionInfo) bool { return true }) {
		section := make([]byte, headerSize+model.FDESize(v))
		section[0], section[1], section[2], section[8] = 0xe2, 0xde, byte(v), 1
		require.Len(t, refDecode(section, 0).fdes, 1, "%v", v)
	}
}

func refDecode(b []byte, addr uint64) *refSection {
	if len(b) < headerSize {
		return nil
	}
	r := &refSection{b: b}
	switch {
	case b[0] == 0xe2 && b[1] == 0xde:
		r.o = binary.LittleEndian
	case b[0] == 0xde && b[1] == 0xe2:
		r.o = binary.BigEndian
	default:
		return nil
	}
	entry := map[uint8]int64{1: 17, 2: 20, 3: 16}[b[2]]
	if entry == 0 {
		return r
	}
	size, end := int64(len(b)), int64(28)+int64(b[7])
	fdeAt := min(end+int64(r.o.Uint32(b[20:])), size)
	r.at = min(end+int64(r.o.Uint32(b[24:])), size)
	r.fres = b[r.at:min(r.at+int64(r.o.Uint32(b[16:])), size)]
	for i := range int64(r.o.Uint32(b[8:])) {
		at := fdeAt + i*entry
		if at+entry > size {
			break
		}
		r.fdes = append(r.fdes, r.fde(b[at:at+entry], at, addr))
	}
	return r
}

func (r *refSection) fde(e []byte, at int64, addr uint64) refFDE {
	f := refFDE{attr: true, whole: true}
	raw := int64(0)
	rows := int64(0)
	if r.b[2] == 3 {
		raw = int64(r.o.Uint64(e))
		f.size, f.freOff = r.o.Uint32(e[8:]), r.o.Uint32(e[12:])
		rows = int64(f.freOff) + 5
		if rows > int64(len(r.fres)) {
			f.attr, f.whole = false, false
		} else {
			a := r.fres[f.freOff:]
			f.claimed, f.info, f.info2, f.rep = uint32(r.o.Uint16(a)), a[2], a[3], a[4]
		}
	} else {
		raw = int64(int32(r.o.Uint32(e)))
		f.size, f.freOff, f.claimed, f.info = r.o.Uint32(e[4:]), r.o.Uint32(e[8:]), r.o.Uint32(e[12:]), e[16]
		rows = int64(f.freOff)
		if r.b[2] == 2 {
			f.rep, f.padding = e[17], r.o.Uint16(e[18:])
		}
	}
	f.start = addr + uint64(raw)
	if r.b[3]&4 != 0 {
		f.start += uint64(at)
	}
	for uint32(len(f.rows)) < f.claimed && f.attr {
		row, ok := r.row(rows, f.info&15)
		if !ok {
			f.whole = false
			break
		}
		f.rows = append(f.rows, row)
		rows += row.size
		r.spent += row.size
	}
	return f
}

func (r *refSection) row(at int64, typ uint8) (refRow, bool) {
	width := map[uint8]int64{0: 1, 1: 2, 2: 4}[typ]
	if width == 0 || at+width+1 > int64(len(r.fres)) {
		return refRow{}, false
	}
	row := refRow{start: uint32(r.number(at, width)), info: r.fres[at+width], at: r.at + at}
	n := int64(row.info >> 1 & 15)
	w := map[uint8]int64{0: 1, 1: 2, 2: 4}[row.info>>5&3]
	if n > 0 && w == 0 || at+width+1+n*w > int64(len(r.fres)) {
		return refRow{}, false
	}
	for k := range n {
		v := r.number(at+width+1+k*w, w)
		row.words = append(row.words, int32(v<<(32-8*w))>>(32-8*w))
	}
	row.size = width + 1 + n*w
	return row, true
}

func (r *refSection) number(at, width int64) int32 {
	switch width {
	case 1:
		return int32(r.fres[at])
	case 2:
		return int32(r.o.Uint16(r.fres[at:]))
	}
	return int32(r.o.Uint32(r.fres[at:]))
}

// checkSection holds what DecodeSection made of data against the reference
// and against the promises of the model.
func checkSection(t testing.TB, data []byte, addr uint64) {
	t.Helper()
	kept := bytes.Clone(data)
	f := DecodeSFrame(data, SectionOptions{Addr: addr})
	s, faults := f.Section, f.Faults
	require.Equal(t, kept, data, "data was modified")
	require.LessOrEqual(t, len(faults), maxFaults)
	for _, f := range faults {
		require.NotZero(t, f.Code)
		require.Equal(t, f.Span, f.Span.Clip(int64(len(data))), "%v", f)
	}
	ref := refDecode(data, addr)
	if ref == nil {
		require.Nil(t, s)
		require.NotEmpty(t, faults)
		return
	}
	require.NotNil(t, s)
	require.Equal(t, int64(len(data)), s.Size())
	checkFDEs(t, s, ref, faults)
	checkRegions(t, s, data)
	checkSurvey(t, s, f.Survey())
	checkLookup(t, s)
	if len(faults) == 0 {
		require.Equal(t, int(s.Header().NumFDEs), s.NumFDEs())
		require.Equal(t, s.ClaimedFREs(), uint64(s.NumFREs()))
	}
}

func checkFDEs(t testing.TB, s *model.Section, ref *refSection, faults []Fault) {
	t.Helper()
	require.Equal(t, len(ref.fdes), s.NumFDEs())
	shared := ref.spent > 2*int64(len(ref.fres)) // then rows may be left out
	total, whole := 0, true
	for i, want := range ref.fdes {
		f := s.FDE(i)
		got := refFDE{f.Start(), f.Size(), f.StartFREOff(), f.ClaimedFREs(), f.Info(), f.Info2(), f.RepSize(), f.Padding(), f.HasAttr(), nil, want.whole}
		for r := range f.FREs() {
			got.rows = append(got.rows, refRow{r.Start(), r.Info(), r.Words(nil), r.Span().Off, r.Span().Len})
			checkRow(t, s, r)
		}
		total += len(got.rows)
		whole = whole && len(got.rows) == int(want.claimed)
		if shared && len(got.rows) < len(want.rows) {
			want.rows = nil
			got.rows = nil
		}
		if len(want.rows) == 0 && len(got.rows) == 0 {
			want.rows = got.rows
		}
		require.Equal(t, want, got, "FDE %d", i)
		if d := f.DataSpan(); d.Len > 0 {
			require.Equal(t, d, d.Clip(s.Size()))
		}
	}
	require.Equal(t, total, s.NumFREs())
	if !whole {
		require.NotEmpty(t, faults)
	}
}

func checkRow(t testing.TB, s *model.Section, r model.FRE) {
	row := r.Row()
	_ = row.Valid() && row.Outermost()
	_ = row.CFA.Format(s.ABI()) + row.RA.Format(s.ABI()) + row.FP.Format(s.ABI())
	_ = r.End()
	if sp := r.Span(); sp.Off < 0 || sp.End() > s.Size() || r.WordsSpan().End() != sp.End() || r.StartSpan().Off != sp.Off {
		require.Fail(t, "row out of place", "%v of %d bytes", sp, s.Size())
	}
}

// checkRegions sees to it that every byte has one owner.
func checkRegions(t testing.TB, s *model.Section, data []byte) {
	t.Helper()
	end := int64(0)
	var gaps []model.Gap
	for r := range testkit.Regions(s) {
		require.Equal(t, end, r.Off, "%v %v", r.Kind, r.Span)
		require.Positive(t, r.Len)
		end = r.End()
		zero := len(bytes.Trim(data[r.Off:r.End()], "\x00")) == 0
		switch r.Kind {
		case testkit.Padding, testkit.Unknown:
			require.Equal(t, r.Kind == testkit.Padding, zero)
			gaps = append(gaps, model.Gap{Span: r.Span, NonZero: !zero})
		}
	}
	require.Equal(t, s.Size(), end)
	require.Equal(t, s.Gaps(), gaps)
}

// rowContent is all of a row but where it is and from which PC it holds. The
// survey takes all undefined FDE types for one.
func rowContent(r model.FRE) string {
	f := r.FDE()
	return fmt.Sprint(f.PCType(), min(f.Type(), 2), f.Signal(), r.Info(), r.Words(nil))
}

func contents(rows []model.FRE) map[string]bool {
	m := map[string]bool{}
	for _, r := range rows {
		m[rowContent(r)] = true
	}
	return m
}

// checkSurvey gathers the survey anew.
func checkSurvey(t testing.TB, s *model.Section, v *model.Survey) {
	t.Helper()
	var want model.Trait
	set := func(on bool, tr model.Trait) {
		if on {
			want |= tr
		}
	}
	allRows, allFirsts, allKinds, complete := v.Distinct()
	rows, firsts := contents(allRows), contents(allFirsts)
	most := uint32(0)
	kinds := map[string]bool{}
	for _, f := range allKinds {
		kinds[fmt.Sprint(f.Info(), f.Info2(), f.RepSize())] = true
	}
	var seen []model.Span
	claimed := uint64(0)
	for i := range s.NumFDEs() {
		f := s.FDE(i)
		claimed += uint64(f.ClaimedFREs())
		set(f.Size() == 0, model.EmptyFunction)
		set(f.Padding() != 0, model.PaddingUsed)
		set(f.ClaimedFREs() == 0, model.NoRows)
		most = max(most, f.ClaimedFREs())
		set(!f.Resolved(), model.FunctionUnknown)
		set(f.NumFREs() != int(f.ClaimedFREs()) || !f.HasAttr(), model.RowsMissing)
		if f.HasAttr() {
			require.True(t, kinds[fmt.Sprint(f.Info(), f.Info2(), f.RepSize())] || !complete)
			if f.DataSpan().Len > 0 {
				seen = append(seen, f.DataSpan())
			}
		}
		prev, before := int64(-1), ""
		for r := range f.FREs() {
			c := rowContent(r)
			require.True(t, rows[c] || !complete)
			require.True(t, r.Index() > 0 || firsts[c] || !complete)
			set(r.Index() == 0 && r.Start() != 0, model.FirstRowLate)
			set(int64(r.Start()) <= prev, model.RowsUnordered)
			set(r.Start() >= f.Extent(), model.RowBeyond)
			set(c == before, model.RowsRepeat)
			set(int64(r.Start())%s.ABI().MinInsn != 0, model.RowMisaligned)
			prev, before = int64(r.Start()), c
		}
		set(f.NumFREs() > 0 && f.FREType() > 0 && prev <= int64((f.FREType()-1).MaxStart()), model.StartsWide)
	}
	slices.SortFunc(seen, func(a, b model.Span) int { return int(a.Off - b.Off) })
	for i := 1; i < len(seen); i++ {
		set(seen[i].Overlaps(seen[i-1]), model.DataOverlaps)
		seen[i].Len = max(seen[i].End(), seen[i-1].End()) - seen[i].Off
	}
	require.Equal(t, claimed, s.ClaimedFREs())
	require.Equal(t, most, v.MostFREs())
	require.Equal(t, model.Trait(0), want&^traits(v), "traits are missing")
	require.Equal(t, model.Trait(0), traits(v)&^want&^model.RowsRepeat, "traits are wrong")
}

func traits(v *model.Survey) model.Trait {
	var all model.Trait
	for tr := model.Trait(1); tr <= model.FunctionUnknown; tr <<= 1 {
		if v.Has(tr) {
			all |= tr
		}
	}
	return all
}

// checkLookup compares look-ups with a plain search, at the edges of
// functions. No function goes on at address 0.
func checkLookup(t testing.TB, s *model.Section) {
	t.Helper()
	ordered, disjoint := true, true
	for i := 1; i < s.NumFDEs(); i++ {
		f, g := s.FDE(i-1), s.FDE(i)
		ordered = ordered && f.Start() <= g.Start()
		disjoint = disjoint && f.Start() != g.Start() && g.Start()-f.Start() >= uint64(f.Size())
	}
	require.Equal(t, ordered, s.StartsAscend())
	require.Equal(t, ordered && disjoint, s.Disjoint())
	for i := range min(s.NumFDEs(), 16) {
		f := s.FDE(i)
		for _, pc := range []uint64{f.Start() - 1, f.Start(), f.End() - 1, f.End()} {
			want := plainFind(s, pc)
			got, ok := s.Find(pc)
			require.Equal(t, want >= 0, ok, "%#x", pc)
			if ok {
				require.Equal(t, want, got.Index(), "%#x", pc)
			}
		}
	}
}

func plainFind(s *model.Section, pc uint64) int {
	best := -1
	for i := range s.NumFDEs() {
		f := s.FDE(i)
		if pc >= f.Start() && pc-f.Start() < uint64(f.Size()) && (best < 0 || f.Start() >= s.FDE(best).Start()) {
			best = i
		}
	}
	return best
}
