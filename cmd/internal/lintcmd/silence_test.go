package lintcmd

import (
	"bytes"
	"compress/zlib"
	"debug/elf"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
	"github.com/sframe-lint/sframe-lint/model"
)

// image is an ELF64 file whose headers a test changes.
type image struct {
	data  []byte
	order binary.ByteOrder
}

func readImage(t *testing.T, name string) *image {
	data := must.Get(os.ReadFile(corpus + name))(t)
	im := &image{data, binary.LittleEndian}
	if elf.Data(data[elf.EI_DATA]) == elf.ELFDATA2MSB {
		im.order = binary.BigEndian
	}
	return im
}

// get and set access the field of a structure.
func (im *image) get(at int, f model.Span) uint64 {
	b := im.data[at+int(f.Off):][:f.Len]
	switch f.Len {
	case 2:
		return uint64(im.order.Uint16(b))
	case 4:
		return uint64(im.order.Uint32(b))
	}
	return im.order.Uint64(b)
}

func (im *image) set(at int, f model.Span, v uint64) {
	b := im.data[at+int(f.Off):][:f.Len]
	switch f.Len {
	case 2:
		im.order.PutUint16(b, uint16(v))
	case 4:
		im.order.PutUint32(b, uint32(v))
	default:
		im.order.PutUint64(b, v)
	}
}

func (im *image) count() int { return int(im.get(0, elf64.EhdrShnum)) }

// header returns the offset of a section header.
func (im *image) header(i int) int { return int(im.get(0, elf64.EhdrShoff)) + i*elf64.ShdrSize }

func (im *image) name(i int) string {
	names := im.get(im.header(int(im.get(0, elf64.EhdrShstrndx))), elf64.ShdrOffset)
	b := im.data[names+im.get(im.header(i), elf64.ShdrName):]
	return string(b[:bytes.IndexByte(b, 0)])
}

// find returns the offset of a section's header, 0 for none.
func (im *image) find(name string) int {
	for i := range im.count() {
		if im.name(i) == name {
			return im.header(i)
		}
	}
	return 0
}

// segment returns the offset of the first program header of a type, 0 for none.
func (im *image) segment(typ elf.ProgType) int {
	for i := range int(im.get(0, elf64.EhdrPhnum)) {
		if at := int(im.get(0, elf64.EhdrPhoff)) + i*elf64.PhdrSize; elf.ProgType(im.get(at, elf64.PhdrType)) == typ {
			return at
		}
	}
	return 0
}

func (im *image) append(b []byte) (at uint64) {
	for len(im.data)%8 != 0 {
		im.data = append(im.data, 0)
	}
	at = uint64(len(im.data))
	im.data = append(im.data, b...)
	return at
}

// add adds a section with these bytes and returns the offset of its header.
func (im *image) add(name string, typ elf.SectionType, flags elf.SectionFlag, data []byte) int {
	table := im.header(int(im.get(0, elf64.EhdrShstrndx)))
	from := im.get(table, elf64.ShdrOffset)
	names := append(bytes.Clone(im.data[from:from+im.get(table, elf64.ShdrSizeField)]), name+"\x00"...)
	n := im.count()
	headers := append(bytes.Clone(im.data[im.header(0):im.header(n)]), make([]byte, elf64.ShdrSize)...)
	place, strings := im.append(data), im.append(names)
	im.set(0, elf64.EhdrShoff, im.append(headers))
	im.set(0, elf64.EhdrShnum, uint64(n+1))
	table = im.header(int(im.get(0, elf64.EhdrShstrndx)))
	im.set(table, elf64.ShdrOffset, strings)
	im.set(table, elf64.ShdrSizeField, uint64(len(names)))
	at := im.header(n)
	for f, v := range map[model.Span]uint64{
		elf64.ShdrName: uint64(len(names) - len(name) - 1), elf64.ShdrType: uint64(typ), elf64.ShdrFlags: uint64(flags), elf64.ShdrOffset: place,
		elf64.ShdrSizeField: uint64(len(data)), elf64.ShdrAddralign: 1,
	} {
		im.set(at, f, v)
	}
	return at
}

