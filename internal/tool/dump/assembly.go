package dump

import (
	"bytes"
	"io"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/tool/asm"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Assembly writes the section as a text that package asm assembles to the same bytes. Rows are written by meaning if
// that gives the same bytes. Unclaimed bytes come last. Assembly needs one bit of memory for each byte of the
// section, and memory for the names of functions.
func Assembly(w io.Writer, o *reader.Object, s *reader.SFrame) error {
	a := &assembly{printer: newPrinter(w), view: newView(o, s, Selection{})}
	a.covered = make([]uint64, (len(s.Data)+63)/64)
	if a.sec != nil {
		a.header()
		for f := range a.sec.FDEs() {
			a.function(&f)
			if !a.spill() {
				return a.err
			}
		}
		a.counts()
	} else {
		a.unheaded()
	}
	a.writeRest()
	return a.flush()
}

// Texts returns the texts of a file's sections in the form of [Assembly]. It returns "" if there are no sections, or if
// their texts have more bytes than most.
func Texts(file []byte, most int) string {
	if bytes.HasPrefix(file, []byte("!<thin>\n")) {
		return "" // its sections are in other files
	}
	var b strings.Builder
	_ = reader.ScanReader("file", bytes.NewReader(file), int64(len(file)), reader.Options{NoSurvey: true}, func(o *reader.Object) error {
		for _, s := range o.SFrames {
			if len(s.Data) > 0 && b.Len() < most {
				_ = Assembly(&b, o, s) // a builder has no errors
			}
		}
		return nil
	})
	if b.Len() > most {
		return ""
	}
	return b.String()
}

type assembly struct {
	*printer
	*view
	info model.VersionInfo
	abi  model.ABIInfo
	head model.Header

	covered []uint64 // a bit for each byte that the text has stated
	end     int64    // just past the last byte that the text has stated
	at      int64    // offset in the FRE sub-section where the next data go
	freLen  int64    // what the assembler computes
	numFREs int64
	shared  owner // the last function with data of its own
	names   map[string]bool
}

// owner is a function with data that others may share.
type owner struct {
	name  string
	off   uint32
	count int64
	width int
}

// cover notes that the text states bytes.
func (a *assembly) cover(sp model.Span) {
	a.end = max(a.end, sp.End())
	for i := sp.Off; i < sp.End() && i < int64(len(a.s.Data)); i++ {
		a.covered[i/64] |= 1 << (i % 64)
	}
}

func (a *assembly) has(off int64) bool {
	return off < 0 || off >= int64(len(a.s.Data)) || a.covered[off/64]>>(off%64)&1 != 0
}

// header writes the fields of the header that do not follow from the functions.
func (a *assembly) header() {
	h := a.sec.Header()
	a.info, a.abi, a.head = h.Version.Info(), a.sec.ABI(), h
	a.printf(".version %d\n", uint8(h.Version))
	if a.abi.Known() {
		a.printf(".abi %s\n", a.abi.Short())
	} else {
		a.printf(".abi_arch %d\n", uint8(h.ABI))
	}
	if big := a.sec.BigEndian(); big != a.abi.Big {
		a.printf(".order %s\n", map[bool]string{true: "big", false: "little"}[big])
	}
	a.str(".flags")
	a.flagNames(h.Flags)
	if h.FixedFPOffset != a.abi.FixedFP {
		a.printf("%s %d\n", asm.HeaderName(model.HdrFixedFP), h.FixedFPOffset)
	}
	if h.FixedRAOffset != a.abi.FixedRA {
		a.printf("%s %d\n", asm.HeaderName(model.HdrFixedRA), h.FixedRAOffset)
	}
	if a.relocatable() {
		a.str(".relocatable\n")
	} else if a.sec.Addr() != 0 {
		a.printf(".address 0x%x\n", a.sec.Addr())
	}
	a.cover(a.sec.HeaderSpan())
	a.cover(a.sec.AuxSpan())
	aux := a.sec.Aux()
	if len(aux) > 0 {
		a.str(".aux ")
		a.bytes(aux)
		a.str("\n")
	}
	if int(h.AuxLen) != len(aux) {
		a.printf("%s %d\n", asm.HeaderName(model.HdrAuxLen), h.AuxLen)
	}
	a.subsections(h, int64(a.info.HeaderSize+len(aux)))
}

// subsections writes where the sub-sections are, if they do not follow each other.
func (a *assembly) subsections(h model.Header, headerEnd int64) {
	fdes, fres := a.sec.FDESubsection().Off, a.sec.FRESubsection().Off
	if fdes != headerEnd {
		a.printf(".fdes_at 0x%x\n", fdes)
	}
	if fres != fdes+int64(a.sec.NumFDEs()*a.info.FDESize) {
		a.printf(".fres_at 0x%x\n", fres)
	}
	if uint32(fdes-headerEnd) != h.FDEOff {
		a.printf("%s 0x%x\n", asm.HeaderName(model.HdrFDEOff), h.FDEOff)
	}
	if uint32(fres-headerEnd) != h.FREOff {
		a.printf("%s 0x%x\n", asm.HeaderName(model.HdrFREOff), h.FREOff)
	}
}

// flagNames writes the flags of a section.
func (a *assembly) flagNames(f model.Flags) {
	named := false
	for _, w := range asm.Flags {
		if f&w.Flag != 0 {
			a.str(" " + w.Name)
			named = true
			f &^= w.Flag
		}
	}
	if f != 0 || !named {
		a.printf(" 0x%x", uint8(f))
	}
	a.str("\n")
}

// counts writes the counts that do not follow from what the text has.
func (a *assembly) counts() {
	h := a.sec.Header()
	for _, x := range [...]struct {
		field model.HeaderField
		got   int64
	}{
		{model.HdrNumFDEs, int64(a.sec.NumFDEs())}, {model.HdrNumFREs, a.numFREs}, {model.HdrFRELen, a.freLen},
	} {
		if v := h.Value(x.field); v != uint64(x.got) {
			a.printf("%s %d\n", asm.HeaderName(x.field), v)
		}
	}
}

// unheaded writes the bytes where a header is in other sections.
func (a *assembly) unheaded() {
	a.str("# The header can't be decoded.\n")
	a.end = int64(model.HeaderSize(nil))
	head := model.Span{Len: min(a.end, int64(len(a.s.Data)))}
	if head.Len > 0 {
		a.str(".at 0: ")
		a.bytes(a.s.Data[:head.Len])
		a.str("\n")
	}
	a.cover(head)
}

// restLine is the number of bytes that a line has at most.
const restLine = 16

// writeRest writes the size, and the bytes that nothing has stated.
func (a *assembly) writeRest() {
	data := a.s.Data
	for i := int64(0); i < int64(len(data)); {
		if data[i] == 0 || a.has(i) {
			i++
			continue
		}
		end, last := i+1, i+1
		for end < int64(len(data)) && end < i+restLine && !a.has(end) {
			if end++; data[end-1] != 0 {
				last = end
			}
		}
		a.printf(".at 0x%x: ", i)
		a.bytes(data[i:last])
		a.str("\n")
		a.end = max(a.end, last)
		i = last
		if !a.spill() {
			return
		}
	}
	if a.end != int64(len(data)) {
		a.printf(".size %d\n", len(data))
	}
}
