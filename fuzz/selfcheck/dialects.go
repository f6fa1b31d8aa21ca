package selfcheck

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/reader"
)

// dialects puts the section into files that are unusual but right: without
// section headers, and in archives of all dialects.
func (r *run) dialects() {
	r.input = nil
	if f, err := generator.WrapExec(r.p); err == nil {
		stripSections(f)
		r.stats.Files++
		r.same(f, "executable without section headers")
	}
	f, err := generator.WrapRel(r.p)
	if err != nil {
		return
	}
	switch r.m.Rand.IntN(3) {
	case 0:
		b := []byte("!<arch>\n")
		b = member(b, "#1/20", append([]byte("a name as BSD has it"), f.Bytes...), true)
		r.archive(b, "a name as BSD has it", f)
	case 1:
		name := "a name too long for the header.o"
		b := []byte("!<arch>\n")
		b = member(b, "/", make([]byte, 4), true)
		b = member(b, "//", []byte(name+"/\n"), true)
		r.archive(member(b, "/0", f.Bytes, true), name, f)
	case 2:
		if r.Dir != "" {
			r.thin(f)
		}
	}
}

// stripSections takes the section headers away, so that only the segment
// leads to the section.
func stripSections(f *generator.File) {
	var order binary.ByteOrder = binary.LittleEndian
	if f.Plan.BigEndian {
		order = binary.BigEndian
	}
	order.PutUint64(f.Bytes[0x28:], 0)           // e_shoff
	for _, at := range []int{0x3a, 0x3c, 0x3e} { // e_shentsize, e_shnum, e_shstrndx
		order.PutUint16(f.Bytes[at:], 0)
	}
}

// member adds a member to an archive; a thin one has headers alone.
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

// thin makes an archive that only names its members: a file beside it, and a
// member of another archive.
func (r *run) thin(f *generator.File) {
	dir, err := os.MkdirTemp(r.Dir, "")
	if err != nil {
		r.fail("%v", err)
		return
	}
	defer os.RemoveAll(dir)
	inner := member([]byte("!<arch>\n"), "inner.o/", f.Bytes, true)
	names := "one.o/\ninner.a/\n"
	b := member([]byte("!<thin>\n"), "//", []byte(names), true)
	b = member(b, "/0", f.Bytes, false)
	b = member(b, "/7:8", f.Bytes, false)
	for name, data := range map[string][]byte{"one.o": f.Bytes, "inner.a": inner, "thin.a": b} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			r.fail("%v", err)
			return
		}
	}
	seen := 0
	err = reader.Scan(filepath.Join(dir, "thin.a"), reader.Options{}, func(o *reader.Object) error {
		seen++
		return holds(o, f)
	})
	if err != nil || seen != 2 {
		r.fail("thin archive: %d members of 2: %v", seen, err)
	}
}

// archive sees that an archive has the member and it is what it was.
func (r *run) archive(b []byte, name string, f *generator.File) {
	r.input = b
	r.stats.Files++
	r.stats.Bytes += int64(len(b))
	seen := 0
	err := reader.ScanReader("archive", bytes.NewReader(b), int64(len(b)), reader.Options{}, func(o *reader.Object) error {
		seen++
		if o.Member != name {
			return fmt.Errorf("the member's name is read as %q", o.Member)
		}
		return holds(o, f)
	})
	if err != nil || seen != 1 {
		r.fail("archive: %d members of 1: %v", seen, err)
	}
}

// holds tells whether the object's section says what the file's plan says.
func holds(o *reader.Object, f *generator.File) error {
	if len(o.SFrames) != 1 || o.SFrames[0].Section == nil || len(o.SFrames[0].Faults) > 0 || len(o.Faults) > 0 {
		return fmt.Errorf("%d sections, faults %v", len(o.SFrames), o.Faults)
	}
	q, err := generator.FromModel(o.SFrames[0].Section)
	if err != nil {
		return err
	}
	if d := differ(f.Plan, q); d != "" {
		return fmt.Errorf("read as something else: %s", d)
	}
	return nil
}
