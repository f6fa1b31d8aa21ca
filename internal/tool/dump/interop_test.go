package dump_test

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
	"github.com/sframe-lint/sframe-lint/internal/tool/dump"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// suiteOf says which objdump prints a version.
func suiteOf(v model.Version) string {
	if v == model.SFRAME_VERSION_1 {
		return "bookworm" // binutils 2.40
	}
	return "sid" // binutils 2.47
}

var memberHeading = regexp.MustCompile(`\n[^\n]*:     file format [^\n]*\n\n`)

// printed runs an objdump and returns what it prints of each object that
// has SFrame contents.
func printed(t *testing.T, command, path string) []string {
	t.Helper()
	out, err := exec.Command(command, "--sframe", path).Output()
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) {
		require.NoError(t, err) // an exit status alone: a member it cannot read
	}
	var texts []string
	for _, text := range memberHeading.Split(string(out), -1) {
		if strings.HasPrefix(text, "Contents of the SFrame section") {
			texts = append(texts, text)
		}
	}
	return texts
}

// tally counts what has been compared.
type tally struct{ files, sections, functions, rows int }

func (n *tally) add(m tally) {
	if m.sections > 0 {
		n.files++
	}
	n.sections += m.sections
	n.functions += m.functions
	n.rows += m.rows
}

// compare compares Objdump's text of all objects of a file with what the
// real tools print.
func compare(t *testing.T, bin, path string) (n tally) {
	t.Helper()
	ours := map[string][]string{} // by tool
	without := false              // a member has no SFrame data
	err := reader.Scan(path, reader.Options{}, func(o *reader.Object) error {
		without = without || len(o.SFrames) == 0
		for _, s := range o.SFrames {
			if s.Name != ".sframe" || s.Section == nil {
				continue
			}
			var b strings.Builder
			require.NoError(t, dump.Objdump(&b, o, s))
			tool := suiteOf(s.Section.Version()) + "-" + o.ELF.ABI().Arch + "-objdump"
			ours[tool] = append(ours[tool], b.String())
			n.functions += s.Section.NumFDEs()
			n.rows += s.Section.NumFREs()
			break // objdump shows the first section of the name alone
		}
		return nil
	})
	require.NoError(t, err)
	for tool, texts := range ours {
		want := printed(t, filepath.Join(bin, tool), path)
		if without && strings.HasPrefix(tool, "bookworm") && len(want) < len(texts) {
			texts = texts[:len(want)] // 2.40 gives up at a member that has none
		}
		require.Len(t, texts, len(want), "sections that %s prints", tool)
		for i := range texts {
			require.Equal(t, want[i], texts[i], "%s, section %d", tool, i)
		}
		n.sections += len(texts)
	}
	return n
}

// unnamed reports whether no section of an ELF file has the name of SFrame data.
func unnamed(path string) bool {
	f, err := elf.Open(path)
	if err != nil {
		return false // an archive
	}
	defer f.Close()
	return f.Section(".sframe") == nil
}

// TestInteropCorpus compares the healthy files of the corpus.
func TestInteropCorpus(t *testing.T) {
	bin := toolchain.Bin(t)
	var manifest []struct {
		File    string
		Healthy bool
		Version int `json:"sframe_version"` // 0: no SFrame data
	}
	data := must.Get(os.ReadFile(filepath.Join("../../..", "corpus", "manifest.json")))(t)
	require.NoError(t, json.Unmarshal(data, &manifest))
	var all tally
	for _, e := range manifest {
		// objdump finds sections by their headers, and neither raw sections nor a file that has lost
		// its headers have any; nor does it look for a section of another name.
		path := filepath.Join("../../..", "corpus", filepath.FromSlash(e.File))
		if !e.Healthy || strings.HasSuffix(e.File, ".sframe") || e.Version > 0 && unnamed(path) {
			continue
		}
		t.Run(e.File, func(t *testing.T) {
			n := compare(t, bin, path)
			require.Equal(t, e.Version > 0, n.sections > 0)
			all.add(n)
		})
	}
	require.NotZero(t, all.rows)
	t.Logf("compared: %+v", all)
}

