package lines

// table is the header of a line table, one of those in .debug_line.
type table struct {
	c       cursor // of the unit
	at      int64  // offset of the unit in the section
	version uint64
	address int // bytes of an address; 0 if the header does not say

	minLength, maxOps uint64
	lineBase          int64
	lineRange         uint64
	opcodeBase        uint8
	operands          [256]uint8 // of standard opcodes
	names             int        // where the tables of names begin
	program           int
}

// tableAt reads the header of the line table at an offset. It returns the offset of the next
// table, 0 if there is none.
func (f *source) tableAt(off int64) (t *table, next int64) {
	s := f.sections[".debug_line"]
	left := s.length() - off
	w, ok := s.read(off, min(12, left))
	if !ok || left < 4 {
		return nil, 0
	}
	c := newCursor(w, f.e.BigEndian(), false)
	n := c.length()
	head := int64(c.Pos)
	if c.Bad || n > uint64(left-head) {
		return nil, 0
	}
	next = off + head + int64(n)
	if w, ok = s.read(off, head+int64(n)); !ok {
		return nil, next
	}
	c.w, c.B = w, w.data
	t = &table{c: *c, at: off}
	if !t.header() {
		return nil, next
	}
	return t, next
}

// header reads the header's fields up to the names.
func (t *table) header() bool {
	c := &t.c
	t.version = c.Uint(2)
	if t.version < 2 || t.version > 5 {
		return false
	}
	if t.version >= 5 {
		t.address = int(c.U8())
		c.Skip(1) // segment selector
	}
	n := c.offset()
	if c.Bad || n > uint64(c.Left()) {
		return false
	}
	t.program = c.Pos + int(n)
	t.minLength, t.maxOps = uint64(c.U8()), 1
	if t.version >= 4 {
		t.maxOps = uint64(c.U8())
	}
	c.Skip(1) // default_is_stmt
	t.lineBase, t.lineRange = int64(int8(c.U8())), uint64(c.U8())
	t.opcodeBase = c.U8()
	for op := 1; op < int(t.opcodeBase); op++ {
		t.operands[op] = c.U8()
	}
	t.names = c.Pos
	return !c.Bad && t.maxOps > 0 && t.lineRange > 0 && t.opcodeBase > 0 && t.names <= t.program
}

// names are the directories and files of a line table, by index.
type names struct {
	version uint64
	bytes   int // of all names
	dirs    []string
	files   []named
}

type named struct {
	name string
	dir  uint64
}

// mostNames bounds the directories, and the files, of a line table whose names are used, and
// mostBytes the bytes of these names.
const mostNames, mostBytes = 1 << 16, 1 << 20

// limit returns a name, "" if the names have too many bytes.
func (n *names) limit(name string) string {
	if n.bytes += len(name); n.bytes > mostBytes {
		return ""
	}
	return name
}

// readNames reads the tables of names.
func (f *source) readNames(t *table) *names {
	n := &names{version: t.version}
	c := t.c
	c.Pos = t.names
	if t.version >= 5 {
		f.listed(&c, func(x named) { n.dirs = append(n.dirs, n.limit(x.name)) })
		f.listed(&c, func(x named) { n.files = append(n.files, named{n.limit(x.name), x.dir}) })
		return n
	}
	n.dirs, n.files = []string{""}, []named{{}} // the first ones have index 1
	for c.Pos < t.program && len(n.dirs) < mostNames {
		dir := c.text()
		if dir == "" {
			break
		}
		n.dirs = append(n.dirs, n.limit(dir))
	}
	for c.Pos < t.program && len(n.files) < mostNames {
		x := named{name: c.text()}
		if x.name == "" || c.Bad {
			break
		}
		x.dir = c.ULEB()
		c.ULEB() // time
		c.ULEB() // size
		n.files = append(n.files, named{n.limit(x.name), x.dir})
	}
	return n
}

// Content types of the tables of names in version 5.
const (
	lnctPath = 1
	lnctDir  = 2
)

// listed reads a table of names of version 5, which states the form of its entries.
func (f *source) listed(c *cursor, add func(named)) {
	type column struct{ what, form uint64 }
	var columns []column
	for range c.U8() {
		columns = append(columns, column{c.ULEB(), c.ULEB()})
	}
	count := c.ULEB()
	if len(columns) == 0 {
		return
	}
	v := values{f: f, c: c, unit: &unit{}}
	for i := uint64(0); i < min(count, mostNames) && !c.Bad && f.spend.step(int64(len(columns))); i++ {
		var x named
		for _, k := range columns {
			value := v.read(k.form, 0)
			switch k.what {
			case lnctPath:
				x.name = v.text(value)
			case lnctDir:
				x.dir = value.number
			}
		}
		if !c.Bad {
			add(x)
		}
	}
}

// path returns the path of a file, relative to the directory of the compilation unless it is
// absolute; "" for a file that the table does not have.
func (n *names) path(file uint64) string {
	if file >= uint64(len(n.files)) {
		return ""
	}
	x := n.files[file]
	if x.name == "" || x.dir >= uint64(len(n.dirs)) {
		return x.name
	}
	dir := n.dirs[x.dir]
	if n.version >= 5 && x.dir > 0 && len(n.dirs) > 0 {
		dir = Join(n.dirs[0], dir) // the first one is that of the compilation
	}
	return Join(dir, x.name)
}
