package consumers_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
	"github.com/sframe-lint/sframe-lint/reader"
)

// flip is a section of the corpus and the tools that are shown it with one
// bit turned over.
type flip struct {
	file  string
	shows []string // commands of shows
	links []string // commands of links
}

var flips = []flip{
	{"files/hand/v1-amd64.sframe", []string{"bookworm-ARCH-objdump"}, []string{"bookworm-ARCH-ld"}},
	{"files/hand/v2-amd64-section-relative.sframe", []string{"trixie-ARCH-objdump"}, []string{"trixie-ARCH-ld"}},
	{"files/hand/v2-amd64.sframe", []string{"sid-ARCH-objdump", "sid-llvm-readobj"}, nil},
	{"files/hand/v2-aarch64-be.sframe", []string{"sid-ARCH-objdump", "sid-llvm-readobj"}, nil},
	{"files/hand/v3-amd64.sframe", []string{"sid-ARCH-objdump"}, []string{"sid-ARCH-ld", "sid-mold"}},
	{"files/hand/v3-aarch64-be.sframe", []string{"sid-ARCH-objdump"}, []string{"sid-ARCH-ld", "sid-mold"}},
	{"files/raw/binutils-2.40-aarch64-be-static.sframe", []string{"bookworm-ARCH-objdump"}, []string{"bookworm-ARCH-ld"}},
	{"files/raw/binutils-2.44-aarch64-be-static.sframe", []string{"trixie-ARCH-objdump"}, []string{"trixie-ARCH-ld"}},
}

// TestInteropFlips holds profiles against tools on every section that one
// bit tells from a good one.
func TestInteropFlips(t *testing.T) {
	if testing.Short() {
		t.Skip("some 26,000 runs of tools take minutes: run without -short")
	}
	bin := toolchain.Bin(t)
	entries := map[string]manifestEntry{}
	for _, e := range corpus(t) {
		entries[e.File] = e
	}
	for _, c := range flips {
		e, ok := entries[c.file]
		require.True(t, ok)
		good := e.rawSection(t)
		h, addr := hostOf(good.Section), e.address(t)
		for _, name := range c.shows {
			t.Run(name+"/"+filepath.Base(c.file), func(t *testing.T) {
				tool := shows[indexOf(t, len(shows), func(i int) bool { return shows[i].command("ARCH") == name })]
				flipAll(t, tool.profile, good.Data, func(data []byte, dir string) (*reader.Object, outcome) {
					s := subject{name, h.exec(decode(data, addr), addr), true}
					o, path := s.read(t), filepath.Join(dir, "file")
					require.NoError(t, os.WriteFile(path, s.file, 0o600))
					r := run(t, filepath.Join(bin, tool.command(archOf(o))), append(tool.args, path)...)
					return o, tool.see(r, o, o.SFrames[0])
				})
			})
		}
		for _, name := range c.links {
			t.Run(name+"/"+filepath.Base(c.file), func(t *testing.T) {
				tool := links[indexOf(t, len(links), func(i int) bool { return links[i].command("ARCH") == name })]
				flipAll(t, tool.profile, good.Data, func(data []byte, dir string) (*reader.Object, outcome) {
					s := subject{name, h.object(decode(data, addr), reader.SHT_GNU_SFRAME), true}
					o := s.read(t)
					return o, tool.run(t, bin, dir, s, o)
				})
			})
		}
	}
}

func indexOf(t *testing.T, n int, ok func(int) bool) int {
	for i := range n {
		if ok(i) {
			return i
		}
	}
	require.Fail(t, "no such tool")
	return -1
}

// flipAll turns over each bit of the section.
func flipAll(t *testing.T, name string, good []byte, try func(data []byte, dir string) (*reader.Object, outcome)) {
	y := &tally{profile: profile(t, name)}
	dir := t.TempDir()
	for bit := range 8 * len(good) {
		data := bytes.Clone(good)
		data[bit/8] ^= 1 << (bit % 8)
		o, got := try(data, dir)
		if len(o.SFrames) == 0 {
			continue
		}
		y.compare(fmt.Sprintf("byte 0x%x, bit %d", bit/8, bit%8), o, o.SFrames[0], got)
	}
	y.report(t)
}