// chdr returns the bytes of a compressed section.
func (im *image) chdr(how elf.CompressionType, size uint64, body []byte) []byte {
	b := make([]byte, elf64.ChdrSize)
	im.order.PutUint32(b, uint32(how))
	im.order.PutUint64(b[8:], size)
	im.order.PutUint64(b[16:], 1)
	return append(b, body...)
}

func zdebug(size uint64, body []byte) []byte {
	return append(binary.BigEndian.AppendUint64([]byte("ZLIB"), size), body...)
}

func deflated(n int) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	w.Write(make([]byte, n))
	w.Close()
	return b.Bytes()
}

type attack struct {
	name string
	do   func(im *image) bool // false: the file has no place for it
}

// field returns attacks that set a field of a section to some values.
func onSection(section string, f model.Span, what string, values ...uint64) (all []attack) {
	for _, v := range values {
		all = append(all, attack{fmt.Sprintf("%s %s 0x%x", section, what, v), func(im *image) bool {
			at := im.find(section)
			if at == 0 {
				return false
			}
			im.set(at, f, v)
			return true
		}})
	}
	return all
}

func withFlag(section string, flag elf.SectionFlag) attack {
	return attack{section + " " + flag.String(), func(im *image) bool {
		at := im.find(section)
		if at != 0 {
			im.set(at, elf64.ShdrFlags, im.get(at, elf64.ShdrFlags)|uint64(flag))
		}
		return at != 0
	}}
}

func adding(name string, what string, typ elf.SectionType, flags elf.SectionFlag, data func(im *image) []byte, more ...func(im *image, at int)) attack {
	return attack{"added " + name + " " + what, func(im *image) bool {
		at := im.add(name, typ, flags, data(im))
		for _, f := range more {
			f(im, at)
		}
		return true
	}}
}

func size(v uint64) func(*image, int) {
	return func(im *image, at int) { im.set(at, elf64.ShdrSizeField, v) }
}

const bits, compressed = elf.SHT_PROGBITS, elf.SHF_COMPRESSED

