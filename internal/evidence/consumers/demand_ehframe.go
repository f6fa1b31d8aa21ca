package consumers

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/model"
)

// Demands on .eh_frame and .eh_frame_hdr, of a consumer that reads these in place of SFrame data.
func ehFrameTerms() map[Demand]term {
	return map[Demand]term{
		"eh-frame-abi": {"the file is for ABIS", func(x *subject, a Arg) *Verdict {
			if x.o.ELF == nil || slices.Contains(a.ABIs, x.o.ELF.ABI().ID) {
				return nil
			}
			return inFile(elf64.EhdrMachine, "the file is for %s", x.o.ELF.ABI().Name)
		}},
		"eh-frame-hdr": {"there is `.eh_frame_hdr` of version 1 with a table of entries of a fixed size", onFrames(findHdr)},
		"eh-frame-table": {"the table of `.eh_frame_hdr` ascends, and each entry has an FDE of `.eh_frame` and its start",
			onFrames(findTable)},
		"eh-frame-tabled":  {"each FDE is in the table of `.eh_frame_hdr`", onFrames(findTabled)},
		"eh-frame-entries": {"each entry of the table of `.eh_frame_hdr` is for a function", onFrames(findTombstone)},
		"eh-frame-simple": {"CFI remembers one state at a time, has at most 16384 instructions in entries of at most 128 (CIE) and 32768 bytes, factors as the ABI has them, and a CFA",
			onFrames(func(h *frames) *Verdict { return h.refusal(true) })},
		"eh-frame-followed": {"CIEs have version 1 and no augmentation but `zLPRS`; CFI has no expression for the CFA, RA, FP or SP, no signal frames and no other extension",
			onFrames(func(h *frames) *Verdict { return h.refusal(false) })},
	}
}

// frames is the call frame information of a subject.
type frames struct {
	*subject
	*cfi.Frames
	frame *cfi.Loaded // .eh_frame; nil if there is none
}

// onFrames returns a demand on linked files. One of which the call frame information cannot be
// read has none.
func onFrames(find func(*frames) *Verdict) finder {
	return func(x *subject, _ Arg) *Verdict {
		if x.o.ELF == nil {
			return nil
		}
		if x.frames == nil {
			h := &frames{subject: x, Frames: &cfi.Frames{}}
			if f, err := cfi.Load(x.o, 0); err == nil {
				h.Frames = f
			}
			for i := range h.Sections {
				if s := &h.Sections[i]; s.Input().Kind == cfi.EHFrame && h.frame == nil {
					h.frame = s
				}
			}
			x.frames = h
		}
		return find(x.frames)
	}
}

// hdr returns a verdict at bytes of .eh_frame_hdr.
func (h *frames) hdr(sp model.Span, format string, args ...any) *Verdict {
	if i := h.HdrIndex; i > 0 && i < len(h.o.ELF.Sections) {
		sp.Off += int64(h.o.ELF.Sections[i].Offset)
	} else {
		sp = model.Span{}
	}
	return inFile(sp, format, args...)
}

// at returns a verdict at bytes of .eh_frame.
func (h *frames) at(sp model.Span, format string, args ...any) *Verdict {
	if sp.Off += h.frame.Offset; h.frame.Offset < 0 {
		sp = model.Span{}
	}
	return inFile(sp, format, args...)
}

func findHdr(h *frames) *Verdict {
	switch {
	case h.Hdr == nil:
		return h.hdr(model.Span{}, "the file has no .eh_frame_hdr")
	case len(h.Hdr.Faults) > 0:
		return h.hdr(h.Hdr.Faults[0].Span, "the header of .eh_frame_hdr cannot be decoded")
	case h.Hdr.Len() == 0:
		return h.hdr(model.Span{Len: 4}, ".eh_frame_hdr has no table")
	case h.frame == nil || h.Hdr.Frame.Addr != h.frame.Input().Addr:
		return h.hdr(model.Span{Len: 4}, ".eh_frame_hdr puts .eh_frame at 0x%x, where it is not", h.Hdr.Frame.Addr)
	}
	return nil
}

