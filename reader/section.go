package reader

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/model"
)

// SectionOptions describe facts that the bytes of a section do not contain.
type SectionOptions struct {
	// Addr is the virtual address of the section's first byte.
	Addr uint64
	// Relocatable says that start fields need relocations. Start returns the place and the offset of the function
	// whose start field is at offset off of the section and has width bytes.
	Relocatable bool
	Start       func(off int64, width int) model.Start

	// NoSurvey omits the survey of FDEs and FREs, which makes rules faster.
	NoSurvey bool

	budget *budget.Budget // of decoding; nil has no limits
}

// maxFaults bounds the faults of a section: a hostile file could have one
// for every few bytes.
const maxFaults = 1 << 16

// maxSectionSize is what the model's 32-bit offsets can address.
const maxSectionSize = 1<<31 - 1

// decoder carries one section's decoding.
type decoder struct {
	opts SectionOptions
	data []byte
	big  bool
	hdr  model.Header
	info model.VersionInfo
	fdes model.Span // the FDE sub-section, cut to whole entries of the section
	fres model.Span // the FRE sub-section, cut to the section
	log  faultLog
	err  error // why decoding ended early
}

// faultLog gathers faults up to maxFaults and counts the rest.
type faultLog struct {
	list []Fault
	cut  int
}

func (l *faultLog) add(f Fault) {
	if len(l.list) < maxFaults {
		l.list = append(l.list, f)
		return
	}
	l.cut++
	l.list[maxFaults-1] = Fault{Code: FaultsCut, Span: f.Span, FDE: f.FDE, FRE: f.FRE,
		Want: maxFaults, Got: uint64(l.cut + 1)}
}

// join adds the faults of another log, those it has counted included.
func (l *faultLog) join(next *faultLog) {
	if len(l.list) == 0 {
		*l = *next
		return
	}
	for _, f := range next.list {
		if f.Code != FaultsCut {
			l.add(f)
			continue
		}
		l.cut += next.cut
		l.add(f)
		l.list[maxFaults-1].Got = uint64(l.cut + 1)
	}
}

// DecodeSection decodes the bytes of one .sframe section. It returns nil if the header is truncated or the magic is
// wrong. The section refers to data, which must not change afterwards.
func DecodeSection(data []byte, opts SectionOptions) (*model.Section, []Fault) {
	f := DecodeSFrame(data, opts)
	return f.Section, f.Faults
}

// DecodeSFrame is DecodeSection for callers that run rules, which take an SFrame.
func DecodeSFrame(data []byte, opts SectionOptions) *SFrame {
	f := &SFrame{Data: data}
	_ = f.decode(opts) // without a budget, it does not fail
	return f
}

// maxPad is the number of zero bytes that align a section that follows another one.
const maxPad = 7

// Following yields the sections that follow the first section in data, with their offsets. Linkers without SFrame
// support concatenate sections like this. It stops at the first section that does not fit.
func Following(s *model.Section, data []byte) iter.Seq2[int64, *model.Section] {
	return func(yield func(int64, *model.Section) bool) {
		for off := s.End(); off < int64(len(data)); off += s.End() {
			for pad := 0; pad < maxPad && off < int64(len(data)) && data[off] == 0; pad++ {
				off++
			}
			if s, _ = DecodeSection(data[off:], SectionOptions{NoSurvey: true}); s == nil || !s.Version().Known() || s.End() > s.Size() || !yield(off, s) {
				return
			}
		}
	}
}

// decode decodes Data. Errors: the budget.
func (f *SFrame) decode(opts SectionOptions) error {
	d := &decoder{opts: opts}
	f.Section, f.survey = d.decode(f.Data)
	f.Faults = d.log.list
	return d.err
}