func attacks() (all []attack) {
	text := func(s string) func(*image) []byte { return func(*image) []byte { return []byte(s) } }
	all = append(all,
		adding(".zdebug_frame", "claims 2^40", bits, 0, func(*image) []byte { return zdebug(1<<40, make([]byte, 88)) }),
		adding(".zdebug_frame", "claims 2^64-1", bits, 0, func(*image) []byte { return zdebug(1<<64-1, make([]byte, 88)) }),
		adding(".zdebug_frame", "claims 17 MB", bits, 0, func(*image) []byte { return zdebug(17<<20, make([]byte, 88)) }),
		adding(".zdebug_frame", "claims 90 KB", bits, 0, func(*image) []byte { return zdebug(90_000, make([]byte, 88)) }),
		adding(".zdebug_frame", "without magic", bits, 0, text("no magic number here")),
		adding(".zdebug_frame", "of 17 MB", bits, 0, func(*image) []byte { return zdebug(17<<20, deflated(17<<20)) }),
		adding(".debug_frame", "compressed, claims 2^40", bits, compressed, func(im *image) []byte { return im.chdr(elf.COMPRESS_ZLIB, 1<<40, make([]byte, 76)) }),
		adding(".debug_frame", "compressed by zstd, claims 2^40", bits, compressed, func(im *image) []byte { return im.chdr(elf.COMPRESS_ZSTD, 1<<40, make([]byte, 76)) }),
		adding(".debug_frame", "compressed by zstd, claims 1 MB", bits, compressed, func(im *image) []byte { return im.chdr(elf.COMPRESS_ZSTD, 1<<20, make([]byte, 76)) }),
		adding(".debug_frame", "compressed in an unknown way", bits, compressed, func(im *image) []byte { return im.chdr(77, 1<<40, make([]byte, 76)) }),
		adding(".debug_frame", "compressed, cut off", bits, compressed, text("short")),
		adding(".debug_frame", "of 2^40 bytes", bits, 0, text("none"), size(1<<40)),
		adding(".debug_frame", "of 2^64-1 bytes", bits, 0, text("none"), size(1<<64-1)),
		adding(".debug_frame", "of 20 MB, sparse", bits, 0, func(*image) []byte { return make([]byte, 20<<20) }),
		adding(".eh_frame", "of 2^40 bytes", bits, elf.SHF_ALLOC, text("none"), size(1<<40)),
		adding(".eh_frame", "compressed, claims 2^40", bits, compressed, func(im *image) []byte { return im.chdr(elf.COMPRESS_ZLIB, 1<<40, make([]byte, 76)) }),
		adding(".eh_frame", "of no type", elf.SHT_NOBITS, elf.SHF_ALLOC, text("none"), size(1<<40)),
		adding(".text.more", "of 2^40 bytes", bits, elf.SHF_ALLOC|elf.SHF_EXECINSTR, text("none"), size(1<<40)),
		adding(".text.more", "of 9 MB beyond the file", bits, elf.SHF_EXECINSTR, text("none"), size(9<<20)),
		adding(".text.more", "compressed, of 2^40 bytes", bits, elf.SHF_EXECINSTR|compressed, func(im *image) []byte { return im.chdr(elf.COMPRESS_ZLIB, 1<<40, nil) }),
		adding(".symtab2", "of 2^40 bytes", elf.SHT_SYMTAB, 0, text("none"), size(1<<40)),
		adding(".symtab2", "of 3 MB beyond the file", elf.SHT_DYNSYM, 0, text("none"), size(3<<20)),
		adding(".symtab2", "of 3 MB", elf.SHT_DYNSYM, 0, func(*image) []byte { return make([]byte, 3<<20) }),
		adding(".eh_frame_hdr", "of 2^40 bytes", bits, elf.SHF_ALLOC, text("none"), size(1<<40)),
	)
	for _, s := range []string{".eh_frame", ".debug_frame", ".eh_frame_hdr", ".text", ".plt", ".plt.got", ".symtab", ".strtab", ".dynsym", ".dynstr", ".shstrtab", ".sframe", ".rela.eh_frame", ".rela.sframe", ".rela.text"} {
		all = append(all, onSection(s, elf64.ShdrSizeField, "size", 0, 1, 1<<20, 1<<40, 1<<63, 1<<64-1)...)
		all = append(all, onSection(s, elf64.ShdrOffset, "offset", 0, 1<<40, 1<<64-1)...)
		all = append(all, onSection(s, elf64.ShdrType, "type", uint64(elf.SHT_NOBITS), uint64(elf.SHT_NULL), uint64(elf.SHT_NOTE), uint64(elf.SHT_REL), 0x40000014)...)
		all = append(all, onSection(s, elf64.ShdrEntsize, "entsize", 0, 1, 1<<40)...)
		all = append(all, onSection(s, elf64.ShdrLink, "link", 0, 0xffff)...)
		all = append(all, onSection(s, elf64.ShdrInfo, "info", 0, 0xffff)...)
		all = append(all, onSection(s, elf64.ShdrFlags, "flags", 0, uint64(elf.SHF_ALLOC))...)
		all = append(all, onSection(s, elf64.ShdrAddr, "address", 0x100, 1<<40)...)
		all = append(all, onSection(s, elf64.ShdrName, "name", 0, 1<<30)...)
		all = append(all, withFlag(s, compressed), withFlag(s, elf.SHF_EXECINSTR))
	}
	for f, what := range map[model.Span]string{
		elf64.EhdrType: "e_type", elf64.EhdrMachine: "e_machine", elf64.EhdrPhoff: "e_phoff", elf64.EhdrShoff: "e_shoff", elf64.EhdrPhentsize: "e_phentsize",
		elf64.EhdrPhnum: "e_phnum", elf64.EhdrShentsize: "e_shentsize", elf64.EhdrShnum: "e_shnum", elf64.EhdrShstrndx: "e_shstrndx",
	} {
		for _, v := range []uint64{0, 1, 2, 3, 4, 22, 62, 183, 243, 0xffff, 1 << 20} {
			all = append(all, attack{fmt.Sprintf("%s %d", what, v), func(im *image) bool { im.set(0, f, v); return true }})
		}
	}
	for _, typ := range []elf.ProgType{elf.PT_LOAD, elf.PT_GNU_EH_FRAME, 0x6474e554} {
		for f, what := range map[model.Span]string{elf64.PhdrType: "type", elf64.PhdrOffset: "offset", elf64.PhdrVaddr: "address", elf64.PhdrFilesz: "filesz", elf64.PhdrMemsz: "memsz"} {
			for _, v := range []uint64{0, 1, 1 << 40, 1<<64 - 1} {
				all = append(all, attack{fmt.Sprintf("%v %s 0x%x", typ, what, v), func(im *image) bool {
					at := im.segment(typ)
					if at != 0 {
						im.set(at, f, v)
					}
					return at != 0
				}})
			}
		}
	}
	for _, part := range []int{10, 50, 90, 99} {
		all = append(all, attack{fmt.Sprintf("cut at %d%%", part), func(im *image) bool { im.data = im.data[:len(im.data)*part/100]; return true }})
	}
	return all
}

