package campaign

import (
	"bufio"
	"cmp"
	"context"
	"embed"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sframe-lint/sframe-lint/consumers"
	"github.com/sframe-lint/sframe-lint/internal/command"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// drivers has the sources of the programs that read sections in process.
//
//go:embed driver
var drivers embed.FS

// library is a reader that is called in process.
type library struct {
	path    string // of the library, or of its source tree
	profile string // of package consumers
}

// NewLibrary returns the target that reads raw sections with a library, given as libsframe=PATH.
// PATH is libsframe.so of version 3, or a source tree of binutils, which is compiled with
// AddressSanitizer and UndefinedBehaviorSanitizer.
func NewLibrary(line string, limits Limits) (*Target, error) {
	kind, path, ok := strings.Cut(line, "=")
	if !ok || kind != "libsframe" {
		return nil, fmt.Errorf("%q is not libsframe=PATH", line)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	t := &Target{Name: "libsframe", Command: line, Version: filepath.Base(real) + ", in process", limits: limits,
		lib: &library{path, "libsframe-api-2.47"}}
	if info, err := os.Stat(real); err == nil && info.IsDir() {
		t.Name, t.Version = "libsframe-asan", "source tree, with sanitizers, in process"
	}
	return t, nil
}

// compile compiles the driver in a directory, and returns the command that runs it.
func (l *library) compile(ctx context.Context, dir string) ([]string, error) {
	if err := os.CopyFS(dir, drivers); err != nil {
		return nil, err
	}
	driver := filepath.Join(dir, "driver", "driver")
	args := []string{"-O1", "-g", "-w", "-rdynamic", "-I", filepath.Dir(driver), filepath.Join(dir, "driver", "libsframe.c")}
	run := []string{driver}
	if info, err := os.Stat(l.path); err != nil {
		return nil, err
	} else if info.IsDir() {
		sources, err := filepath.Glob(filepath.Join(l.path, "libsframe", "sframe*.c"))
		if err != nil || len(sources) == 0 {
			return nil, fmt.Errorf("%s: there is no libsframe/sframe.c", l.path)
		}
		if err := os.WriteFile(filepath.Join(dir, "driver", "config.h"), []byte(configured), 0o666); err != nil {
			return nil, err
		}
		args = append(args, "-fsanitize=address,undefined", "-fno-omit-frame-pointer", "-I", filepath.Join(l.path, "include"), "-I", filepath.Join(l.path, "libsframe"), "-I", filepath.Join(l.path, "libctf"))
		args = append(args, sources...)
	} else {
		lib := filepath.Dir(l.path)
		args = append(args, l.path, "-Wl,--allow-shlib-undefined", "-Wl,-rpath,"+lib)
		if loaders, _ := filepath.Glob(filepath.Join(lib, "ld-linux*.so*")); len(loaders) > 0 { // with a C library of its own
			run = []string{loaders[0], "--library-path", lib, driver}
		}
	}
	if out, err := exec.CommandContext(ctx, "cc", append(args, "-ldl", "-o", driver)...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("cc: %w\n%s", err, out)
	}
	return run, nil
}

// configured is what binutils' configure finds on systems with the GNU C library.
const configured = "#define HAVE_BYTESWAP_H 1\n#define HAVE_ENDIAN_H 1\n#define HAVE_DECL_BSWAP_16 1\n#define HAVE_DECL_BSWAP_32 1\n#define HAVE_DECL_BSWAP_64 1\n"

// server is a driver that runs.
type server struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// start starts the driver with a command that compile has returned.
func start(run []string, limits Limits) (*server, error) {
	c := command.Command{Args: run, Env: limits.Env}
	cmd, stdin, err := c.Prepare(os.DevNull, "")
	if err != nil {
		return nil, err
	}
	stdin.Close()
	cmd.Stdin = nil
	s := &server{cmd: cmd}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if s.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	s.out = bufio.NewReaderSize(out, 1<<16)
	return s, cmd.Start()
}

func (s *server) close() {
	s.in.Close()
	command.Kill(s.cmd)
	_ = s.cmd.Wait() // it was killed
}

// read is what the driver says of a section.
type read struct {
	crashed bool
	text    string
}

// maxSection bounds the sections that a driver reads, in bytes.
const maxSection = 1 << 20

// read reads sections.
func (s *server) read(ctx context.Context, sections [][]byte) ([]read, error) {
	stop := context.AfterFunc(ctx, func() { command.Kill(s.cmd) })
	defer stop()
	go func() { // what the driver writes must be read meanwhile
		w := bufio.NewWriterSize(s.in, 1<<16)
		put := func(n int) { _ = binary.Write(w, binary.NativeEndian, uint32(n)) }
		put(len(sections))
		for _, b := range sections {
			b = b[:min(len(b), maxSection)]
			put(len(b))
			_, _ = w.Write(b)
		}
		_ = w.Flush() // an error ends the driver's output
	}()
	all := make([]read, len(sections))
	for i := range all {
		var head [2]uint32
		if err := binary.Read(s.out, binary.NativeEndian, &head); err != nil {
			return nil, cmp.Or(context.Cause(ctx), fmt.Errorf("the driver has ended: %w", err))
		}
		text := make([]byte, head[1])
		if _, err := io.ReadFull(s.out, text); err != nil {
			return nil, cmp.Or(context.Cause(ctx), err)
		}
		all[i] = read{head[0] != 0, string(text)}
	}
	return all, nil
}

// judgeRead returns the verdict on what the driver says of an input, and what counts as a find.
func (t *Target) judgeRead(in *Input, r read) (verdict, []verdict) {
	if r.crashed {
		v := verdict{kind: Crash, key: internalFailure([]byte(r.text)), message: crashMessage([]byte(r.text))}
		if v.key == "" {
			lines := strings.Split(strings.TrimSpace(r.text), "\n")
			signal, access, _ := strings.Cut(strings.TrimPrefix(lines[0], "signal "), " ")
			n, _ := strconv.Atoi(signal) // 0 if it is missing
			v.key, v.message = signalKey(n), access
			if len(lines) > 1 {
				v.key += " at " + lines[1]
			}
			if strings.HasPrefix(v.key, "SIGALRM") {
				v = verdict{kind: Hang, key: "timeout"}
			}
		}
		return v, []verdict{v}
	}
	v := verdict{kind: Accepts}
	if text, ok := strings.CutPrefix(r.text, "refused "); ok {
		v = verdict{kind: Rejects, message: "refused " + strings.TrimSpace(text)}
	}
	if in.Class != Valid || !t.probed.reads[form{in.Version, in.ABI.ID}] {
		return v, nil
	}
	f := reader.DecodeSFrame(in.Data, reader.SectionOptions{Addr: in.Addr})
	known := t.knownRead(f)
	if v.kind == Rejects {
		return v, []verdict{{RejectsValid, cmp.Or(known, v.message), v.message}}
	}
	if want := expected(f.Section); r.text != want && len(r.text) < maxText-1 && !ambiguous(f.Section) {
		got, exp := firstDifference(r.text, want)
		return v, []verdict{{Misreads, cmp.Or(known, fmt.Sprintf("%s, V%d", strings.Fields(exp + " end")[0], in.Version)), fmt.Sprintf("%q, not %q", got, exp)}}
	}
	return v, nil
}

func (t *Target) knownRead(f *reader.SFrame) string {
	all, err := consumers.Select(t.lib.profile)
	if err != nil || len(all) != 1 {
		return ""
	}
	if v := all[0].Judge(&reader.Object{SFrames: []*reader.SFrame{f}}, f)[0]; v.Kind != consumers.Reads {
		return fmt.Sprintf("%s: %s", all[0].Name, v.Check)
	}
	return ""
}

func firstDifference(a, b string) (string, string) {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return x[i], y[i]
		}
	}
	return fmt.Sprint(len(x), " lines"), fmt.Sprint(len(y), " lines")
}

