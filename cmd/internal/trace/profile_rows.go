package trace

import (
	"cmp"
	"maps"
	"slices"

	"github.com/sframe-lint/sframe-lint/cmd/internal/profile"
	"github.com/sframe-lint/sframe-lint/internal/corefile"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/unwind"
)

// lookUp looks up the row of each frame of a profiler's stack.
func (p *profiler) lookUp(v *ProfileSample, s *profile.Sample, m *mapped) error {
	v.Verdict, v.Message = Unknown, "the code of no frame could be found"
	found := false
	for i := range s.Frames {
		f := &s.Frames[i]
		if f.BuildID != "" { // all files are tried
			if err := p.opts.Budget.Step(int64(len(m.builds))); err != nil {
				return err
			}
		}
		name, file, addr, ok := p.locate(f, m)
		if !ok {
			continue
		}
		at := Frame{PC: hex(f.IP), Module: clean(name), Address: hex(addr), By: ByNone, Function: clean(f.Symbol), Offset: f.Offset}
		v.Frame, v.At = i, &at
		if p.blame(v, m, name, file) {
			return nil
		}
		if err := p.opts.Budget.Step(m.mods.LookupCost(addr) + 1); err != nil {
			return err
		}
		found = true
		stop := rowOf(file, addr)
		if i > 0 && addr > 0 && stop != nil { // a call may end the function
			stop = rowOf(file, addr-1)
		}
		if stop != nil {
			v.Verdict, v.Reason, v.Message = NoRow, stop.Reason, stop.Error()
			if i+1 < len(s.Frames) {
				v.Profiler = printed(&s.Frames[i+1])
			}
			return nil
		}
	}
	if found {
		v.Verdict, v.Message = HasRows, ""
	}
	return nil
}

// rowOf returns why a file has no row for one of its addresses, nil if it has one.
func rowOf(f *corefile.File, addr uint64) *unwind.Stop {
	abi := model.ABIInfo{}
	for _, s := range f.Sections {
		abi = s.ABI()
	}
	x := unwind.Find(oneFile{f}, abi, addr)
	stop := x.Missing()
	if stop == nil || stop.Complete() || x.Signal() { // the kernel's registers need no row
		return nil
	}
	return stop
}

// oneFile has a file at its own addresses.
type oneFile struct{ f *corefile.File }

func (o oneFile) Module(uint64) (unwind.Module, bool) {
	return unwind.Module{Name: o.f.Path, Sections: o.f.Sections}, true
}

// locate returns the file of a profiler's frame and its address there.
func (p *profiler) locate(f *profile.Frame, m *mapped) (name string, file *corefile.File, addr uint64, ok bool) {
	if f.BuildID != "" {
		for _, path := range append([]string{p.files.Exe}, slices.Sorted(maps.Keys(m.builds))...) {
			if path == "" {
				continue
			}
			if file = m.mods.File(path); file.Err == nil && f.BuildID == buildID(file) {
				addr, ok = file.Address(f.IP)
				return path, file, addr, ok
			}
		}
		return "", nil, 0, false
	}
	if x, ok := m.mods.At(f.IP); ok && f.HasIP {
		return x.Name, x.File, f.IP - x.Bias, true
	}
	if name = cmp.Or(f.File, p.files.Exe); name == "" {
		return "", nil, 0, false
	}
	file = m.mods.File(name)
	if file.Err != nil {
		return name, file, 0, true
	}
	if f.HasOffset {
		if addr, ok = p.function(file, f.Symbol); ok {
			return name, file, addr + f.Offset, true
		}
	}
	addr, ok = file.Address(f.IP)
	return name, file, addr, ok && f.HasIP
}

// function returns the address of a function, by its name.
func (p *profiler) function(f *corefile.File, name string) (addr uint64, ok bool) {
	all, known := p.named[f]
	if !known {
		all, _ = f.Functions() // the budget ends the next step
		p.named[f] = all
	}
	addr, ok = all[name]
	return addr, ok
}
