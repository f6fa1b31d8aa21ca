package lines

import "path"

// Each passes on the runs of code that have one line, in no order: from pc up to an end. A line 0 is that of
// code without one. It must be called while the objects are visited, and passes on what the budget allows.
func Each(in Sources, yield func(pc PC, end uint64, l Line)) {
	o := in.Object
	if in.Debug != nil {
		o = in.Debug
	}
	if !Has(o) {
		return
	}
	f, code := newFile(o, newAllowance(o)), codeOf(in.Object.ELF)
	dirs := f.directories()
	for at := int64(0); f.spend.step(100); {
		t, next := f.tableAt(at)
		if t != nil {
			f.each(t, dirs[at], code, yield)
		}
		if next <= at {
			return
		}
		at = next
	}
}

// directories returns that of the compilation for each line table.
func (f *source) directories() map[int64]string {
	dirs := map[int64]string{}
	for at := int64(0); f.spend.step(100) && len(dirs) < mostUnits; {
		u, next := f.unitAt(at, false)
		if u != nil && u.root() && u.lines >= 0 {
			dirs[u.lines] = u.dir
		}
		if next <= at {
			break
		}
		at = next
	}
	return dirs
}

// each passes on the runs of a line table.
func (f *source) each(t *table, dir string, code func(addr uint64) bool, yield func(pc PC, end uint64, l Line)) {
	n := f.readNames(t)
	paths := map[uint64]string{}
	skip := false
	t.run(f.spend, func(r lineEntry, end uint64, first bool) {
		if first {
			skip = r.at.section == 0 && !code(r.at.addr) // of code that the linker has discarded
		}
		if skip || r.line > mostLine || r.line < 0 {
			return
		}
		file, ok := paths[r.file]
		if !ok {
			if file = n.path(r.file); file != "" {
				file = path.Clean(Join(dir, file))
			}
			paths[r.file] = file
		}
		if file == "" {
			r.line = 0
		}
		yield(PC{r.at.section, r.at.addr}, end, Line{file, r.line})
	})
}