func (d *decoder) decode(data []byte) (*model.Section, *model.Survey) {
	if len(data) > maxSectionSize {
		d.fault(SectionTooLarge, model.Span{}, maxSectionSize, int64(len(data)))
		return nil, nil
	}
	big, ok := d.findOrder(data)
	if !ok {
		return nil, nil
	}
	d.data, d.big = data, big
	if !d.header() {
		return nil, nil
	}
	p := model.Parts{Header: d.hdr, BigEndian: big, Addr: d.opts.Addr, Data: data, Ordered: true, Disjoint: true}
	rec := &model.Recorder{}
	if d.subsections() {
		rec = d.walk(&p)
	}
	if d.opts.budget != nil {
		p.Step = d.opts.budget.Step
	}
	s := model.New(p)
	return s, model.NewSurvey(s, rec)
}

// findOrder finds the byte order; both readings of the magic are legal.
func (d *decoder) findOrder(data []byte) (big, ok bool) {
	if len(data) < model.PreambleSize {
		d.tooShort(data)
		return false, false
	}
	switch m := binary.LittleEndian.Uint16(data); {
	case m == model.SFRAME_MAGIC:
		return false, true
	case binary.BigEndian.Uint16(data) == model.SFRAME_MAGIC:
		return true, true
	default:
		d.fault(BadMagic, model.HdrMagic.Span(), model.SFRAME_MAGIC, int64(m))
		return false, false
	}
}

// fault adds a fault that is about no FDE.
func (d *decoder) fault(code FaultCode, at model.Span, want, got int64) {
	d.log.add(Fault{Code: code, Span: at, FDE: -1, FRE: -1, Want: uint64(want), Got: uint64(got)})
}

func (d *decoder) tooShort(b []byte) {
	n := int64(len(b))
	d.fault(TooShort, model.Span{Len: n}, int64(model.HeaderSize(b)), n)
}

func (d *decoder) header() bool {
	b, big := d.data, d.big
	d.info = model.Version(b[model.HdrVersion.Span().Off]).Info()
	if len(b) < d.info.HeaderSize {
		d.tooShort(b)
		return false
	}
	for f := range d.info.HeaderFields() {
		at := f.Span()
		d.hdr.Set(f, number.Of(b[at.Off:at.End()], big))
	}
	return true
}

// subsections bounds the regions that the header points to by the bytes that
// are there. It reports whether they can be read.
func (d *decoder) subsections() bool {
	end := int64(d.info.HeaderSize) + int64(d.hdr.AuxLen)
	d.bound(AuxBeyondEnd, model.HdrAuxLen, int64(d.info.HeaderSize), int64(d.hdr.AuxLen))
	entry := int64(d.info.FDESize)
	if entry == 0 {
		d.fault(UnknownVersion, model.HdrVersion.Span(), 0, int64(d.hdr.Version))
		return false
	}
	d.fdes = d.bound(FDEsBeyondEnd, model.HdrNumFDEs, end+int64(d.hdr.FDEOff), int64(d.hdr.NumFDEs)*entry)
	d.fdes.Len -= d.fdes.Len % entry
	d.fres = d.bound(FREsBeyondEnd, model.HdrFRELen, end+int64(d.hdr.FREOff), int64(d.hdr.FRELen))
	return true
}

// bound returns the n bytes at off, cut to the section, and blames field
// where they are not all there.
func (d *decoder) bound(code FaultCode, field model.HeaderField, off, n int64) model.Span {
	size := int64(len(d.data))
	if off+n > size {
		d.fault(code, field.Span(), off+n, size)
	}
	return model.Span{Off: off, Len: n}.Clip(size)
}

// bytes returns those of a sub-section.
func (d *decoder) bytes(sp model.Span) []byte { return d.data[sp.Off:sp.End():sp.End()] }

// FaultCode says why a part of the input could not be decoded.
type FaultCode uint8

