package lines

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/reader"
)

const corpus = "../../../corpus/files/lines"

// visit calls use with the object in a file of the corpus.
func visit(t testing.TB, file string, use func(*reader.Object)) {
	t.Helper()
	require.NoError(t, reader.Scan(filepath.Join(corpus, file), reader.Options{}, func(o *reader.Object) error {
		use(o)
		return nil
	}))
}

// text returns the index of .text in a relocatable file, 0 in a linked one, and the address of its
// first byte.
func text(o *reader.Object) (section uint32, addr uint64) {
	i := slices.IndexFunc(o.ELF.Sections, func(s reader.Section) bool { return s.Name == ".text" })
	if o.ELF.Relocatable() {
		return uint32(i), 0
	}
	return 0, o.ELF.Sections[i].Addr
}

func (l Location) String() string {
	s := fmt.Sprintf("%s:%d", l.File, l.Line.Line)
	for _, f := range l.Frames {
		s += " " + f.Function
		if f.Call.Line > 0 {
			s += fmt.Sprintf(" %s:%d", f.Call.File, f.Call.Line)
		}
	}
	if l.Before.Line > 0 {
		s += fmt.Sprintf(" after %d", l.Before.Line)
	}
	if l.Assembly {
		s += " (assembly)"
	}
	return s
}

// at returns the location of the instruction off bytes after the start of .text.
func at(o *reader.Object, off uint64) string {
	section, addr := text(o)
	pc := PC{section, addr + off}
	l, ok := Find(Sources{Object: o}, []PC{pc, pc})[pc]
	if !ok {
		return ""
	}
	return l.String()
}

const inlined = " hold /build/lines/work.c:5 twice /build/lines/work.c:13 work"

func TestFind(t *testing.T) {
	for _, x := range []struct {
		file string
		off  uint64
		want string
	}{
		{"dwarf2.o", 1, "/build/lines/hold.h:5" + inlined + " after 5"},
		{"dwarf3.o", 1, "/build/lines/hold.h:5" + inlined + " after 5"},
		{"dwarf4.o", 1, "/build/lines/hold.h:5" + inlined + " after 5"},
		{"dwarf5.o", 1, "/build/lines/hold.h:5" + inlined + " after 5"},
		{"dwarf64.o", 1, "/build/lines/hold.h:5" + inlined + " after 5"},
		{"zlib.o", 1, "/build/lines/hold.h:5" + inlined + " after 5"},
		{"zlib-gnu.o", 1, "/build/lines/hold.h:5" + inlined + " after 5"},
		{"zstd.o", 1, "/build/lines/hold.h:5" + inlined + " after 5"},
		{"aarch64.o", 4, "/build/lines/hold.h:7" + inlined + " after 7"},
		{"aarch64-be.o", 4, "/build/lines/hold.h:7" + inlined + " after 7"},
		{"s390x.o", 4, "/build/lines/hold.h:9" + inlined + " after 9"},
		{"linked-s390x.elf", 4, "/build/lines/hold.h:9" + inlined + " after 9"},
		{"split5.o", 1, "/build/lines/hold.h:5 after 5"},
		{"split4.o", 1, "/build/lines/hold.h:5 after 5"},
		{"assembly.o", 0, "/build/src/lines/frame.s:7 frame (assembly)"},
		{"assembly.o", 1, "/build/src/lines/frame.s:11 frame after 7 (assembly)"},
		{"assembly.o", 2, "/build/src/lines/frame.s:11 frame after 11 (assembly)"},
		{"assembly.o", 0xd, "/build/src/lines/frame.s:27 saves after 26 (assembly)"},
		{"assembly.o", 0x100, ""},
		{"linked.elf", 1, "/build/src/lines/frame.s:11 frame after 7 (assembly)"},
		{"lld.elf", 1, "/build/src/lines/frame.s:11 frame after 7 (assembly)"},
		{"stripped.elf", 1, ""},
	} {
		visit(t, x.file, func(o *reader.Object) { assert.Equal(t, x.want, at(o, x.off), "%s +%d", x.file, x.off) })
	}
}

// TestOtherSections: code of one section has no line of another one, and nothing is found for a
// place that does not exist.
func TestOtherSections(t *testing.T) {
	visit(t, "dwarf5.o", func(o *reader.Object) {
		section, _ := text(o)
		all := []PC{{section + 1, 1}, {0, 1}, {1 << 31, 1}, {section, 1 << 63}}
		assert.Empty(t, Find(Sources{Object: o}, all))
		assert.Empty(t, Find(Sources{Object: o}, nil))
	})
}

// damaged visits a file with some bytes of its debug information replaced: the n-th section of it,
// from an offset on.
func damaged(data []byte, sections [][2]int, n, off int, patch []byte, use func(*reader.Object)) error {
	b := bytes.Clone(data)
	s := sections[n%len(sections)]
	if s[1] > 0 {
		copy(b[s[0]+off%s[1]:s[0]+s[1]], patch)
	}
	return reader.ScanReader("damaged", bytes.NewReader(b), int64(len(b)), reader.Options{}, func(o *reader.Object) error {
		use(o)
		return nil
	})
}

// debugParts returns where the sections of debug information are, and those of their relocations.
func debugParts(o *reader.Object) (all [][2]int) {
	for i := range o.ELF.Sections {
		s := &o.ELF.Sections[i]
		if read, _ := debugSection(name(s)); read {
			all = append(all, [2]int{int(s.Offset), int(s.Size)})
		}
	}
	return all
}

// FuzzFind replaces bytes of debug information. A search ends, and finds nothing but what was
// searched for.
func FuzzFind(f *testing.F) {
	files := []string{"dwarf2.o", "dwarf4.o", "dwarf5.o", "dwarf64.o", "aarch64-be.o", "linked-s390x.elf", "linked.elf", "split4.o", "zlib.o"}
	var data [][]byte
	var parts [][][2]int
	for i, name := range files {
		b, err := os.ReadFile(filepath.Join(corpus, name))
		require.NoError(f, err)
		data = append(data, b)
		visit(f, name, func(o *reader.Object) { parts = append(parts, debugParts(o)) })
		for n := range parts[i] {
			f.Add(uint8(i), uint8(n), uint16(0), []byte{0xff, 0xff, 0xff, 0xff, 0xff})
			f.Add(uint8(i), uint8(n), uint16(20), []byte{0x80, 0x80, 0x80, 0x80, 0x01})
		}
	}
	f.Fuzz(func(t *testing.T, file, part uint8, off uint16, patch []byte) {
		k := int(file) % len(files)
		err := damaged(data[k], parts[k], int(part), int(off), patch, func(o *reader.Object) {
			section, addr := text(o)
			var all []PC
			for i := range uint64(64) {
				all = append(all, PC{section, addr + i})
			}
			for pc, l := range Find(Sources{Object: o}, all) {
				if !slices.Contains(all, pc) || l.Line.Line <= 0 || l.Line.Line > mostLine || len(l.Frames) > mostScopes {
					t.Errorf("%v: %v", pc, l)
				}
			}
		})
		if err != nil {
			t.Error(err)
		}
	})
}
