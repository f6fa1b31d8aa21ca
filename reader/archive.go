package reader

import (
	"bytes"
	"debug/elf"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/container"
	"github.com/sframe-lint/sframe-lint/model"
)

// arHeaderSize is the bytes of a member's header.
const arHeaderSize = 60

// maxMemberName bounds a name, far beyond any real one, in bytes.
const maxMemberName = 1 << 16

// archive walks an archive in the formats of System V and GNU (thin ones
// too) and of BSD.
type archive struct {
	path   string
	prefix string // of the paths of packages in it
	src    source
	opts   Options
	visit  func(*Object) error
	thin   bool
	depth  int    // of archives that this one is a member of
	names  *names // the table of long names, nil for none
	faults []Fault
	// ahead is the header at aheadAt, which was read with the member before it.
	ahead   []byte
	aheadAt int64

	home *os.Root // directory of a thin archive, once a member is looked for
	// opened opens the file of a thin archive's member: openMember, or a test's.
	opened func(name, path string) (handle, fs.FileInfo, error)
	// A thin archive has the members of a nested one in a row: its names
	// are read once.
	nested      string
	nestedNames *names
	met         metMembers
	outside     outside
	deb         debian
}

// arMember is a member as its header describes it.
type arMember struct {
	at     int64 // of the header
	name   string
	size   int64 // of the data, with a BSD name before it
	index  bool  // a symbol table, of no interest
	table  bool  // the table of long names
	bsd    int64 // bytes of a BSD name before the data
	origin int64 // header of the member of a nested archive that is meant, -1
}

// inside reports whether the archive contains the member's bytes.
func (a *archive) inside(m *arMember) bool { return !a.thin || m.index || m.table }

// damage adds a fault. Errors: the budget.
func (a *archive) damage(at model.Span, format string, args ...any) error {
	return a.fault(ArchiveDamaged, at, format, args...)
}

func (a *archive) fault(code FaultCode, at model.Span, format string, args ...any) error {
	f := Fault{Code: code, Span: at.Clip(a.src.size), FDE: -1, FRE: -1, Detail: fmt.Sprintf(format, args...)}
	if err := a.src.hold(2*faultCost + int64(len(f.Detail))); err != nil {
		return err
	}
	a.faults = append(a.faults, f)
	return nil
}

// scan visits the members in order, and the archive itself where it can't be
// followed to its end.
func (a *archive) scan() error {
	defer func() {
		a.src.release()
		if a.home != nil {
			a.home.Close()
		}
	}()
	for pos := int64(len(arMagic)); pos < a.src.size; {
		m, ok, err := a.header(pos)
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		if err := a.member(&m); err != nil {
			return err
		}
		pos += arHeaderSize
		if !a.inside(&m) {
			continue
		}
		if left := a.src.size - pos; m.size > left {
			if err := a.damage(arSize(m.at), "member of %d bytes, %d are left", m.size, left); err != nil {
				return err
			}
			break
		}
		pos += m.size + m.size&1 // members start at even offsets
	}
	if err := a.reportOutside(); err != nil {
		return err
	}
	if err := a.lacksData(); err != nil {
		return err
	}
	if len(a.faults) == 0 {
		return nil
	}
	return a.visit(&Object{Path: a.path, Package: a.opts.pkg(), Context: a.src.budget, Base: a.src.base, Size: a.src.size, Status: StatusDamaged, Detail: a.faults[0].Detail, Faults: a.faults})
}

// arSize is where a header has the member's size.
func arSize(at int64) model.Span { return model.Span{Off: at + 48, Len: 10} }

// header reads the member header at pos. Where it can't be followed, it says
// so in a fault.
func (a *archive) header(pos int64) (m arMember, ok bool, err error) {
	m = arMember{at: pos, origin: -1}
	at := model.Span{Off: pos, Len: arHeaderSize}
	if a.src.size-pos < arHeaderSize {
		return m, false, a.damage(at, "a member's header is cut off: %d bytes of %d", a.src.size-pos, arHeaderSize)
	}
	b := a.ahead
	if a.aheadAt == pos && len(b) == arHeaderSize {
		err = a.src.spend(arHeaderSize)
	} else {
		b, err = a.src.read(at)
	}
	if err != nil {
		return m, false, err
	}
	if string(b[58:60]) != "`\n" {
		return m, false, a.damage(model.Span{Off: pos + 58, Len: 2}, "a member's header ends in %q, not \"`\\n\"", b[58:60])
	}
	if m.size, ok = decimal(b[48:58]); !ok {
		return m, false, a.damage(arSize(pos), "a member's size is %q, which is not a decimal number", b[48:58])
	}
	if err := a.src.budget.Step(1); err != nil {
		return m, false, err
	}
	ok, err = a.name(&m, strings.TrimRight(string(b[:16]), " "))
	return m, ok, err
}