// Faults of a section. Spans count from the start of the section.
const (
	// TooShort: the section ends inside the header. Want: the bytes needed. Got: the bytes that exist.
	TooShort FaultCode = iota + 1
	// BadMagic: the first two bytes are not SFRAME_MAGIC in either byte order. Got: these bytes, as a little-endian
	// number.
	BadMagic
	// UnknownVersion: nothing after the header can be decoded. Got: the version.
	UnknownVersion
	// AuxBeyondEnd: the auxiliary header ends beyond the section. Want: its end. Got: the size of the section.
	AuxBeyondEnd
	// FDEsBeyondEnd: the FDE sub-section ends beyond the section. Want: its end. Got: the size of the section.
	FDEsBeyondEnd
	// FREsBeyondEnd: the FRE sub-section ends beyond the section. Want: its end. Got: the size of the section.
	FREsBeyondEnd
	// FREOffBeyond: an FDE's start_fre_off is beyond the FRE sub-section. Want: the size of the sub-section. Got: the
	// offset.
	FREOffBeyond
	// AttrTruncated: a V3 attribute does not fit in the FRE sub-section.
	AttrTruncated
	// FRETruncated: an FRE does not fit in the FRE sub-section. Want: the claimed number of FREs. Got: the decoded
	// number.
	FRETruncated
	// FRETypeUndefined: the FRE type is undefined, so the start offsets have no known width. Got: the type.
	FRETypeUndefined
	// WordSizeUndefined: the word size code of an FRE is undefined, so the FREs after it cannot be found. Got: the
	// code.
	WordSizeUndefined
	// FREsShared: FREs were not decoded, since the FDEs claim more than twice the bytes of the FRE sub-section. In
	// V3, FREs of an attribute that several FDEs share are decoded.
	FREsShared
	// FaultsCut replaces the faults beyond a fixed number. Got: their number.
	FaultsCut
)

// Faults of a container. Spans count from the start of the ELF file or archive.
const (
	// ELFDamaged: an ELF header or table is damaged. Detail says where.
	ELFDamaged FaultCode = iota + 64
	// SectionBeyondEnd: the .sframe section ends beyond the file. Want: its end. Got: the size of the file.
	SectionBeyondEnd
	// SectionTooLarge: the section is larger than Limits[MaxSection].
	SectionTooLarge
	// SectionCompressed: SHF_COMPRESSED is set. No consumer decompresses .sframe.
	SectionCompressed
	// SectionNoBits: the type is SHT_NOBITS, so the file does not contain the bytes.
	SectionNoBits
	// RelocsDamaged: the relocation section can't be read. Detail says why.
	RelocsDamaged
	// ArchiveDamaged: a member header of an archive is damaged, or a package or compressed file cannot be read to its
	// end. Then the span is empty. Detail says why.
	ArchiveDamaged
	// MemberUnreadable: a thin archive's member can't be opened. Detail: the
	// error.
	MemberUnreadable
	// BudgetExceeded: a part of the input was not read because of a limit. Detail names the part and the limit. Got:
	// 1 + the limit's index in Limits, or 0 if it is unknown.
	BudgetExceeded
	// SectionContradicted: the header of a section that rules use contradicts the file. Detail names the section and
	// the contradiction.
	SectionContradicted
	// OtherMachine: the format has no ABI for the file, but its sections were read. Detail: class and machine.
	OtherMachine
)

// Fault is a reason why a part of the input could not be decoded.
type Fault struct {
	Code      FaultCode
	Span      model.Span // the faulty bytes, inside the input
	FDE, FRE  int        // index, -1 for none
	Want, Got uint64     // see the constant of the code
	Detail    string
}

// overrun returns Got of [BudgetExceeded].
func overrun(err error) uint64 {
	if e := new(budget.Exceeded); errors.As(err, &e) {
		return uint64(e.Kind) + 1
	}
	return 0
}

// Summary returns a phrase that says why a section of a container was not read.
func (f Fault) Summary() string {
	switch f.Code {
	case SectionBeyondEnd:
		return ".sframe lies beyond the end of the file"
	case SectionTooLarge:
		return ".sframe is larger than the limit"
	case SectionCompressed:
		return ".sframe is compressed"
	case SectionNoBits:
		return ".sframe has no bytes in the file"
	}
	return f.Detail
}

func (f Fault) String() string {
	return fmt.Sprintf("fault %d at %v (FDE %d, FRE %d, want %d, got %d) %s", f.Code, f.Span, f.FDE, f.FRE, f.Want, f.Got, f.Detail)
}
