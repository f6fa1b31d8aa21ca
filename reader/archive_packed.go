package reader

import (
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/container"
	"github.com/sframe-lint/sframe-lint/model"
)

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