// decimal reads a field of digits, filled up with spaces.
func decimal(field []byte) (int64, bool) {
	s := strings.TrimRight(string(field), " ")
	if s == "" || strings.TrimLeft(s, "0123456789") != "" {
		return 0, false // ParseInt would take a sign
	}
	n, err := strconv.ParseInt(s, 10, 63)
	return n, err == nil
}

// name finds out the member's name and role.
func (a *archive) name(m *arMember, field string) (ok bool, err error) {
	switch {
	case field == "/", field == "/SYM64/", strings.HasPrefix(field, "/<"):
		m.name, m.index = field, true
	case field == "//":
		m.name, m.table = field, true
	case strings.HasPrefix(field, "#1/") && !a.thin:
		return a.bsdName(m, field[3:])
	case strings.HasPrefix(field, "/"):
		return true, a.longName(m, field[1:])
	default:
		m.name = strings.TrimSuffix(field, "/")
		m.index = isBSDIndex(m.name)
	}
	return true, nil
}

// isBSDIndex tells the names of BSD's symbol tables.
func isBSDIndex(name string) bool {
	name = strings.TrimSuffix(name, " SORTED")
	return name == "__.SYMDEF" || name == "__.SYMDEF_64"
}

// longName looks a name up in the table: an offset and, in thin archives,
// after a colon where in a nested archive the member is. A name that cannot
// be read is shown as it is in the header.
func (a *archive) longName(m *arMember, ref string) (err error) {
	m.name = "/" + ref
	place := model.Span{Off: m.at, Len: 16}
	at, origin, nested := strings.Cut(ref, ":")
	off, ok := decimal([]byte(at))
	if nested {
		var good bool
		if m.origin, good = decimal([]byte(origin)); !good {
			m.origin, ok = -1, false
		}
	}
	if !ok || a.names == nil || off >= a.names.place.Len {
		return a.damage(place, "the name %q leads to no long name", m.name)
	}
	m.name, err = a.names.name(off, maxMemberName, '\n', "/")
	return err
}

// bsdName reads a name that precedes the data.
func (a *archive) bsdName(m *arMember, length string) (ok bool, err error) {
	n, ok := decimal([]byte(length))
	left := a.src.size - m.at - arHeaderSize
	if !ok || n > m.size || n > left || n > maxMemberName {
		return false, a.damage(model.Span{Off: m.at, Len: 16}, "a name of %q bytes in a member of %d", length, m.size)
	}
	b, err := a.src.read(model.Span{Off: m.at + arHeaderSize, Len: n})
	if err != nil {
		return false, err
	}
	if bytes.HasPrefix(b, []byte(elf.ELFMAG)) {
		return false, a.damage(model.Span{Off: m.at, Len: 16}, "a name that begins like a program, which not all programs take for a name")
	}
	m.bsd = n
	m.name, err = a.src.budget.Name(bytes.TrimRight(b, "\x00"))
	m.index = isBSDIndex(m.name)
	return err == nil, err
}

// data returns the bytes of a member that the archive contains, less what the
// file lacks.
func (a *archive) data(m *arMember) model.Span {
	sp := model.Span{Off: m.at + arHeaderSize + m.bsd, Len: m.size - m.bsd}
	return sp.Clip(a.src.size)
}

// member visits a member, or takes note of the table of long names.
func (a *archive) member(m *arMember) error {
	table := m.index || m.table
	if a.thin && !table {
		return a.thinMember(m)
	}
	src, head, err := a.open(m)
	if err != nil {
		return err
	}
	if table && !IsInput(head) { // programs list others of the same names
		if m.table {
			a.nameTable(m)
		}
		return nil
	}
	if !a.opts.Raw && a.depth < maxDepth && bytes.HasPrefix(head, []byte(arMagic)) {
		return a.inner(src, m).scan()
	}
	if packed, err := a.visitPackage(m, src, head); packed || err != nil {
		return err
	}
	o, err := a.object(src, head, m.name)
	if err != nil {
		return err
	}
	return src.visit(o, a.visit)
}

