package reader

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/regular"
	"github.com/sframe-lint/sframe-lint/model"
)

// errNoMember is why a nested archive's member cannot be read.
var errNoMember = errors.New("no such member")

// thinMember visits a member that a thin archive only names. One that can't
// be read concerns only the archive: the run goes on. A member that
// has been visited under this or another name is passed on unread.
func (a *archive) thinMember(m *arMember) error {
	o := &Object{Path: a.path, Member: m.name, Package: a.opts.pkg(), Context: a.src.budget}
	path := a.memberPath(m.name)
	open := a.opened
	if open == nil {
		open = a.openMember
	}
	f, info, err := open(m.name, path)
	switch {
	case errors.Is(err, errOutside):
		a.outside.add(m, path)
		return nil
	case err != nil:
		return a.visit(unreadable(o, m, err))
	}
	defer f.Close()
	size, id := info.Size(), memberID(info, m)
	if same := a.met.find(id); same != "" {
		o.File, o.Size, o.Status, o.Detail = path, size, StatusRepeated, "the same file as member "+same
		return a.visit(o)
	}
	src := newSource(f, path, size, a.src.budget)
	src.file()
	defer src.release()
	if m.origin >= 0 {
		o, src, err = a.nestedMember(src, m)
	} else {
		o.Size = size
		var head []byte
		if head, err = src.head(ehdrSize); err == nil {
			err = readObject(o, src, head, a.opts)
		}
	}
	var over *budget.Exceeded
	switch {
	case err == nil:
		a.met.add(id)
		o.File = path
		return src.visit(o, a.visit)
	case errors.As(err, &over), a.src.budget.Err() != nil:
		return err
	}
	return a.visit(unreadable(&Object{Path: a.path, Member: m.name, Context: a.src.budget}, m, err))
}

// metMember is the file that a thin archive's member was read from.
type metMember struct {
	memberKey
	info fs.FileInfo
	name string
}

// memberKey tells most files apart. Only one member of a nested archive is at an
// origin.
type memberKey struct {
	size, modified, origin int64
}

func memberID(info fs.FileInfo, m *arMember) metMember {
	return metMember{memberKey{info.Size(), info.ModTime().UnixNano(), m.origin}, info, m.name}
}

type metMembers map[memberKey][]metMember

// find returns the name under which the file was met, "" if it was not.
func (t metMembers) find(id metMember) string {
	for _, x := range t[id.memberKey] {
		if os.SameFile(x.info, id.info) {
			return x.name
		}
	}
	return ""
}

func (t *metMembers) add(id metMember) {
	if *t == nil {
		*t = metMembers{}
	}
	(*t)[id.memberKey] = append((*t)[id.memberKey], id)
}

// memberPath returns where a thin archive's member is: relative names count from
// the archive's directory, as GNU ar and ld take them. The path is not
// cleaned: "link/.." is not the directory that contains link.
func (a *archive) memberPath(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	dir, _ := filepath.Split(a.path)
	return dir + name
}

// errOutside is why a thin archive's member is not read: the archive may come from
// anyone, and name any file.
var errOutside = errors.New("outside of the archive's directory and of those that were named (--thin-root)")

// outside are the members of a thin archive that are not read for that reason. They have one fault.
type outside struct {
	n     int
	first arMember
	dir   string // that has all of them, symbolic links resolved
}

// add adds a member whose file is at path.
func (x *outside) add(m *arMember, path string) {
	dir := filepath.Dir(path)
	if real, err := resolvePath(path); err == nil {
		dir = filepath.Dir(real)
	}
	if x.n++; x.n == 1 {
		x.first, x.dir = *m, dir
	}
	for {
		rel, err := filepath.Rel(x.dir, dir)
		if err == nil && filepath.IsLocal(rel) || x.dir == filepath.Dir(x.dir) {
			return
		}
		x.dir = filepath.Dir(x.dir)
	}
}

