package lintcmd

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// heavy returns a program with n FDEs, each of step bytes more of the code than the one before, which is size
// bytes of nops, in so many sections that share them, and with symbols at one address. It has less than the bytes
// that make a budget larger.
func heavy(t *testing.T, size, n, step, sections, symbols int) []byte {
	const text, data = 0x100000, 0x40000000
	le := binary.LittleEndian
	code := append(bytes.Repeat([]byte{0x90}, size-1), 0xc3)
	b := []byte{0xe2, 0xde, 2, 5, 3, 0, 0xf8, 0}
	for _, v := range []int{n, n, 3 * n, 0, 20 * n} {
		b = le.AppendUint32(b, uint32(v))
	}
	for i := range n {
		b = le.AppendUint32(b, uint32(int32(text-data-28-20*i)))
		for _, v := range []int{size - step*(n-1-i), 3 * i, 1, 0} {
			b = le.AppendUint32(b, uint32(v))
		}
	}
	b = append(b, bytes.Repeat([]byte{0, 2, 8}, n)...)
	x := elf.Section64{Type: uint32(elf.SHT_PROGBITS), Flags: uint64(elf.SHF_ALLOC | elf.SHF_EXECINSTR), Addr: text, Off: 0x1000, Size: uint64(size)}
	f := elf64.File{Type: elf.ET_EXEC, Machine: elf.EM_X86_64, Order: le, Segments: []elf64.Segment{{Prog64: elf.Prog64{Type: uint32(elf.PT_LOAD), Flags: 5, Off: 0x1000, Vaddr: text, Filesz: uint64(size), Memsz: uint64(size)}}}}
	for i := range sections {
		s := &elf64.Section{Section64: x, Label: ".text", Raw: true}
		if i == 0 {
			s.Data = code
		}
		f.Sections = append(f.Sections, s)
	}
	end := uint64(0x1000 + size)
	f.Sections = append(f.Sections, &elf64.Section{Section64: elf.Section64{Type: uint32(reader.SHT_GNU_SFRAME), Flags: uint64(elf.SHF_ALLOC), Addr: data, Off: end, Size: uint64(len(b))}, Label: ".sframe", Data: b, Raw: true})
	var syms bytes.Buffer
	for range symbols {
		require.NoError(t, binary.Write(&syms, le, elf.Sym64{Name: 1, Info: 0x12, Shndx: 1, Value: text, Size: 1}))
	}
	end += uint64(len(b))
	f.Sections = append(f.Sections, &elf64.Section{Section64: elf.Section64{Type: uint32(elf.SHT_SYMTAB), Off: end, Size: uint64(syms.Len()), Link: uint32(len(f.Sections) + 2), Entsize: 24}, Label: ".symtab", Data: syms.Bytes(), Raw: true})
	f.Sections = append(f.Sections, &elf64.Section{Section64: elf.Section64{Type: uint32(elf.SHT_STRTAB), Off: end + uint64(syms.Len()), Size: 4}, Label: ".strtab", Data: []byte("\x00f\x00\x00"), Raw: true})
	f.Names = &elf64.Section{Section64: elf.Section64{Type: uint32(elf.SHT_STRTAB), Off: end + uint64(syms.Len()) + 16}, Label: ".shstrtab", Raw: true}
	f.Sections = append(f.Sections, f.Names)
	file := f.Bytes()
	require.Less(t, len(file), budget.FreeContent)
	return file
}

// heavyInputs are files on which work that no budget counted took longest.
func heavyInputs(t *testing.T) map[string][]byte {
	return map[string][]byte{
		"FDEs of the same code": heavy(t, 100_000, 4000, 0, 1, 4),
		"FDEs that overlap":     heavy(t, 100_000, 4000, 6, 1, 4),
		"overlapping sections":  heavy(t, 50_000, 4000, 0, 4000, 4),
		"symbols":               heavy(t, 1000, 10, 0, 1, 30_000),
		"a large function":      heavy(t, 900_000, 1, 0, 1, 4),
	}
}

// TestWork runs each rule alone. A rule charges more steps for a larger file. If the limit is a tenth of these
// steps, the run reports that the limit was reached.
func TestWork(t *testing.T) {
	for name, data := range heavyInputs(t) {
		run := func(r *rules.Rule, work int64) *budget.Budget {
			b := budget.New(t.Context(), budget.Limits{budget.Work: work})
			err := reader.ScanReader("x", bytes.NewReader(data), int64(len(data)), reader.Options{Context: b}, func(o *reader.Object) error {
				(&rules.Driver{Rules: []*rules.Rule{r}}).Run(o)
				return nil
			})
			require.True(t, err == nil || work > 0, "%s: %v", name, err)
			return b
		}
		for _, r := range catalogue.All(catalogue.Settings{}) {
			need := run(r, 0).Used(budget.Work)
			assert.Less(t, need, int64(64*len(data)), "%s: %s", name, r.ID)
			if need < 1000 {
				continue // it reads the headers
			}
			if b := run(r, need/10); assert.True(t, b.Over(budget.Work), "%s: %s of %d steps", name, r.ID, need) {
				assert.LessOrEqual(t, b.Used(budget.Work), need/10)
			}
		}
	}
}

