package consumers_test

import (
	"debug/elf"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
	"github.com/sframe-lint/sframe-lint/reader"
)

// damages are faults of object files around the section. They are made of
// little-endian files.
var damages = []struct {
	name string
	do   func(file []byte, section, relocs *reader.Section)
}{
	{"section beyond the file", func(b []byte, s, _ *reader.Section) { put64(b, s, 0x20, 1<<20) }},
	{"section far beyond the file", func(b []byte, s, _ *reader.Section) { put64(b, s, 0x18, 1<<62) }},
	{"SHT_REL", func(b []byte, _, r *reader.Section) { put32(b, r, 0x04, uint32(elf.SHT_REL)) }},
	{"SHT_REL of 16 bytes", func(b []byte, _, r *reader.Section) {
		put32(b, r, 0x04, uint32(elf.SHT_REL))
		put64(b, r, 0x20, r.Size/24*16)
		put64(b, r, 0x38, 16)
	}},
	{"sh_entsize", func(b []byte, _, r *reader.Section) { put64(b, r, 0x38, 16) }},
	{"last entry in part", func(b []byte, _, r *reader.Section) { put64(b, r, 0x20, r.Size-1) }},
	{"relocations beyond the file", func(b []byte, _, r *reader.Section) { put64(b, r, 0x20, 24<<20) }},
	{"sh_link", func(b []byte, _, r *reader.Section) { put32(b, r, 0x28, 0) }},
	{"SHT_PROGBITS", func(b []byte, _, r *reader.Section) { put32(b, r, 0x04, uint32(elf.SHT_PROGBITS)) }},
	{"symbol", func(b []byte, _, r *reader.Section) { binary.LittleEndian.PutUint32(b[r.Offset+12:], 1<<20) }},
}

func put32(b []byte, s *reader.Section, off int64, v uint32) {
	binary.LittleEndian.PutUint32(b[s.Header.Off+off:], v)
}

func put64(b []byte, s *reader.Section, off int64, v uint64) {
	binary.LittleEndian.PutUint64(b[s.Header.Off+off:], v)
}

// damaged returns objects of all versions with all damages.
func damaged(t *testing.T) []subject {
	var all []subject
	for _, name := range []string{"hand/object.o", "binutils-2.40/amd64/main.o", "binutils-2.44/amd64/main.o", "binutils-2.47/aarch64/main.o"} {
		data, err := os.ReadFile(filepath.Join("../../..", "corpus", "files", filepath.FromSlash(name)))
		require.NoError(t, err)
		o := subject{name: name, file: data}.read(t)
		f := o.SFrames[0]
		for _, d := range damages {
			file := append([]byte(nil), data...)
			d.do(file, &o.ELF.Sections[f.Index], &o.ELF.Sections[f.RelocIndex])
			all = append(all, subject{name + ": " + d.name, file, false})
		}
	}
	return all
}

// TestInteropDamaged holds profiles against tools on damaged object files.
func TestInteropDamaged(t *testing.T) {
	bin := toolchain.Bin(t)
	all := damaged(t)
	for _, c := range shows {
		t.Run(c.command("ARCH"), func(t *testing.T) { c.compare(t, bin, all) })
	}
	for _, c := range links {
		t.Run(c.command("ARCH"), func(t *testing.T) {
			c.need(t)
			c.compare(t, bin, all)
		})
	}
}
