package rewrite

import (
	"bufio"
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/budget"
	"github.com/sframe-lint/sframe-lint/internal/escape"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Origin returns the object that the code at an address of a linked file is from, and the archive that the
// object is in, "" for none. An empty object is not known.
type Origin func(addr uint64) (archive, object string)

// LibrarySize has the bytes of the objects of an archive, or of those outside of archives.
type LibrarySize struct {
	ObjectSize
	Count   int          `json:"count"`             // of objects
	Objects []ObjectSize `json:"objects,omitempty"` // the largest ones, the largest first
}

// ObjectSize has the bytes of an object: of its section or, in a linked file, of its functions as
// [FunctionSize] has them.
type ObjectSize struct {
	Name  string `json:"name,omitempty"` // "" of a library: objects outside of archives
	FDEs  int    `json:"fdes"`
	FREs  int    `json:"fres"`
	Bytes int64  `json:"bytes"`
}

func (s *ObjectSize) add(x *ObjectSize) {
	s.FDEs, s.FREs, s.Bytes = s.FDEs+x.FDEs, s.FREs+x.FREs, s.Bytes+x.Bytes
}

// objectName names an object, and its archive.
type objectName struct{ archive, object string }

var objectCost = int64(reflect.TypeFor[objectName]().Size()+reflect.TypeFor[ObjectSize]().Size()) * 2

// objectSizes are the bytes by object.
type objectSizes map[objectName]ObjectSize

// add adds bytes to an object. Errors: the budget.
func (s objectSizes) add(n objectName, x ObjectSize, b *budget.Budget) error {
	sum, ok := s[n]
	if !ok {
		if err := b.Spend(budget.Memory, objectCost+int64(len(n.archive)+len(n.object))); err != nil {
			return err
		}
	}
	sum.add(&x)
	s[n] = sum
	return nil
}

// whole attributes a section to the file that it is in, unless that was linked from several objects.
func (z *Size) whole(o *reader.Object) error {
	n := objectName{object: o.Path}
	switch {
	case o.Member != "":
		n = objectName{archive: o.Path, object: o.Member}
	case o.ELF == nil || !o.ELF.Relocatable():
		return nil
	}
	return z.objects.add(n, ObjectSize{FDEs: z.FDEs, FREs: z.FREs, Bytes: z.Bytes}, o.Budget)
}

// attribute attributes a function to its object.
func (m *measurer) attribute(addr uint64, x *FunctionSize) error {
	archive, object := m.origin(addr)
	if object == "" {
		return nil
	}
	return m.objects.add(objectName{archive, object}, ObjectSize{FDEs: 1, FREs: x.FREs, Bytes: x.Bytes}, m.budget)
}

// merge adds the objects of a section.
func (t *Sizes) merge(z *Size, b *budget.Budget) error {
	if z.mapped {
		rest := z.Bytes
		for _, x := range z.objects {
			rest -= x.Bytes
		}
		t.Unattributed += rest
		t.mapped = true
	}
	for n, x := range z.objects {
		if err := t.objects.add(n, x, b); err != nil {
			return err
		}
	}
	return nil
}

// libraries sums up the objects by archive, unless no archive is known.
func (t *Sizes) libraries() {
	byName := map[string]*LibrarySize{}
	for n, x := range t.objects {
		l := byName[n.archive]
		if l == nil {
			l = &LibrarySize{ObjectSize: ObjectSize{Name: escape.UTF8(n.archive)}}
			byName[n.archive] = l
		}
		l.add(&x)
		x.Name = escape.UTF8(n.object)
		l.Objects = append(l.Objects, x)
	}
	if !t.mapped && len(byName) == 1 && byName[""] != nil {
		return
	}
	for _, l := range byName {
		l.Count = len(l.Objects)
		slices.SortFunc(l.Objects, func(a, b ObjectSize) int { return a.compare(&b) })
		l.Objects = l.Objects[:min(l.Count, t.MostObjects)]
	}
	t.Libraries = slices.SortedFunc(maps.Values(byName), func(a, b *LibrarySize) int { return a.compare(&b.ObjectSize) })
}

// compare orders objects by size, the largest first.
func (s *ObjectSize) compare(x *ObjectSize) int {
	return cmp.Or(cmp.Compare(x.Bytes, s.Bytes), cmp.Compare(s.Name, x.Name))
}

// Title names the library.
func (l *LibrarySize) Title() string {
	if l.Name == "" {
		return "outside of archives"
	}
	return escape.Printable(l.Name)
}

// writeLibraries writes the bytes by library and object.
func (t *Sizes) writeLibraries(b *bufio.Writer) {
	if len(t.Libraries) == 0 {
		return
	}
	all := t.Unattributed
	for _, l := range t.Libraries {
		all += l.Bytes
	}
	fmt.Fprintf(b, "by library: %d bytes\n", all)
	for _, l := range t.Libraries {
		fmt.Fprintf(b, "    %8d  %5.1f%%  %s (objects: %d, FDEs: %d)\n", l.Bytes, percent(l.Bytes, all), l.Title(), l.Count, l.FDEs)
		for _, x := range l.Objects {
			fmt.Fprintf(b, "        %8d  %5.1f%%  %s (FDEs: %d)\n", x.Bytes, percent(x.Bytes, all), escape.Name(x.Name), x.FDEs)
		}
	}
	if t.Unattributed > 0 {
		fmt.Fprintf(b, "    %8d  %5.1f%%  header, padding, functions of no object\n", t.Unattributed, percent(t.Unattributed, all))
	}
}
