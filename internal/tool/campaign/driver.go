package campaign

import (
	"context"
	"debug/elf"
	"embed"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
)

// sources are those of the drivers.
//
//go:embed driver
var sources embed.FS

// Reader is a program that reads sections.
type Reader string

// Readers for which there are drivers.
const (
	Libsframe  Reader = "libsframe"   // a libsframe.so of version 3, or a source tree of binutils
	Linux      Reader = "linux"       // a source tree: the reader for user space, on x86
	LinuxARM64 Reader = "linux-arm64" // a source tree: the reader for the kernel's stacks, on arm64
	Glibc      Reader = "glibc"       // a source tree: the reader of backtrace
	Own        Reader = "own"         // a library in any language that exports a function of driver/sframe_fuzz.h
)

// Readers returns all readers.
func Readers() []Reader { return []Reader{Libsframe, Linux, LinuxARM64, Glibc, Own} }

// Profile returns the name of the reader's profile in package consumers, "" if there is none.
func (k Reader) Profile() string {
	switch k {
	case Own:
		return ""
	case Linux, LinuxARM64:
		return "linux-user"
	case Glibc:
		return "glibc-2.42"
	}
	return "libsframe-api-2.47"
}

// ABIs returns the ABIs for which the reader is built. Linux and glibc read the byte order of this machine. They may
// still read other sections: Linux does not look at the ABI of a section.
func (k Reader) ABIs() (all []model.ABIInfo) {
	big := binary.NativeEndian.Uint16([]byte{0, 1}) == 1
	for _, abi := range model.ABIs() {
		switch {
		case k != Libsframe && k != Own && abi.Big != big, k == Linux && (abi.FixedRA == 0 || abi.LSBRegs), k == LinuxARM64 && !abi.Pauth, k == Glibc && abi.RAPadding:
		default:
			all = append(all, abi)
		}
	}
	return all
}

// Library is a reader for which a driver is compiled.
type Library struct {
	Kind Reader
	Path string // of the library or its source tree

	LooksUp bool // a library of kind Own can look up PCs
}

