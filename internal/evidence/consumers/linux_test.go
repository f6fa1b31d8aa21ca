package consumers_test

import (
	"debug/elf"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sframe-lint/sframe-lint/internal/evidence/consumers"
	"github.com/sframe-lint/sframe-lint/internal/tool/campaign"
	"github.com/sframe-lint/sframe-lint/internal/tool/dump"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// TestInteropLinux compares profiles with the code of Linux (kernel/unwind in the tree SFRAME_LINUX), compiled for
// user space with validation. It reads all little-endian sections of the corpus, and looks up each FRE. Its model of
// a process registers one mapping of code; its model of the kernel registers all code.
func TestInteropLinux(t *testing.T) {
	drivers := linuxDrivers(t)
	for _, name := range []string{"linux-user", "linux-vmlinux"} {
		t.Run(name, func(t *testing.T) {
			d := &driven{profile: name, takes: func(o *reader.Object) bool {
				id := o.ELF.ABI().ID
				return drivers[id] != nil && o.Kernel() == (name == "linux-vmlinux") && (!o.Kernel() || id == model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE)
			}}
			d.see = func(t *testing.T, o *reader.Object, f *reader.SFrame) outcome {
				return seeLinux(t, drivers[o.ELF.ABI().ID], o, f)
			}
			d.corpus(t)
		})
	}
}

// TestInteropLinuxFlips does the same for every section that one bit tells from a good
// one.
func TestInteropLinuxFlips(t *testing.T) {
	drivers := linuxDrivers(t)
	for _, e := range corpus(t) {
		if !slices.Contains([]string{"files/hand/v3-amd64.sframe", "files/raw/binutils-2.47-amd64-static.sframe",
			"files/hand/v3-aarch64.sframe"}, e.File) {
			continue
		}
		good, addr := e.rawSection(t), e.address(t)
		host := hostOf(good.Section)
		t.Run(filepath.Base(e.File), func(t *testing.T) {
			flipAll(t, "linux-user", good.Data, func(data []byte, _ string) (*reader.Object, outcome) {
				o := subject{e.File, host.exec(decode(data, addr), addr), true}.read(t)
				if s := o.SFrames[0].Section; s != nil && s.ABI().ID != o.ELF.ABI().ID {
					o.SFrames = nil // nothing says whose registers should be meant
					return o, outcome{}
				}
				return o, seeLinux(t, drivers[o.ELF.ABI().ID], o, o.SFrames[0])
			})
		})
	}
}

// linuxDrivers returns the readers of the tree for the ABIs that a machine with the
// byte order of AMD64 can try.
func linuxDrivers(t *testing.T) map[model.ABI]*campaign.Server {
	tree := sourceTree(t, "SFRAME_LINUX", "Linux with kernel/unwind/sframe.c")
	return map[model.ABI]*campaign.Server{
		model.SFRAME_ABI_AMD64_ENDIAN_LITTLE:   serve(t, campaign.Linux, tree),
		model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE: serve(t, campaign.LinuxARM64, tree),
	}
}

// seeLinux returns what the reader does with a section, at all FREs that it can find.
func seeLinux(t *testing.T, driver *campaign.Server, o *reader.Object, f *reader.SFrame) outcome {
	r := campaign.Request{Text: [2]uint64{^uint64(0), 0}}
	if o.Kernel() {
		for _, x := range o.ELF.ExecRanges() { // from _stext to _etext
			r.Text = [2]uint64{min(r.Text[0], x.First), max(r.Text[1], x.Last+1)}
		}
		return seeLookups(t, driver, campaign.Linux, f, r)
	}
	var ok bool
	if r.Addr, ok = segment(o, f); !ok {
		return outcome{consumers.Ignores, "there is no segment"}
	}
	r.Text = mapping(o, f.Section)
	return seeLookups(t, driver, campaign.Linux, f, r)
}

// mapping returns the addresses of the executable segment that has the first function, or else of the first one.
func mapping(o *reader.Object, s *model.Section) (text [2]uint64) {
	for _, p := range slices.Backward(o.ELF.Segments) {
		if p.Type != elf.PT_LOAD || p.Flags&elf.PF_X == 0 {
			continue
		}
		found := [2]uint64{p.Vaddr, p.Vaddr + p.Memsz}
		if text = found; s != nil && s.NumFDEs() > 0 && s.FDE(0).Start()-p.Vaddr < p.Memsz {
			return found
		}
	}
	return text
}

// segment returns the address of the section if a PT_GNU_SFRAME segment has it.
func segment(o *reader.Object, f *reader.SFrame) (uint64, bool) {
	const ptGNUSFrame = 0x6474e554
	for _, p := range o.ELF.Segments {
		if uint32(p.Type) == ptGNUSFrame && (f.Index >= len(o.ELF.Sections) || p.Vaddr == o.ELF.Sections[f.Index].Addr) {
			return p.Vaddr, true
		}
	}
	return 0, false
}

// eachLookup calls yield with a PC for each FRE that a search by PC finds, and with the
// start of each function without FREs. There is none for an ABI whose registers are not
// known.
func eachLookup(s *model.Section, yield func(f model.FDE, pc uint64, r model.FRE)) {
	if s == nil || !s.ABI().Known() {
		return
	}
	for i := range s.NumFDEs() {
		f := dump.WithRows(s, i)
		for r := range f.FREs() {
			pc := s.FDE(i).Start() + uint64(r.Start())
			if unreachable(s.FDE(i), r) || i+1 < s.NumFDEs() && s.FDE(i+1).Start() <= pc {
				continue
			}
			yield(f, pc, r)
		}
		if f.NumFREs() == 0 && f.Size() > 0 {
			yield(f, f.Start(), model.FRE{})
		}
	}
}

// unreachable reports whether no PC of the function has the FRE.
func unreachable(f model.FDE, r model.FRE) bool {
	return r.Start() >= f.Size() || f.PCType() == model.SFRAME_FDE_PCTYPE_MASK && f.RepSize() > 0 && r.Start() >= uint32(f.RepSize())
}
