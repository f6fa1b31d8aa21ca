package reader

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/sframe-lint/sframe-lint/model"
)

// errNoMember is why a nested archive's member cannot be read.
var errNoMember = errors.New("no such member")

// thinMember visits a member that a thin archive only names. One that can't
// be read is the archive's reader's loss alone: the run goes on.
func (a *archive) thinMember(m *arMember) error {
	o := &Object{Path: a.path, Member: m.name}
	path := a.beside(m.name)
	f, size, err := openRegular(path)
	if err != nil {
		return a.visit(unreadable(o, m, err))
	}
	defer f.Close()
	src := newSource(f, path, size)
	if m.origin >= 0 {
		nested, err := a.nestedMember(src, m)
		if err != nil {
			return a.visit(unreadable(o, m, err))
		}
		return src.visit(nested, a.visit)
	}
	o.Size = size
	head, err := src.head(ehdrSize)
	if err == nil {
		err = readObject(o, src, head, a.opts)
	}
	if err != nil {
		return a.visit(unreadable(&Object{Path: a.path, Member: m.name}, m, err))
	}
	return src.visit(o, a.visit)
}

// beside returns where a thin archive's member is: relative names count from
// the archive's directory, as GNU ar and ld take them. The path is not
// cleaned: "link/.." is not the directory that contains link.
func (a *archive) beside(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	dir, _ := filepath.Split(a.path)
	return dir + name
}

func unreadable(o *Object, m *arMember, err error) *Object {
	o.Status, o.Detail = StatusDamaged, err.Error()
	o.Faults = append(o.Faults, Fault{Code: MemberUnreadable, Span: model.Span{Off: m.at, Len: arHeaderSize},
		FDE: -1, FRE: -1, Detail: err.Error()})
	return o
}

// nestedMember reads a member of an archive that a thin archive names: ar
// puts a nested archive's members into the outer one, each with the offset
// of its header.
func (a *archive) nestedMember(src source, m *arMember) (*Object, error) {
	in := &archive{path: src.path, src: src, opts: a.opts}
	head, err := src.head(int64(len(arMagic)))
	if err != nil {
		return nil, err
	}
	if string(head) != arMagic {
		return nil, fmt.Errorf("%s: not a plain archive", src.path)
	}
	if a.nested != src.path {
		if err := in.findNames(); err != nil {
			return nil, err
		}
		a.nested, a.nestedNames = src.path, in.names
	}
	in.names, in.faults = a.nestedNames, nil
	x, ok, err := in.header(m.origin)
	switch {
	case err != nil:
		return nil, err
	case !ok || len(in.faults) > 0:
		return nil, fmt.Errorf("%s at 0x%x: %w: %s", src.path, m.origin, errNoMember, in.faults[0].Detail)
	case x.index || x.table || x.size > src.size-x.at-arHeaderSize:
		return nil, fmt.Errorf("%s at 0x%x: %w", src.path, m.origin, errNoMember)
	}
	src, head, err = in.open(&x)
	if err != nil {
		return nil, err
	}
	return a.object(src, head, fmt.Sprintf("%s(%s)", m.name, x.name))
}

// findNames reads the table of long names, which precedes the
// members.
func (a *archive) findNames() error {
	for pos := int64(len(arMagic)); pos < a.src.size; {
		m, ok, err := a.header(pos)
		if err != nil || !ok || !m.index && !m.table {
			return err
		}
		if m.table {
			return a.nameTable(&m)
		}
		pos += arHeaderSize + m.size + m.size&1
	}
	return nil
}