// ParseLibrary returns the library given as KIND=PATH.
func ParseLibrary(line string) (*Library, error) {
	kind, path, ok := strings.Cut(line, "=")
	if !ok || !slices.Contains(Readers(), Reader(kind)) {
		return nil, fmt.Errorf("%q is not KIND=PATH with the kind libsframe, linux, linux-arm64, glibc or own", line)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	l := &Library{Kind: Reader(kind), Path: path}
	switch {
	case l.Kind == Own:
		l.LooksUp, err = exports(path)
		return l, err
	case !info.IsDir() && l.Kind != Libsframe:
		return nil, fmt.Errorf("%s is not a directory", path)
	}
	return l, nil
}

// exports reports whether a library has look-ups. It has to have them or the function of a libFuzzer target.
func exports(path string) (looksUp bool, err error) {
	f, err := elf.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	symbols, err := f.DynamicSymbols()
	if err != nil {
		return false, fmt.Errorf("%s: %w", path, err)
	}
	has := func(name string) bool {
		return slices.ContainsFunc(symbols, func(s elf.Symbol) bool { return s.Name == name && s.Section != elf.SHN_UNDEF })
	}
	if looksUp = has("sframe_fuzz_lookup"); !looksUp && !has("LLVMFuzzerTestOneInput") {
		err = fmt.Errorf("%s exports neither sframe_fuzz_lookup nor LLVMFuzzerTestOneInput", path)
	}
	return looksUp, err
}

// Tree reports whether the library is compiled from a source tree. Such a build has AddressSanitizer and
// UndefinedBehaviorSanitizer.
func (l *Library) Tree() bool {
	info, err := os.Stat(l.Path)
	return err == nil && info.IsDir()
}

// Compile creates a directory, compiles the driver in it, and returns the command that runs the driver.
func (l *Library) Compile(ctx context.Context, dir string) ([]string, error) {
	if err := os.CopyFS(dir, sources); err != nil {
		return nil, err
	}
	dir = filepath.Join(dir, "driver")
	driver := filepath.Join(dir, "driver")
	b := &build{dir: dir, run: []string{driver}, args: []string{"-O1", "-g", "-w", "-rdynamic", "-I", dir, "-o", driver}}
	var err error
	switch {
	case l.Kind == Linux || l.Kind == LinuxARM64:
		err = b.linux(l.Path, l.Kind)
	case l.Kind == Glibc:
		err = b.glibc(l.Path)
	case l.Kind == Own:
		b.args = append(b.args, filepath.Join(dir, "own.c"), fmt.Sprintf("-DREADER=%q", l.Path))
	case l.Tree():
		err = b.binutils(l.Path)
	default:
		b.shared(l.Path)
	}
	if err != nil {
		return nil, err
	}
	if out, err := exec.CommandContext(ctx, "cc", append(b.args, "-ldl")...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("cc: %w\n%s", err, out)
	}
	return b.run, nil
}

// build is how a driver is compiled.
type build struct {
	dir  string   // of the drivers' sources
	args []string // of the compiler
	run  []string
}

// sanitize compiles with sanitizers, without the checks of UndefinedBehaviorSanitizer that are
// given. The first report ends the process.
func (b *build) sanitize(without string) {
	b.args = append(b.args, "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer")
	if without != "" {
		b.args = append(b.args, "-fno-sanitize="+without)
	}
}

// shared uses a libsframe.so.
func (b *build) shared(path string) {
	lib := filepath.Dir(path)
	b.args = append(b.args, filepath.Join(b.dir, "libsframe.c"), path, "-Wl,--allow-shlib-undefined", "-Wl,-rpath,"+lib)
	if loaders, _ := filepath.Glob(filepath.Join(lib, "ld-linux*.so*")); len(loaders) > 0 { // with a C library of its own
		b.run = append([]string{loaders[0], "--library-path", lib}, b.run...)
	}
}

// configured is what binutils' configure finds on systems with the GNU C library.
const configured = "#define HAVE_BYTESWAP_H 1\n#define HAVE_ENDIAN_H 1\n#define HAVE_DECL_BSWAP_16 1\n#define HAVE_DECL_BSWAP_32 1\n#define HAVE_DECL_BSWAP_64 1\n"

// binutils uses libsframe in a source tree.
func (b *build) binutils(tree string) error {
	files, err := filepath.Glob(filepath.Join(tree, "libsframe", "sframe*.c"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("%s: there is no libsframe/sframe.c", tree)
	}
	b.sanitize("")
	for _, sub := range []string{"include", "libsframe", "libctf"} {
		b.args = append(b.args, "-I", filepath.Join(tree, sub))
	}
	b.args = append(append(b.args, filepath.Join(b.dir, "libsframe.c")), files...)
	return os.WriteFile(filepath.Join(b.dir, "config.h"), []byte(configured), 0o666)
}

// glibc uses the reader in a source tree. It reads data without alignment, as the machine can.
func (b *build) glibc(tree string) error {
	b.sanitize("alignment")
	b.args = append(b.args, "-fno-inline", filepath.Join(b.dir, "glibc.c"))
	files, err := filepath.Glob(filepath.Join(tree, "sysdeps", "generic", "sframe*.h"))
	if err != nil {
		return err
	}
	for _, file := range append(files, filepath.Join(tree, "sysdeps", "generic", "sframe-read.c")) {
		if err := b.take(file, nil); err != nil {
			return err
		}
	}
	return nil
}

// linux uses the reader in a source tree. The kernel is compiled for overflow that wraps, and for
// machines that read data without alignment.
func (b *build) linux(tree string, kind Reader) error {
	b.sanitize("alignment,signed-integer-overflow,pointer-overflow")
	memory := "SFRAME_USER"
	if kind == LinuxARM64 {
		memory = "SFRAME_KERNEL"
	}
	abi := kind.ABIs()[0]
	b.args = append(b.args, "-fno-inline", "-fno-strict-overflow", "-fno-strict-aliasing", "-DCONFIG_SFRAME_VALIDATION", "-DCONFIG_HAVE_UNWIND_USER_SFRAME", "-DCONFIG_HAVE_UNWIND_KERNEL_SFRAME",
		"-DSEC_TYPE="+memory, fmt.Sprint("-DSFRAME_REG_SP=", abi.SP), fmt.Sprint("-DSFRAME_REG_FP=", abi.FP), filepath.Join(b.dir, "linux.c"))
	for file, last := range map[string]string{"kernel/unwind/sframe.c": "sframe_read_header", "kernel/unwind/user.c": "unwind_user_next_common",
		"kernel/unwind/sframe.h": "", "kernel/unwind/sframe_debug.h": "", "include/linux/unwind_types.h": ""} {
		err := b.take(filepath.Join(tree, filepath.FromSlash(file)), func(source string) (string, error) {
			if last == "" {
				return systemInclude.ReplaceAllString(source, ""), nil
			}
			at := regexp.MustCompile(`(?m)^static .*\b` + last + `\(`).FindStringIndex(source)
			if at == nil {
				return "", fmt.Errorf("%s: there is no function %s", file, last)
			}
			end := strings.Index(source[at[0]:], "\n}\n")
			if end < 0 {
				return "", fmt.Errorf("%s: %s has no end", file, last)
			}
			return systemInclude.ReplaceAllString(source[:at[0]+end+len("\n}\n")], ""), nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// systemInclude matches what a tree's files include of the rest of the tree.
var systemInclude = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*<.*$`)

// take copies a file of a tree to the driver's sources, so that no other header of the tree takes
// the place of the system's. Edit may change the text and keeps its lines.
func (b *build) take(file string, edit func(string) (string, error)) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if edit != nil {
		text, err := edit(string(data))
		if err != nil {
			return err
		}
		data = []byte(text)
	}
	return os.WriteFile(filepath.Join(b.dir, filepath.Base(file)), data, 0o666)
}