func findTable(h *frames) *Verdict {
	if findHdr(h) != nil {
		return nil
	}
	if i, bad := h.Hdr.Unsorted(); bad {
		return h.hdr(h.Hdr.EntrySpan(i), "entry %d of the table of .eh_frame_hdr does not ascend", i)
	}
	for i := range h.Hdr.Len() {
		e := h.Hdr.Entry(i)
		if h.tombstone(i) {
			continue
		}
		f, ok := h.frame.FDEAt(int64(e.FDE - h.frame.Input().Addr))
		if !ok {
			return h.hdr(h.Hdr.EntrySpan(i), "entry %d of the table of .eh_frame_hdr, for 0x%x, has no FDE", i, e.PC)
		}
		if f.Start.Addr != e.PC {
			return h.hdr(h.Hdr.EntrySpan(i), "entry %d of the table of .eh_frame_hdr is for 0x%x, but its FDE for 0x%x", i, e.PC, f.Start.Addr)
		}
	}
	return nil
}

func findTombstone(h *frames) *Verdict {
	if findHdr(h) != nil {
		return nil
	}
	for i := range h.Hdr.Len() {
		if h.tombstone(i) {
			return h.hdr(h.Hdr.EntrySpan(i), "entry %d of the table of .eh_frame_hdr is mold's tombstone for an FDE of size 0", i)
		}
	}
	return nil
}

// tombstone reports whether an entry at the end of the table is one that mold writes for an FDE of size 0: for the
// address 0x7fffffff bytes after .eh_frame_hdr, and .eh_frame_hdr itself as the FDE.
func (h *frames) tombstone(i int) bool {
	at := h.HdrIndex
	if at <= 0 || at >= len(h.o.ELF.Sections) {
		return false
	}
	addr := h.o.ELF.Sections[at].Addr
	for ; i < h.Hdr.Len(); i++ {
		if e := h.Hdr.Entry(i); e.PC != addr+math.MaxInt32 || e.FDE != addr && e.FDE != 0 {
			return false
		}
	}
	return true
}

func findTabled(h *frames) *Verdict {
	if findHdr(h) != nil {
		return nil
	}
	n, first := 0, cfi.FDE{}
	for f := range h.frame.FDEs() {
		if !f.Usable() || f.Size == 0 {
			continue
		}
		if e, ok := h.Hdr.Find(f.Start.Addr); !ok || e.PC != f.Start.Addr {
			if n++; n == 1 {
				first = f
			}
		}
	}
	if n == 0 {
		return nil
	}
	return h.at(first.Span, "the table of .eh_frame_hdr has no entry for 0x%x (one of %d such FDEs)", first.Start.Addr, n)
}

// refusal returns a verdict for the functions that the consumer does not follow, or because of
// which it gives up the section.
func (h *frames) refusal(fatal bool) *Verdict {
	if h.frame == nil {
		return nil
	}
	n, all, first, why := 0, 0, cfi.Refusal{}, map[string]bool{}
	for f := range h.frame.FDEs() {
		if f.Dead {
			continue
		}
		all++
		r, refused := f.LinuxRefusal()
		if !refused || r.Fatal != fatal {
			continue
		}
		if n++; n == 1 {
			first = r
		}
		if r.Why != first.Why && len(why) < 3 {
			why[r.Why] = true
		}
	}
	if n == 0 {
		return nil
	}
	text := fmt.Sprintf("%d of %d functions have unsupported CFI (", n, all)
	if !fatal {
		text += fmt.Sprintf("from 0x%x on, ", first.PC)
	}
	text += first.Why
	if len(why) > 0 {
		text += "; others: " + strings.Join(slices.Sorted(maps.Keys(why)), "; ")
	}
	return h.at(first.At, "%s)", text)
}