// Whatever a header claims, a file with an error does not pass. A file in which nothing is left of
// a section, by its name, size or type, is a sound file without the section.
func TestNoSilence(t *testing.T) {
	sound := map[string]bool{".eh_frame name 0x0": true, ".eh_frame size 0x0": true}
	path := filepath.Join(t.TempDir(), "x.elf")
	for _, target := range [][]string{
		{"cfi/gas-2.47/cfa-offset-register.o", "--ignore", "SF3"}, {"hand/cfi-signed.elf"}, {"hand/cfi-contradicts.elf"}, {"binutils-2.44/amd64/start.elf", "--ignore", "SF3"},
		{"binutils-2.47/s390x/flexible.o", "--ignore", "SF3"}, {"hand/pcrel-by-symbols.elf"}, {"mixed/v3-and-v2-by-ld-2.47.elf", "--fail-on", "warning"},
		{"wrong-cfi/slot-above.o"}, {"wrong-cfi/stale-frame.o"}, {"binutils-2.47/amd64/sections.elf"}, {"hand/v3-amd64-outside-text.elf"},
	} {
		for _, a := range attacks() {
			im := readImage(t, target[0])
			if sound[a.name] || !a.do(im) {
				continue
			}
			require.NoError(t, os.WriteFile(path, im.data, 0o600))
			status, out, errs := runMain(strings.NewReader(""), append([]string{"--no-config", path}, target[1:]...)...)
			assert.NotEqual(t, program.ExitClean, status, "%s: %s\n%s%s", target[0], a.name, out, errs)
		}
	}
}

// The other sections are checked, whatever a section of CFI claims.
func TestLyingCFI(t *testing.T) {
	_, want, _ := runMain(nil, "--no-config", "--profile", "toolchain", "--select", "SF6", corpus+"hand/cfi-contradicts.elf")
	for _, name := range []string{"zdebug-frame-claims-a-tebibyte.elf", "compressed-debug-frame-claims-a-tebibyte.elf"} {
		path := "../../../corpus/regressions/" + name
		status, out, _ := runMain(nil, "--no-config", "--profile", "toolchain", "--select", "SF6,SF5036", path)
		assert.Equal(t, program.ExitFindings, status)
		assert.Contains(t, out, "cannot stand for 1099511627776", name)
		for line := range strings.Lines(want) {
			if _, finding, _ := strings.Cut(line, ": "); strings.Contains(finding, " error: ") {
				assert.Contains(t, out, finding, name)
			}
		}
		status, out, _ = runMain(nil, "--no-config", "--ignore", "SF6,SF5036", path)
		assert.Equal(t, program.ExitClean, status, "no rule is selected that looks at CFI\n%s", out)
		status, out, _ = runMain(nil, "--no-config", "--select", "SF6010,SF6014,SF6015,SF6016,SF6017", path)
		assert.Equal(t, program.ExitFailed, status, out)
		assert.Contains(t, out, "not fully checked: ", name)
	}
}

