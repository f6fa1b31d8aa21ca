package properties

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/reader"
)

// archive is an archive with an object file, and the file's name in it.
type archive struct {
	bytes []byte
	name  string
}

// dialect puts an object file into an archive, with other members that a reader
// must skip.
func (r *run) dialect(f *generator.File) archive {
	var a archive
	b := []byte("!<arch>\n")
	switch r.m.Rand.IntN(3) {
	case 0: // BSD
		b = member(b, "__.SYMDEF SORTED", make([]byte, 8), true)
		a.name = "a name as BSD has it"
		b = member(b, "#1/20", append([]byte(a.name), f.Bytes...), true)
	case 1: // GNU, with a long name
		a.name = "a name too long for the header.o"
		b = member(b, "/", make([]byte, 4), true)
		b = member(b, "//", []byte(a.name+"/\n"), true)
		b = member(b, "/0", f.Bytes, true)
	case 2: // GNU, with a short one
		a.name = "short.o"
		b = member(b, "/SYM64/", make([]byte, 8), true)
		b = member(b, "short.o/", f.Bytes, true)
	}
	if r.m.Rand.IntN(2) == 0 {
		b = member(b, "inner.a/", []byte("!<arch>\n"), true)
		b = member(b, "empty/", nil, true)
	}
	a.bytes = b
	return a
}

// archives puts the section into an archive of a drawn format.
func (r *run) archives() {
	f, err := r.file(objectFile)
	if err != nil {
		return
	}
	if r.Dir != "" && r.m.Rand.IntN(2) == 0 {
		r.thin(f)
		return
	}
	a := r.dialect(f)
	r.input = a.bytes
	seen := 0
	err = reader.ScanReader("archive", bytes.NewReader(a.bytes), int64(len(a.bytes)), reader.Options{}, func(o *reader.Object) error {
		if o.Status == reader.StatusNotELF {
			return nil
		}
		seen++
		if o.Member != a.name {
			return fmt.Errorf("the member's name is read as %q", o.Member)
		}
		return holds(o, f)
	})
	if err != nil || seen != 1 {
		r.fail("archive: %d members of 1: %v", seen, err)
	}
}

// member adds a member to an archive; a thin one has only headers.
func member(b []byte, name string, data []byte, whole bool) []byte {
	b = fmt.Appendf(b, "%-16s%-12d%-6d%-6d%-8s%-10d`\n", name, 0, 0, 0, "644", len(data))
	if whole {
		b = append(b, data...)
		if len(data)%2 != 0 {
			b = append(b, '\n')
		}
	}
	return b
}

// thinMember is a member of a thin archive: its name in the table and its offset
// in a nested archive, and whether the object file exists.
type thinMember struct {
	name, origin string
	there        bool
}

// thin makes a thin archive with existing and missing members. The missing ones
// must be reported, and the others read. Then it damages the archive: that is
// never an error, as no I/O fails.
func (r *run) thin(f *generator.File) {
	dir, err := os.MkdirTemp(r.Dir, "")
	if err == nil {
		dir, err = filepath.Abs(dir)
	}
	if err != nil {
		r.fail("%v", err)
		return
	}
	defer os.RemoveAll(dir)
	inner := r.dialect(f)
	files := map[string][]byte{"one.o": f.Bytes, "inner.a": inner.bytes, "text": []byte("no object file\n")}
	at := fmt.Sprint(bytes.LastIndex(inner.bytes, f.Bytes) - 60 - bsdName(inner))
	members := []thinMember{
		{"one.o", "", true}, {"inner.a", at, true}, {"inner.a", at, true}, {filepath.Join(dir, "one.o"), "", true},
		{"missing.o", "", false}, {".", "", false}, {"text", at, false}, {"inner.a", "9", false}, {"inner.a", "8", false},
		{"one.o", "", true},
	}
	thin, want := thinArchive(members, f)
	files["thin.a"], files["damaged.a"] = thin, r.m.File(thin, 4)
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			r.fail("%v", err)
			return
		}
	}
	var got []bool
	err = reader.Scan(filepath.Join(dir, "thin.a"), reader.Options{}, func(o *reader.Object) error {
		there := !slices.ContainsFunc(o.Faults, func(f reader.Fault) bool { return f.Code == reader.MemberUnreadable })
		got = append(got, there)
		if there && o.Status != reader.StatusRepeated {
			return holds(o, f)
		}
		return nil
	})
	if err != nil || !slices.Equal(got, want) {
		r.fail("thin archive: members exist %v, not %v: %v", got, want, err)
	}
	r.stats.Damaged++
	if _, err := r.scan(filepath.Join(dir, "damaged.a")); err != nil {
		r.fail("damaged thin archive: %v", err)
	}
}

// bsdName returns the size of the name at the start of a member.
func bsdName(a archive) int {
	if bytes.Contains(a.bytes, []byte("#1/20 ")) {
		return 20
	}
	return 0
}

// thinArchive writes the archive and returns which members exist.
func thinArchive(members []thinMember, f *generator.File) (b []byte, there []bool) {
	var names []byte
	var refs []string
	for _, m := range members {
		ref := fmt.Sprintf("/%d", len(names))
		if m.origin != "" {
			ref += ":" + m.origin
		}
		refs, there = append(refs, ref), append(there, m.there)
		names = append(names, m.name+"/\n"...)
	}
	b = member([]byte("!<thin>\n"), "//", names, true)
	for _, ref := range refs {
		b = member(b, ref, f.Bytes, false)
	}
	return b, there
}