// ambiguous reports whether nothing states what the interface should return: data words that make no
// sense, or a distance of more than 2^63 from the section.
func ambiguous(s *model.Section) bool {
	for f := range s.FDEs() {
		if int64(f.Start()-s.Addr()) < 0 != (f.Start() < s.Addr()) || f.NumFREs() != int(f.ClaimedFREs()) {
			return true
		}
		for r := range f.FREs() {
			if f.Type() <= model.SFRAME_FDE_TYPE_FLEX && !r.Row().Valid() {
				return true
			}
		}
	}
	return false
}

// expected returns what the driver should write of a section. The interface returns the start field
// as it is.
func expected(s *model.Section) string {
	var b strings.Builder
	for i := range s.NumFDEs() {
		f := s.FDE(i)
		fmt.Fprintf(&b, "function %d %d %d\n", f.RawStart(), f.Size(), f.ClaimedFREs())
		for r := range f.FREs() {
			fmt.Fprintf(&b, "%d%s\n", r.Start(), libsframeRule(r))
		}
	}
	return b.String()
}

// libsframeRule returns what the interface returns for an FRE: offsets, and registers of s390x as
// version 2 encodes them.
func libsframeRule(r model.FRE) string {
	row := r.Row()
	if row.Outermost() {
		return " outermost"
	}
	s, out := r.FDE().Section(), ""
	encoded := s.ABI().LSBRegs && s.Version() < model.SFRAME_VERSION_3
	for i, v := range []model.Recovery{row.CFA, row.RA, row.FP} {
		name := []string{"cfa", "ra", "fp"}[i]
		switch {
		case v.Kind == model.InRegister && encoded && i > 0:
			out += fmt.Sprintf(" %s %d", name, v.Reg<<1|1)
		case v.Kind != model.Unchanged:
			out += fmt.Sprintf(" %s %d", name, v.Offset)
		case i == 1 && r.NumWords() > 1 && r.FDEType() == model.SFRAME_FDE_TYPE_DEFAULT:
			out += " ra 0" // padding
		default:
			out += " " + name + " none"
		}
	}
	return out
}

// sectionsOf returns the bytes of inputs.
func sectionsOf(ins []*Input) (all [][]byte) {
	for _, in := range ins {
		all = append(all, in.Data)
	}
	return slices.Clip(all)
}
