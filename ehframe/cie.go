package ehframe

import (
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
)

// CIE is a common information entry: what FDEs share.
type CIE struct {
	Span         model.Span // of the whole entry, from its length on
	Version      uint8
	Augmentation string
	CodeAlign    uint64 // factor of advances
	DataAlign    int64  // factor of offsets
	RA           uint32 // DWARF number of the return address column
	Pointers     Encoding
	LSDA         Encoding // Omit: FDEs have none
	Personality  Pointer  // Null: there is none
	Signal       bool     // 'S': the FDEs are signal frames
	KeyB         bool     // 'B': AArch64 return addresses are signed with key B
	MemTag       bool     // 'G': AArch64 frames have tagged memory
	Program      model.Span
	Fault        Fault // why nothing after Version is valid, NoFault if it is

	sized    bool // 'z': FDEs have augmentation data with a length
	selector int  // bytes of a segment selector in FDEs
	start    state
	startErr Fault // of the program

	// See findUsual.
	usual     bool
	leastData int // bytes of augmentation data, if an FDE has some
}

// cie decodes a CIE.
func (s *Section) cie(e entry, h *hint) CIE {
	c := cursor{b: s.in.Data[:e.end], pos: e.body, big: s.in.ABI.Big}
	k := CIE{Span: e.span(), LSDA: Omit, Personality: Pointer{Null: true}}
	s.cieHeader(&k, &c, h)
	if c.bad && k.Fault.Code == NoFault {
		k.Fault = Fault{Code: CIETruncated, Span: k.Span}
	}
	if k.Fault.Code == NoFault {
		k.Program = model.Span{Off: int64(c.pos), Len: int64(c.left())}
	}
	return k
}

func (s *Section) cieHeader(k *CIE, c *cursor, h *hint) {
	fail := func(code FaultCode, at int, got uint64) {
		if !c.bad {
			k.Fault = Fault{Code: code, Span: c.from(at), Got: got}
		}
	}
	at := c.pos
	if k.Version = c.u8(); k.Version != 1 && k.Version != 3 && k.Version != 4 {
		fail(CIEVersion, at, uint64(k.Version))
		return
	}
	aug := c.pos
	k.Augmentation = c.cstring()
	if k.Version == 4 {
		at = c.pos
		if n := c.u8(); n != 8 {
			fail(CIEAddressSize, at, uint64(n))
			return
		}
		at = c.pos
		n := c.u8()
		if k.selector = int(n); n > 8 {
			fail(CIEAddressSize, at, uint64(n))
			return
		}
	}
	letters := k.Augmentation
	if strings.HasPrefix(letters, "eh") { // GCC 2: the address of a table of exceptions
		letters = letters[2:]
		c.skip(8)
	}
	k.CodeAlign, k.DataAlign = c.uleb(), c.sleb()
	at = c.pos
	ra := uint64(0)
	if k.Version == 1 {
		ra = uint64(c.u8())
	} else {
		ra = c.uleb()
	}
	if k.RA = uint32(ra); uint64(k.RA) != ra {
		fail(CIERegister, at, ra)
		return
	}
	s.augmentation(k, c, letters, aug, h)
}

// augmentation decodes the augmentation data. aug is where the string starts.
func (s *Section) augmentation(k *CIE, c *cursor, letters string, aug int, h *hint) {
	whole := c.b
	if k.sized = strings.HasPrefix(letters, "z"); k.sized {
		letters = letters[1:]
		n := c.uleb()
		if c.bad || n > uint64(c.left()) {
			c.bad = true
			return
		}
		c.b = c.b[:c.pos+int(n)]
	}
	encoding := func(e *Encoding) {
		at := c.pos
		if *e = Encoding(c.u8()); !c.bad && !e.Valid() {
			k.Fault = Fault{Code: BadEncoding, Span: c.from(at), Got: uint64(*e)}
		}
	}
	for i := 0; i < len(letters) && k.Fault.Code == NoFault && !c.bad; i++ {
		switch letters[i] {
		case 'R':
			at := c.pos
			if encoding(&k.Pointers); k.Fault.Code == NoFault && k.Pointers&Indirect != 0 { // Omit, too
				k.Fault = Fault{Code: BadEncoding, Span: c.from(at), Got: uint64(k.Pointers)}
			}
		case 'L':
			encoding(&k.LSDA)
		case 'P':
			var e Encoding
			if encoding(&e); k.Fault.Code == NoFault {
				k.Personality = s.pointer(c, e, Pointer{}, h)
			}
		case 'S':
			k.Signal = true
		case 'B':
			k.KeyB = true
		case 'G':
			k.MemTag = true
		default:
			if !k.sized || strings.ContainsAny(letters[i:], "RLP") {
				at := model.Span{Off: int64(aug + strings.Index(k.Augmentation, letters) + i), Len: 1}
				k.Fault = Fault{Code: CIEAugmentation, Span: at, Got: uint64(letters[i])}
			}
			i = len(letters)
		}
	}
	if k.sized && !c.bad {
		c.pos, c.b = len(c.b), whole
	}
}