// Code that looks wrong and is right: the sources are in corpus/src/right.txtar. Without CFI there are fewer witnesses; in
// longjmp it says that the first FRE is meant.
func TestRightCode(t *testing.T) {
	files := must.Get(filepath.Glob(corpus + "../regressions/right-*"))(t)
	require.Len(t, files, 46)
	bare := filepath.Join(t.TempDir(), "bare")
	for _, path := range files {
		status, out, errs := runMain(nil, "--no-config", "--show", "note", "--select", "SF3,SF6001,SF6002,SF6022", "--ignore", "SF3201", path)
		assert.Equal(t, program.ExitClean, status, "%s\n%s%s", path, out, errs)
		assert.Empty(t, out, path)
		_, out, _ = runMain(nil, "--no-config", "--show", "warning", "--select", "SF6014", path)
		assert.Empty(t, out, path)

		for _, lose := range []func(*image) bool{(*image).loseCFI, (*image).loseHeaders} {
			// In right-plt, only the name of the section says that the code is that of a linker.
			if im := readImage(t, "../regressions/"+filepath.Base(path)); lose(im) && filepath.Base(path) != "right-plt-amd64.so" {
				require.NoError(t, os.WriteFile(bare, im.data, 0o600))
				status, out, errs = runMain(nil, "--no-config", "--show", "note", "--select", "SF3", "--ignore", "SF3106,SF3201", bare)
				assert.Equal(t, program.ExitClean, status, "%s\n%s%s", path, out, errs)
				assert.Empty(t, out, path)
			}
		}
	}
}

// loseCFI removes .eh_frame. It reports whether there was one.
func (im *image) loseCFI() bool {
	at := im.find(".eh_frame")
	if at == 0 {
		return false
	}
	im.set(at, elf64.ShdrName, 0)
	im.set(at, elf64.ShdrType, uint64(elf.SHT_NULL))
	return true
}

// loseHeaders removes the section headers of a linked file. It reports whether it is one.
func (im *image) loseHeaders() bool {
	if im.get(0, elf64.EhdrType) == uint64(elf.ET_REL) {
		return false
	}
	im.set(0, elf64.EhdrShoff, 0)
	im.set(0, elf64.EhdrShnum, 0)
	im.set(0, elf64.EhdrShstrndx, 0)
	return true
}

// Rows that are wrong where code assumes, without evidence, that a call does not return or that an indirect jump leads
// somewhere: the sources are in corpus/src/regressions. Without CFI, and linked, stripped, and without section headers
// they are the same.
func TestWrongRows(t *testing.T) {
	bare := filepath.Join(t.TempDir(), "bare")
	for name, want := range map[string][]string{
		"amd64.o":      {"SF3114 0xa7+3", "SF3114 0xb5+3", "SF3114 0xcf+4", "SF3114 0xe4+3", "SF3114 0xef+3", "SF3114 0x103+3", "SF3116 0x11e+7"},
		"amd64.so":     {"SF3114 0xc7+3", "SF3114 0xd5+3", "SF3114 0xef+4", "SF3114 0x104+3", "SF3114 0x10f+3", "SF3114 0x123+3", "SF3116 0x13e+7"},
		"aarch64.o":    {"SF3114 0xb9+3", "SF3114 0xc9+3", "SF3114 0xde+5", "SF3114 0xeb+3", "SF3114 0x104+3"},
		"aarch64.so":   {"SF3114 0xb9+3", "SF3114 0xc9+3", "SF3114 0xde+5", "SF3114 0xeb+3", "SF3114 0x104+3"},
		"s390x.o":      {"SF3114 0x7c+4", "SF3114 0x93+4", "SF3114 0x9f+3", "SF3116 0xae+3"},
		"late-s390x.o": {"SF3114 0x38+4"},
		"s390x.so":     {"SF3114 0x9c+4", "SF3114 0xb3+4", "SF3114 0xbf+3", "SF3116 0xce+3"},
	} {
		for _, lose := range []func(*image) bool{nil, (*image).loseCFI, (*image).loseHeaders} {
			im := readImage(t, "../regressions/wrong-rows-"+name)
			if lose != nil && !lose(im) {
				continue
			}
			require.NoError(t, os.WriteFile(bare, im.data, 0o600))
			_, out, errs := runMain(nil, "--no-config", "--select", "SF3", "--ignore", "SF3201", "--format", "jsonl", bare)
			found := []string{}
			for line := range strings.Lines(out) {
				var x struct {
					Finding *struct {
						Rule   string
						Offset int64 `json:"section_offset"`
						Length int64
					}
				}
				require.NoError(t, json.Unmarshal([]byte(line), &x))
				if x.Finding != nil {
					found = append(found, fmt.Sprintf("%s %#x+%d", x.Finding.Rule, x.Finding.Offset, x.Finding.Length))
				}
			}
			assert.Equal(t, want, found, "%s: %s", name, errs)
		}
	}
}