// reportOutside adds the fault of the members outside.
func (a *archive) reportOutside() error {
	x := &a.outside
	if x.n == 0 {
		return nil
	}
	what := fmt.Sprintf("member %q is", x.first.name)
	if x.n > 1 {
		what = fmt.Sprintf("%d members, the first %q, are", x.n, x.first.name)
	}
	dir := x.dir
	if strings.ContainsFunc(dir, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("/._-+,:@\\", r)
	}) {
		dir = strconv.Quote(dir)
	}
	return a.fault(MemberUnreadable, model.Span{Off: x.first.at, Len: arHeaderSize},
		"%s outside of the archive's directory and of those that were named: add --thin-root %s", what, dir)
}

// handle is what a member's file must do.
type handle interface {
	io.ReaderAt
	io.Closer
}

// openMember opens the file of a thin archive's member if it is, symbolic links
// resolved, below the archive's directory or one of the allowed ones.
func (a *archive) openMember(name, path string) (handle, fs.FileInfo, error) {
	if a.home == nil {
		dir, _ := filepath.Split(a.path)
		home, err := os.OpenRoot(cmp.Or(dir, "."))
		if err != nil {
			return nil, nil, err
		}
		a.home = home
	}
	if filepath.IsLocal(name) {
		if f, info, err := regular.OpenIn(a.home, name); err == nil {
			return f, info, nil
		}
	}
	// It does not exist, or a symbolic link leads elsewhere.
	real, err := resolvePath(path)
	if err != nil {
		return nil, nil, err
	}
	for _, dir := range append([]string{a.home.Name()}, a.opts.ThinRoots...) {
		top, err := resolvePath(dir)
		if err != nil {
			continue
		}
		if rel, err := filepath.Rel(top, real); err == nil && filepath.IsLocal(rel) {
			return openBelow(top, rel)
		}
	}
	return nil, nil, &fs.PathError{Op: "open", Path: path, Err: errOutside}
}

// openBelow opens a regular file below a directory, also if one of the path's
// elements has become a symbolic link.
func openBelow(dir, rel string) (handle, fs.FileInfo, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	return regular.OpenIn(root, rel)
}

// resolvePath returns the path from the root on that a path leads to.
func resolvePath(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	return filepath.Abs(real)
}

func unreadable(o *Object, m *arMember, err error) *Object {
	o.damaged(err.Error(), Fault{Code: MemberUnreadable, Span: model.Span{Off: m.at, Len: arHeaderSize}, Detail: err.Error()})
	return o
}

// nestedMember reads a member of an archive that a thin archive names: ar
// puts a nested archive's members into the outer one, each with the offset
// of its header.
func (a *archive) nestedMember(src source, m *arMember) (*Object, source, error) {
	in := &archive{path: src.path, src: src, opts: a.opts}
	head, err := src.head(int64(len(arMagic)))
	if err != nil {
		return nil, src, err
	}
	if string(head) != arMagic {
		return nil, src, fmt.Errorf("%s: not a plain archive", src.path)
	}
	if a.nested != src.path {
		if err := in.findNames(); err != nil {
			return nil, src, err
		}
		a.nested, a.nestedNames = src.path, in.names
	}
	in.names, in.faults = a.nestedNames, nil
	x, ok, err := in.header(m.origin)
	switch {
	case err != nil:
		return nil, src, err
	case !ok || len(in.faults) > 0:
		return nil, src, fmt.Errorf("%s at 0x%x: %w: %s", src.path, m.origin, errNoMember, in.faults[0].Detail)
	case x.index || x.table || x.size > src.size-x.at-arHeaderSize:
		return nil, src, fmt.Errorf("%s at 0x%x: %w", src.path, m.origin, errNoMember)
	}
	src, head, err = in.open(&x)
	if err != nil {
		return nil, src, err
	}
	name, err := a.src.budget.Name(fmt.Appendf(nil, "%s(%s)", m.name, x.name))
	if err != nil {
		return nil, src, err
	}
	o, err := a.object(src, head, name)
	return o, src, err
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
			a.nameTable(&m)
			return nil
		}
		pos += arHeaderSize + m.size + m.size&1
	}
	return nil
}