// maxDepth bounds archives in archives, which no linker looks into, but tools
// that pack libraries make.
const maxDepth = 8

// inner is an archive that is a member. Its members are called after both.
func (a *archive) inner(src source, m *arMember) *archive {
	prefix := a.prefix + container.Separator + "/" + m.name
	return &archive{path: a.path, prefix: prefix, src: src, opts: a.opts, depth: a.depth + 1, visit: func(o *Object) error {
		if o.Path != a.path {
			return a.visit(o) // of a package
		}
		if o.Member != "" {
			o.Member = "(" + o.Member + ")"
		}
		var err error
		if o.Member, err = a.src.budget.Name([]byte(m.name + o.Member)); err != nil {
			return err
		}
		return a.visit(o)
	}}
}

// open returns the bytes of a member that the archive contains, and the first ones,
// which decide what it is.
func (a *archive) open(m *arMember) (src source, head []byte, err error) {
	src = a.src.window(a.data(m))
	next, end := m.at+arHeaderSize+m.size+m.size&1, src.base-a.src.base+src.size
	after, err := src.load(max(min(next+arHeaderSize, a.src.size)-end, 0))
	if err != nil {
		return src, nil, err
	}
	if int64(len(after)) == next-end+arHeaderSize {
		a.ahead, a.aheadAt = after[next-end:], next
	}
	head, err = src.head(ehdrSize)
	return src, head, err
}

// object reads a member that has been opened.
func (a *archive) object(src source, head []byte, name string) (*Object, error) {
	o := &Object{Path: a.path, Package: a.opts.pkg(), Member: name, Base: src.base, Size: src.size, Context: src.budget}
	return o, readObject(o, src, head, a.opts)
}

func (a *archive) nameTable(m *arMember) {
	a.names = &names{pages: &pages{src: a.src, place: a.data(m)}}
}

// The members of a Debian package: the first one and how it begins, and how the names of those begin that control its
// installation, and of the one that has its files.
const (
	debFirst   = "debian-binary"
	debVersion = "2."
	debControl = "control.tar"
	debData    = "data.tar"
)

// debian describes an archive whose first member is that of a Debian package.
type debian struct {
	first bool // it is
	data  bool // it has files
	other bool // it has members that Debian packages do not have
}

// visitPackage visits the files of a member that is a package, and reports whether it is one. The files of a Debian package
// have paths as if they were in the archive itself.
func (a *archive) visitPackage(m *arMember, src source, head []byte) (bool, error) {
	if a.opts.Raw {
		return false, nil
	}
	data := a.deb.first && strings.HasPrefix(m.name, debData)
	switch {
	case m.at == int64(len(arMagic)) && m.name == debFirst && strings.HasPrefix(string(head), debVersion):
		a.deb.first = true
		return true, nil
	case data:
		a.deb.data = true
	case !strings.HasPrefix(m.name, debControl):
		a.deb.other = true
	}
	k, err := packageKind(src, head)
	if err != nil {
		return false, err
	}
	switch {
	case k == container.None && !data:
		return a.deb.first && !IsInput(head), nil
	case data && (k.Unsupported() || k == container.None && !IsInput(head)):
		return true, a.damage(model.Span{}, "the member %q is %s, which is not read", m.name, k)
	case k == container.None:
		return false, nil
	}
	src.path = a.prefix
	if !data {
		src.path += container.Separator + "/" + m.name
	}
	if a.opts.Skip != nil && src.path != a.path && a.opts.Skip(src.path) {
		return true, nil
	}
	opts := a.opts
	opts.inside = opts.within(a.src)
	a.opts.inside = opts.inside // what follows is in a package as well
	return true, scanPackage(src, k, opts, a.visit)
}

// lacksData reports a Debian package that is cut off before its files.
func (a *archive) lacksData() error {
	if d := a.deb; d.first && !d.data && !d.other && len(a.faults) == 0 {
		return a.damage(model.Span{Len: a.src.size}, "the Debian package has no member %s", debData)
	}
	return nil
}
