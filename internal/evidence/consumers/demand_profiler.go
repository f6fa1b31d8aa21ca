package consumers

import (
	"encoding/binary"

	"github.com/sframe-lint/sframe-lint/model"
)

// Demands of readers that expect the bits of info bytes at other positions, or with other values, than the manual and
// <sframe.h>.
func profilerTerms() map[Demand]term {
	return map[Demand]term{
		"own-rows": {"some function has FREs that can be decoded by the consumer's own places of bits", onSection(func(s *model.Section, _ Arg) *Verdict {
			if own, _ := ownRows(s); own >= 0 {
				return nil
			}
			return at(s.FRESubsection(), "with the consumer's layout of bits, no function has FREs that can be decoded")
		})},
		"info-bits": {"the bits of info bytes are where the consumer expects them", onSection(func(s *model.Section, _ Arg) *Verdict {
			i, _ := ownRows(s)
			if i < 0 {
				return nil
			}
			f := s.FDE(i)
			return inFDE(f, f.FieldSpan(model.FDEInfo), "the info byte of FDE %d is 0x%02x", i, f.Info())
		})},
		"own-cfa": {"by the consumer's own places of bits, no function has a CFA whose offset has more than 24 bits", onSection(func(s *model.Section, _ Arg) *Verdict {
			_, i := ownRows(s)
			if i < 0 {
				return nil
			}
			f := s.FDE(i)
			return inFDE(f, f.DataSpan(), "with the consumer's layout of bits, FDE %d has a CFA offset of more than 24 bits", i)
		})},
		"sp-without-fp": {"every FRE is for AMD64 and counts the CFA from SP, and has no word for FP: the two values of `fre_cfa_base_reg_id` are inverted", onRows("bit 0 of the info byte is %d", model.FRE.InfoSpan, func(r model.FRE, _ Arg) bool {
			return r.NumWords() > 0 && (r.Base() == model.SFRAME_BASE_REG_FP || r.NumWords() > 1 || section(r).ABI().FixedRA == 0 || section(r).Header().FixedFPOffset != 0)
		}, func(r model.FRE) any { return r.Base() })},
		"one-stub-row": {"every FDE of PC type MASK has one FRE", onMasks(model.FDENumFREs, "FDE %d has PC type MASK and %d FREs",
			func(f model.FDE) bool { return f.ClaimedFREs() > 1 })},
		"no-overlap": {"the FDE and the FRE sub-section do not overlap", onSection(func(s *model.Section, _ Arg) *Verdict {
			fdes, fres := s.FDESubsection(), s.FRESubsection()
			return expect(fdes.Len == 0 || fres.Len == 0 || fdes.End() <= fres.Off || fres.End() <= fdes.Off, model.HdrFREOff, "the FDEs extend from 0x%x to 0x%x, and the FREs from 0x%x to 0x%x", fdes.Off, fdes.End(), fres.Off, fres.End())
		})},
	}
}

// ownRows returns the first FDE whose FREs the consumer decodes, and the first one before it that it skips for the offset of
// a CFA, -1 for none. The consumer reads bit 0 of an FDE's info byte as the PC type and bits 1 and 2 as the FRE type. The
// walk of shared FREs ends at twice the sub-section.
func ownRows(s *model.Section) (read, wide int) {
	b := s.Bytes(s.FRESubsection().Clip(s.Size()))
	order := binary.ByteOrder(binary.LittleEndian)
	if s.BigEndian() {
		order = binary.BigEndian
	}
	budget := 2*len(b) + s.NumFDEs()
	wide = -1
	for f := range s.FDEs() {
		width := 1 << (f.Info() >> 1 & 3)
		if f.Info()&1 != 0 || f.ClaimedFREs() == 0 || width > 4 || int64(f.StartFREOff()) >= int64(len(b)) {
			continue
		}
		rows := b[f.StartFREOff():]
		n := f.ClaimedFREs()
		for ; n > 0 && budget >= 0; n-- {
			size, far := ownRow(rows, width, order)
			if far && wide < 0 {
				wide = f.Index()
			}
			if size == 0 || far {
				break
			}
			rows = rows[size:]
			budget -= size
		}
		if n == 0 || budget < 0 {
			return f.Index(), wide
		}
	}
	return -1, wide
}

// ownRow returns the bytes of an FRE with a start of some bytes, 0 for one that the consumer
// rejects. Bits 1 and 2 of the info byte are the size of the words, bits 3 and 4 say whether
// there are words for RA and FP. far reports a CFA whose offset does not fit in 24 bits.
func ownRow(b []byte, width int, order binary.ByteOrder) (size int, far bool) {
	if len(b) <= width {
		return 0, false
	}
	info := b[width]
	word := 1 << (info >> 1 & 3)
	size = width + 1 + word*(1+int(info>>3&1)+int(info>>4&1))
	if word > 4 || size > len(b) {
		return 0, false
	}
	if cfa := b[width+1:]; word == 4 {
		v := int32(order.Uint32(cfa))
		return size, v < -1<<23 || v >= 1<<23
	}
	return size, false
}
