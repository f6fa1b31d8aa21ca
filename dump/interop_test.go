package dump_test

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/dump"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// tools returns the directory of the real objdumps, or skips the test.
func tools(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("SFRAME_TOOLS")
	if dir == "" {
		t.Skip("SFRAME_TOOLS names no toolchain directory (see scripts/toolchains)")
	}
	return filepath.Join(dir, "bin")
}

// suiteOf says which objdump prints a version.
func suiteOf(v model.Version) string {
	if v == model.SFRAME_VERSION_1 {
		return "bookworm" // binutils 2.40
	}
	return "sid" // binutils 2.47
}

var archOf = map[elf.Machine]string{elf.EM_X86_64: "x86_64", elf.EM_AARCH64: "aarch64", elf.EM_S390: "s390x"}

var memberHeading = regexp.MustCompile(`\n[^\n]*:     file format [^\n]*\n\n`)

// printed runs an objdump and returns what it prints of each object that
// has SFrame contents.
func printed(t *testing.T, command, path string) []string {
	t.Helper()
	out, err := exec.Command(command, "--sframe", path).Output()
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) {
		require.NoError(t, err) // an exit status alone: a member it can't read
	}
	var texts []string
	for _, text := range memberHeading.Split(string(out), -1) {
		if strings.HasPrefix(text, "Contents of the SFrame section") {
			texts = append(texts, text)
		}
	}
	return texts
}

// compare compares Objdump's text of all objects of a file with what the
// real tools print. It returns the number of sections.
func compare(t *testing.T, bin, path string) int {
	t.Helper()
	ours := map[string][]string{} // by tool
	err := reader.Scan(path, reader.Options{}, func(o *reader.Object) error {
		for _, s := range o.SFrames {
			if s.Name != ".sframe" || s.Section == nil {
				continue
			}
			var b strings.Builder
			require.NoError(t, dump.Objdump(&b, o, s))
			tool := suiteOf(s.Section.Version()) + "-" + archOf[o.ELF.Machine] + "-objdump"
			ours[tool] = append(ours[tool], b.String())
			break // objdump shows the first section of the name alone
		}
		return nil
	})
	require.NoError(t, err)
	n := 0
	for tool, texts := range ours {
		want := printed(t, filepath.Join(bin, tool), path)
		require.Len(t, texts, len(want), "sections that %s prints", tool)
		for i := range texts {
			require.Equal(t, want[i], texts[i], "%s, section %d", tool, i)
		}
		n += len(texts)
	}
	return n
}

// TestInteropCorpus compares the healthy files of the corpus.
func TestInteropCorpus(t *testing.T) {
	bin := tools(t)
	var manifest []struct {
		File    string
		Healthy bool
		Version int `json:"sframe_version"` // 0: no SFrame data
	}
	data, err := os.ReadFile(filepath.Join("..", "corpus", "manifest.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &manifest))
	files, sections := 0, 0
	for _, e := range manifest {
		// objdump finds sections by their headers, and neither raw sections
		// nor a file that has lost its headers have any.
		if !e.Healthy || strings.HasSuffix(e.File, ".sframe") || strings.HasSuffix(e.File, "/segment-alone.elf") {
			continue
		}
		t.Run(e.File, func(t *testing.T) {
			n := compare(t, bin, filepath.Join("..", "corpus", filepath.FromSlash(e.File)))
			require.Equal(t, e.Version > 0, n > 0)
			if n > 0 {
				files, sections = files+1, sections+n
			}
		})
	}
	require.NotZero(t, files)
	t.Logf("%d files with %d sections compared", files, sections)
}

// TestInteropRealworld compares programs that scripts/realworld has built.
func TestInteropRealworld(t *testing.T) {
	bin := tools(t)
	dir := os.Getenv("SFRAME_REALWORLD")
	if dir == "" {
		t.Skip("SFRAME_REALWORLD names no directory of built programs (see scripts/realworld)")
	}
	list, err := os.ReadFile(filepath.Join(dir, "list.tsv"))
	require.NoError(t, err)
	files, sections := 0, 0
	for line := range strings.Lines(string(list)) {
		path, _, _ := strings.Cut(line, "\t")
		t.Run(path, func(t *testing.T) {
			n := 0
			if hasContents(t, filepath.Join(dir, path)) {
				n = compare(t, bin, filepath.Join(dir, path))
			}
			if n > 0 {
				files, sections = files+1, sections+n
			}
		})
	}
	require.NotZero(t, files)
	t.Logf("%d files with %d sections compared", files, sections)
}

// hasContents tells whether every section could be decoded: linkers leave
// empty ones where they could not merge their inputs.
func hasContents(t *testing.T, path string) bool {
	t.Helper()
	whole := true
	err := reader.Scan(path, reader.Options{}, func(o *reader.Object) error {
		for _, s := range o.SFrames {
			whole = whole && s.Section != nil && len(s.Faults) == 0
		}
		return nil
	})
	require.NoError(t, err)
	return whole
}

// TestInteropSections compares the sections written out in this package,
// wrapped in an ELF file.
func TestInteropSections(t *testing.T) {
	bin := tools(t)
	for _, c := range sections {
		if !c.healthy {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "wrapped.elf")
			require.NoError(t, os.WriteFile(path, wrap(t, unhex(t, c.hex), c.addr), 0o644))
			require.Equal(t, 1, compare(t, bin, path))
		})
	}
}

// wrap makes an executable of the section's machine that holds nothing but
// the section.
func wrap(t *testing.T, data []byte, addr uint64) []byte {
	t.Helper()
	_, s := rawSection("", data, addr)
	require.NotNil(t, s.Section)
	order := binary.ByteOrder(binary.LittleEndian)
	enc := elf.ELFDATA2LSB
	if s.Section.BigEndian() {
		order, enc = binary.BigEndian, elf.ELFDATA2MSB
	}
	const names = "\x00.sframe\x00.shstrtab\x00"
	const ehdr, shdr = 64, 64
	at := func(n int) uint64 { return uint64(ehdr + n) }

	var b bytes.Buffer
	b.WriteString(elf.ELFMAG)
	b.Write([]byte{byte(elf.ELFCLASS64), byte(enc), 1, 0, 0, 0, 0, 0, 0, 0, 0, 0})
	put := func(v ...any) {
		for _, x := range v {
			require.NoError(t, binary.Write(&b, order, x))
		}
	}
	put(uint16(elf.ET_EXEC), uint16(s.Section.ABI().Machine), uint32(1), uint64(0), uint64(0),
		at(len(data)+len(names)), uint32(0), uint16(ehdr), uint16(0), uint16(0), uint16(shdr), uint16(3), uint16(2))
	b.Write(data)
	b.WriteString(names)
	b.Write(make([]byte, shdr))
	put(uint32(1), uint32(reader.SHT_GNU_SFRAME), uint64(elf.SHF_ALLOC), addr, at(0), uint64(len(data)),
		uint32(0), uint32(0), uint64(1), uint64(0))
	put(uint32(9), uint32(elf.SHT_STRTAB), uint64(0), uint64(0), at(len(data)), uint64(len(names)),
		uint32(0), uint32(0), uint64(1), uint64(0))
	return b.Bytes()
}