// TestInteropRealworld compares programs that scripts/realworld has built.
func TestInteropRealworld(t *testing.T) {
	bin := toolchain.Bin(t)
	dir := os.Getenv("SFRAME_REALWORLD")
	if dir == "" {
		t.Skip("SFRAME_REALWORLD names no directory of built programs (see scripts/realworld)")
	}
	list := must.Get(os.ReadFile(filepath.Join(dir, "list.tsv")))(t)
	var all tally
	damaged := 0
	for line := range strings.Lines(string(list)) {
		path, _, _ := strings.Cut(line, "\t")
		t.Run(path, func(t *testing.T) {
			if !sound(t, filepath.Join(dir, path)) {
				damaged++
				return
			}
			all.add(compare(t, bin, filepath.Join(dir, path)))
		})
	}
	require.NotZero(t, all.rows)
	t.Logf("compared: %+v; damaged files left out: %d", all, damaged)
}

// sound reports whether objdump can print a file correctly. Linkers leave an empty section if they could not merge
// the inputs. Before version 2.47, ld -r leaves relocations within FDEs and FREs, where objdump applies them.
func sound(t *testing.T, path string) bool {
	t.Helper()
	ok := true
	err := reader.Scan(path, reader.Options{}, func(o *reader.Object) error {
		for _, s := range o.SFrames {
			if s.Section == nil || len(s.Faults) > 0 {
				ok = false
				break
			}
			n := int64(model.FDESize(s.Section.Version()))
			fdes := s.Section.FDESubsection()
			for _, r := range s.Relocs {
				ok = ok && fdes.Contains(r.Offset) && (r.Offset-fdes.Off)%n == 0
			}
		}
		return nil
	})
	require.NoError(t, err)
	return ok
}

// TestInteropSections compares the sections written out in this package,
// wrapped in an ELF file.
func TestInteropSections(t *testing.T) {
	bin := toolchain.Bin(t)
	for _, c := range sections {
		if !c.healthy {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "wrapped.elf")
			require.NoError(t, os.WriteFile(path, wrap(t, unhex(t, c.hex), c.addr), 0o644))
			require.Equal(t, 1, compare(t, bin, path).sections)
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

var generated = flag.Int("generated", 250, "sections of each version and ABI to compare with objdump")

// batch is how many files an archive holds: objdump then starts once for all.
const batch = 250

// TestInteropGenerated compares random valid sections of every version and
// ABI that an objdump reads. Sections with an auxiliary header are not among
// them: objdump rejects those.
func TestInteropGenerated(t *testing.T) {
	bin := toolchain.Bin(t)
	for v := model.SFRAME_VERSION_1; v <= model.SFRAME_VERSION_3; v++ {
		for _, abi := range model.ABIs() {
			if !abi.InVersion(v) {
				continue
			}
			t.Run(fmt.Sprintf("%v %s", v, abi.Spec), func(t *testing.T) {
				rnd := rand.New(rand.NewPCG(uint64(v), uint64(abi.ID)))
				var sum tally
				for left := *generated; left > 0; left -= batch {
					path := filepath.Join(t.TempDir(), "generated.a")
					require.NoError(t, os.WriteFile(path, archiveOf(t, rnd, v, abi.ID, min(left, batch)), 0o600))
					sum.add(compare(t, bin, path))
				}
				require.Equal(t, *generated, sum.sections)
				t.Logf("%d sections, %d functions, %d rows are equal", sum.sections, sum.functions, sum.rows)
			})
		}
	}
}

// archiveOf returns an archive of files with sections, in turn relocatable
// and executable.
func archiveOf(t *testing.T, rnd *rand.Rand, v model.Version, abi model.ABI, n int) []byte {
	t.Helper()
	var members []generator.Member
	for len(members) < n {
		cfg := generator.Swarm(rnd)
		cfg.Version, cfg.ABI, cfg.Aux = v, abi, 0
		if v == model.SFRAME_VERSION_1 {
			cfg.FDEGap, cfg.FREGap, cfg.Trailing = 0, 0, 0 // 2.40 gives up at those
		}
		plan, err := generator.Generate(cfg)
		if err != nil {
			continue // drawn for another version: its functions are out of reach
		}
		i := len(members)
		wrap := generator.WrapRel
		if i%2 == 1 {
			wrap = generator.WrapExec
		}
		file, err := wrap(plan)
		if err != nil {
			continue // at its place in the file, a function is out of reach
		}
		members = append(members, generator.Member{Name: fmt.Sprintf("m%d.o", i), Bytes: file.Bytes})
	}
	data := must.Get(generator.WrapArchive(members))(t)
	return data
}