// What was not checked is in a report of each format. A limit that the user has set is a choice.
func TestSkippedInEachFormat(t *testing.T) {
	im := readImage(t, "wrong-cfi/slot-above.o")
	more := im.add(".text.more", bits, elf.SHF_ALLOC|elf.SHF_EXECINSTR, nil)
	im.set(more, elf64.ShdrOffset, uint64(len(im.data)))
	im.set(more, elf64.ShdrSizeField, budget.DefaultCode)
	path := filepath.Join(t.TempDir(), "large.o")
	require.NoError(t, os.WriteFile(path, im.data, 0o600))
	require.NoError(t, os.Truncate(path, int64(len(im.data)+budget.DefaultCode))) // a hole
	failed := map[string]string{"sarif": `"executionSuccessful":false`, "junit": `errors="1" skipped="0"`, "gitlab": `"severity":"blocker"`, "github": "::error ", "json": `"limit":true`, "jsonl": `"limit":true`}
	chosen := map[string]string{"sarif": `"executionSuccessful":true`, "junit": `errors="0" skipped="1"`, "gitlab": `"severity":"info"`, "github": "::notice ", "json": `"chosen":true`, "jsonl": `"chosen":true`}
	for _, format := range formatNames() {
		status, out, _ := runMain(nil, "--no-config", "--format", format, path)
		assert.Equal(t, program.ExitFailed, status, format)
		assert.Contains(t, out, fmt.Sprintf("more than the limit of %d", budget.DefaultCode), format)
		assert.Contains(t, out, failed[format], format)
		status, out, _ = runMain(nil, "--no-config", "--limit", "code-limit=1K", "--format", format, path)
		assert.Equal(t, program.ExitClean, status, format)
		assert.Contains(t, out, "more than the limit of 1024", format)
		assert.Contains(t, out, chosen[format], format)
	}
}

// TestFilesBefore: what was found in a file does not depend on those that were checked before it. One has the stub of
// abort where the other one has that of a function that returns. One processor has all the memory that is used again.
func TestFilesBefore(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	first, second := "../../../corpus/regressions/stub-of-abort-amd64.so", "../../../corpus/regressions/stub-of-usage-amd64.so"
	status, want, errs := runMain(nil, "--no-config", second)
	require.Equal(t, program.ExitFindings, status, errs)
	require.Contains(t, want, "[SF3114]")
	for range 5 {
		runtime.GC() // twice: nothing is left to be used again
		runtime.GC()
		status, out, _ := runMain(nil, "--no-config", first, second)
		require.Equal(t, program.ExitFindings, status)
		require.Equal(t, want, out)
	}
	var files []string
	require.NoError(t, filepath.WalkDir("../../../corpus", func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && (strings.Contains(path, "/files/") || strings.Contains(path, "/regressions/")) {
			files = append(files, path)
		}
		return err
	}))
	require.Greater(t, len(files), 500)
	found := func() []string {
		_, out, _ := runMain(nil, append([]string{"--no-config", "--show", "note", "--format", "jsonl"}, files...)...)
		return slices.Sorted(strings.Lines(out))
	}
	forward := found()
	slices.Reverse(files)
	require.Equal(t, forward, found())
}

// The code agrees with the FRE of an FDE that starts late, but nothing describes what is before it.
func TestLateStart(t *testing.T) {
	_, out, errs := runMain(nil, "--no-config", "--select", "SF6001", "--format", "jsonl", "../../../corpus/regressions/late-start-bare-amd64.elf")
	assert.Contains(t, out, `"rule":"SF6001","severity":"warning"`, errs)
	assert.Contains(t, out, `"section_offset":44,"length":8,`)
}