// TestWorkOfCommands holds commands to a tenth of the steps that they take.
func TestWorkOfCommands(t *testing.T) {
	for name, data := range heavyInputs(t) {
		path := filepath.Join(t.TempDir(), "input")
		require.NoError(t, os.WriteFile(path, data, 0o666))
		for _, command := range [][]string{{}, {"dump"}, {"dump", "--code", "--cfi"}, {"coverage"}, {"functions"}, {"stat"}, {"consumers"}, {"view", "-o", path + ".html"}} {
			if name == "a large function" && len(command) < 2 && len(command) > 0 {
				continue // it looks at no code
			}
			_, out, errs := runMain(nil, append(command, "--limit", "max-work=1K", path)...)
			assert.Contains(t, out+errs, "the work budget is exceeded (--limit max-work=1K)", "%s: %v", name, command)
		}
	}
}

// wrongFunctions returns a section of version 2 of n functions without a valid FRE type.
func wrongFunctions(n int) []byte {
	le := binary.LittleEndian
	b := []byte{0xe2, 0xde, 2, 5, 3, 0, 0xf8, 0}
	for _, v := range []int{n, n, 3 * n, 0, 20 * n} {
		b = le.AppendUint32(b, uint32(v))
	}
	for i := range n {
		b = le.AppendUint32(b, uint32(0x100000+16*i-(28+20*i)))
		for _, v := range []int{16, 3 * i, 1, 3} { // size, FREs from, FREs, info
			b = le.AppendUint32(b, uint32(v))
		}
	}
	for range n {
		b = append(b, 0, 2, 8)
	}
	return b
}

// The findings that were made before the memory budget was exceeded are reported, and the limit
// after them.
func TestFindingsBeforeLimit(t *testing.T) {
	const n = 5000
	path := filepath.Join(t.TempDir(), "wrong.sframe")
	require.NoError(t, os.WriteFile(path, wrongFunctions(n), 0o666))
	number := func(pattern, text string) int {
		m := regexp.MustCompile(pattern).FindStringSubmatch(text)
		require.NotNil(t, m, "%s: %s", pattern, text)
		v, err := strconv.Atoi(m[1])
		require.NoError(t, err)
		return v
	}
	rules := func(text string) (ids []string) {
		for _, m := range regexp.MustCompile(`(?m)\[(SF\d{4})\]`).FindAllStringSubmatch(text, -1) {
			ids = append(ids, m[1])
		}
		return ids
	}
	args := []string{"--no-config", "--raw", "--limit", "max-findings=0", path}
	status, out, errs := runMain(nil, append([]string{"--limit", "max-memory=720K"}, args...)...)
	assert.Equal(t, 3, status)
	assert.Equal(t, []string{"SF2001", "SF5033"}, rules(out))
	shown := number(`(\d+) errors`, errs) - 1 // without SF5033
	assert.Equal(t, n, shown+number(`(\d+) more findings of SF2001 not shown`, errs))
	assert.Greater(t, shown, n/2)
	status, out, errs = runMain(nil, append([]string{"--limit", "max-memory=2900K"}, args...)...)
	assert.Equal(t, 1, status)
	assert.Equal(t, []string{"SF2001"}, rules(out))
	assert.Equal(t, n, number(`(\d+) errors`, errs))
}

// What a dump writes counts as work, before anything is written: holes of a file have no bytes
// that would allow it.
func TestDumpWork(t *testing.T) {
	path := filepath.Join(t.TempDir(), "wrong.sframe")
	require.NoError(t, os.WriteFile(path, wrongFunctions(5000), 0o666))
	for _, format := range []string{"text", "json", "objdump"} {
		status, _, errs := runMain(nil, "dump", "--format", format, "--limit", "max-work=1M", path)
		assert.Equal(t, 3, status, format)
		assert.Contains(t, errs, "the work budget is exceeded (--limit max-work=1M)", format)
		status, _, _ = runMain(nil, "dump", "--format", format, path)
		assert.Equal(t, 0, status, format)
	}
	status, out, _ := runMain(nil, "dump", "--pc", "0x100000", "--limit", "max-work=1M", path)
	assert.Equal(t, 0, status)
	assert.NotEmpty(t, out)
}
