package conformance_test

import (
	"bytes"
	"cmp"
	"debug/elf"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
	"github.com/sframe-lint/sframe-lint/internal/tool/conformance"
	"github.com/sframe-lint/sframe-lint/internal/tool/shrink"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

//go:generate go test . -run TestLinkCases -update

const linksDir = "../../../conformance/links/"

// target is a machine and a version of the format, with the assembler that writes it.
type target struct {
	name, arch, endian string
	assembler          []string // with the option for SFrame data last
}

var targets = []target{
	{"v1-amd64", "x86_64", "EL", []string{"bookworm-x86_64-as", "--gsframe"}},
	{"v2-amd64", "x86_64", "EL", []string{"trixie-x86_64-as", "--gsframe"}},
	{"v2-aarch64", "aarch64", "EL", []string{"trixie-aarch64-as", "-EL", "--gsframe"}},
	{"v2-aarch64-be", "aarch64", "EB", []string{"trixie-aarch64-as", "-EB", "--gsframe"}},
	{"v2e1-amd64", "x86_64", "EL", []string{"sid-llvm-mc", "-triple=x86_64-linux-gnu", "-filetype=obj", "--gsframe"}},
	{"v3-amd64", "x86_64", "EL", []string{"sid-x86_64-as", "--gsframe"}},
	{"v3-aarch64", "aarch64", "EL", []string{"sid-aarch64-as", "-EL", "--gsframe"}},
	{"v3-aarch64-be", "aarch64", "EB", []string{"sid-aarch64-as", "-EB", "--gsframe"}},
	{"v3-s390x", "s390x", "EB", []string{"sid-s390x-as", "--gsframe"}},
}

func (x *target) version() string { return x.name[:2] }

// machine returns the directory with what the sources include.
func (x *target) machine() string { return strings.ReplaceAll(x.arch, "x86_64", "amd64") }

// sources returns the names of the sources that the target has.
func (x *target) sources(src *txtar.Archive) (names []string) {
	for _, f := range src.Files {
		name, ok := strings.CutSuffix(f.Name, ".s")
		switch {
		case !ok:
		case x.name == "v2e1-amd64" && (name == "far" || name == "empty"): // llvm-mc has no .cfi_sections .sframe
		case (name == "signal" || name == "same") && x.version() != "v3":
		default:
			names = append(names, name)
		}
	}
	return names
}

// objects returns the objects of a target by name; nil if there is no such target.
func objects(t *testing.T, target string) map[string][]byte {
	text, err := os.ReadFile(linksDir + target + ".txt")
	if os.IsNotExist(err) {
		return nil
	}
	require.NoError(t, err)
	all, err := shrink.ParseFiles(text)
	require.NoError(t, err)
	return all
}

// TestLinkObjects assembles the objects of the cases for linkers on request.
func TestLinkObjects(t *testing.T) {
	if !*update {
		t.Skip("assembles all objects: run with -update and SFRAME_TOOLS")
	}
	bin, dir := toolchain.Bin(t), t.TempDir()
	src, err := txtar.ParseFile(linksDir + "src.txtar")
	require.NoError(t, err)
	for _, f := range src.Files {
		path := filepath.Join(dir, f.Name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, f.Data, 0o644))
	}
	for _, x := range targets {
		all := map[string][]byte{}
		for _, name := range x.sources(src) {
			args := append(slices.Clone(x.assembler[1:]), "-I", x.machine(), "-o", "out.o", name+".s")
			if name == "none" {
				args = slices.DeleteFunc(args, func(a string) bool { return a == "--gsframe" })
			}
			if x.version() == "v3" {
				args = append([]string{"--defsym", "V3=1"}, args...)
			}
			cmd := exec.Command(filepath.Join(bin, x.assembler[0]), args...)
			cmd.Dir = dir
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s %s", cmd, out)
			all[name+".o"], err = os.ReadFile(filepath.Join(dir, "out.o"))
			require.NoError(t, err)
		}
		all["unknown-version.o"] = edit(t, all["a.o"], func(_ *reader.Object, s []byte) { s[2] = 4 })
		if x.version() == "v3" {
			all["shared.o"] = edit(t, all["same.o"], shareRows)
		} else {
			all["frame-pointer.o"] = edit(t, all["a.o"], func(_ *reader.Object, s []byte) { s[3] |= byte(model.SFRAME_F_FRAME_POINTER) })
		}
		require.NoError(t, os.WriteFile(linksDir+x.name+".txt", shrink.FormatFiles(all), 0o644))
	}
}

// shareRows makes both functions use the attribute and the FREs of the first one. Those of
// the second one are the last of the section, which then ends earlier.
func shareRows(o *reader.Object, s []byte) {
	sec, order := o.SFrames[0].Section, o.ELF.Order
	at := func(i int) int64 { return sec.FDE(i).FieldSpan(model.FDEStartFREOff).Off }
	first, second := sec.FDE(0).StartFREOff(), sec.FDE(1).StartFREOff()
	order.PutUint32(s[at(1):], first)
	order.PutUint32(s[12:], uint32(sec.FDE(0).NumFREs())) // sfh_num_fres
	order.PutUint32(s[16:], second-first)                 // sfh_fre_len
}

// edit returns an object with a changed section.
func edit(t *testing.T, object []byte, change func(o *reader.Object, section []byte)) []byte {
	b := bytes.Clone(object)
	readObject(t, "object", object, func(o *reader.Object) {
		f := o.SFrames[0]
		change(o, b[f.Offset:f.Offset+int64(len(f.Data))])
	})
	return b
}

// readObject visits an object.
func readObject(t *testing.T, path string, b []byte, visit func(o *reader.Object)) {
	require.NoError(t, reader.ScanReader(path, bytes.NewReader(b), int64(len(b)), reader.Options{}, func(o *reader.Object) error {
		visit(o)
		return nil
	}))
}

// linkCase is a case for all targets, or for those of some versions.
type linkCase struct {
	name, about string
	inputs      string // names of objects; v2/b is that of another version
	steps       string // the arguments, but inputs and output; steps are apart by ";"
	either      string // versions, or "all", of which a linker may refuse the inputs
	versions    string // "" for all
	checks      []conformance.Outcome
}

var linkCases = []linkCase{
	{name: "one", about: "One object.", inputs: "a"},
	{name: "two", about: "Two objects: one section with the functions of both.", inputs: "a b"},
	{name: "sorted", about: "Functions of several code sections: the output is sorted, and says so.", inputs: "sections b", checks: []conformance.Outcome{conformance.Unsorted}},
	{name: "segment", about: "PT_GNU_SFRAME is exactly the section.", inputs: "a b", checks: []conformance.Outcome{conformance.WrongSegment}},
	{name: "pie", about: "A position-independent program.", inputs: "a b", steps: "-pie -e f0"},
	{name: "shared", about: "A shared object.", inputs: "a b", steps: "-shared"},
	{name: "plt", about: "A PLT, which only the linker can describe.", inputs: "plt", steps: "-shared", checks: []conformance.Outcome{conformance.LostPLT}},
	{name: "plt-gc-sections", about: "A PLT in a link with --gc-sections.", inputs: "plt", steps: "-shared --gc-sections", checks: []conformance.Outcome{conformance.LostPLT}},
	{name: "comdat", about: "Two copies of a COMDAT group: the FDE of the discarded copy is gone.", inputs: "group-0 group-1", steps: "-e h0"},
	{name: "gc-sections", about: "A section that --gc-sections discards.", inputs: "gc", steps: "--gc-sections -e gc_start"},
	{name: "icf", about: "Two sections that --icf=all folds have one FDE.", inputs: "icf", steps: "--icf=all -e icf_start"},
	{name: "discarded", about: "A code section that the linker script discards.", inputs: "gone", steps: "-T discard.ld -e stays"},
	{name: "weak", about: "A weak definition that is overridden; its code is still there.", inputs: "weak-0 weak-1", steps: "-e over"},
	{name: "empty", about: "A section of size 0 before others.", inputs: "empty a"},
	{name: "empty-last", about: "A section of size 0 after others.", inputs: "a empty"},
	{name: "empty-only", about: "A section of size 0, and an object without a section.", inputs: "none empty", steps: "-e n0"},
	{name: "none", about: "An object without a section: the others keep theirs.", inputs: "none a b"},
	{name: "strip-debug", about: "--strip-debug keeps the section.", inputs: "a b", steps: "-S -e f0"},
	{name: "emit-relocs", about: "--emit-relocs keeps the relocations.", inputs: "a b", steps: "--emit-relocs -e f0"},
	{name: "far", about: "Code 8 GiB away: versions 1 and 2 cannot express that, and the link must fail.", inputs: "far",
		steps: "--section-start=.text=0x200000000 -e f0", either: "v1 v2"},
	{name: "relocatable", about: "-r of two objects, and a link of that.", inputs: "a b", steps: "-r; -e f0", checks: []conformance.Outcome{conformance.StaleRelocs}},
	{name: "relocatable-one", about: "-r of one object, and a link of that with another.", inputs: "a", steps: "-r; -e f0", checks: []conformance.Outcome{conformance.StaleRelocs}},
	{name: "relocatable-comdat", about: "-r of two copies of a COMDAT group, and a link of that.", inputs: "group-0 group-1", steps: "-r; -e h0",
		checks: []conformance.Outcome{conformance.StaleRelocs}},
	{name: "frame-pointer", about: "The flag FRAME_POINTER in one input only: the output must not have it.", inputs: "frame-pointer b", versions: "v1 v2"},
	{name: "unknown-version", about: "An input of version 4: refuse it, or describe its functions, but lose nothing.", inputs: "unknown-version b", either: "all"},
	{name: "mixed-v2", about: "Version 3 and version 2: refuse, or convert, but lose nothing.", inputs: "a v2/b", either: "all", versions: "v3"},
	{name: "mixed-v1", about: "Version 2 and version 1: refuse, or convert, but lose nothing.", inputs: "a v1/b", either: "all", versions: "v2"},
	{name: "shared-rows", about: "Two functions that share an attribute and its FREs.", inputs: "shared b", steps: "-e twin0", versions: "v3"},
	{name: "signal", about: "A signal frame.", inputs: "signal b", steps: "-e s0", versions: "v3"},
	{name: "discard-sframe", about: "--discard-sframe: neither section nor segment have data.", inputs: "a b", steps: "--discard-sframe -e f0", checks: []conformance.Outcome{conformance.Kept}},
}

// of reports whether a list of versions has one; "all" has all.
func of(versions, v string) bool {
	return versions == "all" || slices.Contains(strings.Fields(versions), v)
}

// TestLinkCases makes the cases again from the objects.
func TestLinkCases(t *testing.T) {
	var want bytes.Buffer
	n := 0
	for _, x := range targets {
		for _, c := range linkCases {
			l := x.link(t, &c)
			if l == nil {
				continue
			}
			line, err := json.Marshal(l)
			require.NoError(t, err)
			want.Write(append(line, '\n'))
			n++
		}
	}
	path := linksDir + "cases.jsonl"
	if *update {
		require.NoError(t, os.WriteFile(path, want.Bytes(), 0o644))
	}
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.True(t, bytes.Equal(want.Bytes(), got), "%s is stale: run go generate ./internal/tool/conformance", path)
	t.Logf("%d cases for linkers", n)
}

// link returns a case of a target, nil if the target has none.
func (x *target) link(t *testing.T, c *linkCase) *conformance.Link {
	v := x.version()
	if c.versions != "" && !of(c.versions, v) {
		return nil
	}
	l := &conformance.Link{Name: "link/" + x.name + "/" + c.name, About: c.about, Verdict: conformance.Accept, Arch: x.arch, Endian: x.endian,
		FramePointer: true, Checks: c.checks}
	if c.either != "" && of(c.either, v) {
		l.Verdict = conformance.Either
	}
	var files []string
	for _, in := range strings.Fields(c.inputs) {
		path := x.name + "/" + in + ".o"
		if version, name, ok := strings.Cut(in, "/"); ok {
			path = version + "-" + strings.SplitN(x.name, "-", 2)[1] + "/" + name + ".o"
		}
		target, file, _ := strings.Cut(path, "/")
		all := objects(t, target)
		if all[file] == nil {
			return nil // no such version of the target
		}
		l.Inputs = append(l.Inputs, path)
		files = append(files, file)
		// An object of an unknown version has the functions of the one from which it was made.
		b := all[strings.Replace(file, "unknown-version", "a", 1)]
		readObject(t, path, b, func(o *reader.Object) { describeObject(t, l, o) })
	}
	if strings.Contains(c.steps, ".ld") {
		l.Inputs = append(l.Inputs, "discard.ld")
	}
	steps := strings.Split(cmp.Or(c.steps, "-e f0"), ";")
	for i, step := range steps {
		args := strings.Fields(step)
		switch {
		case len(steps) == 1:
			args = append(append(args, "-o", "out"), files...)
		case i == 0:
			args = append(append(args, "-o", "partial.o"), files...)
		default:
			args = append(args, "-o", "out", "partial.o")
		}
		l.Steps = append(l.Steps, args)
	}
	return l
}

// describeObject adds the functions of an object to a case.
func describeObject(t *testing.T, l *conformance.Link, o *reader.Object) {
	if len(o.SFrames) == 0 || o.SFrames[0].Section == nil {
		return
	}
	s := o.SFrames[0].Section
	require.Empty(t, o.SFrames[0].Faults, o.Path)
	l.FramePointer = l.FramePointer && s.Header().Flags&model.SFRAME_F_FRAME_POINTER != 0
	for f := range s.FDEs() {
		require.True(t, f.Resolved(), o.Path)
		x := linkedOf(symbolAt(t, o, f), conformance.Describe(f))
		x.Discarded = slices.Contains([]string{"lost", "gone", "same0", "same1"}, x.Symbol) // of gc.s, gone.s and icf.s
		if !slices.ContainsFunc(l.Functions, func(y conformance.Linked) bool { return y.Symbol == x.Symbol }) {
			l.Functions = append(l.Functions, x)
		}
	}
}

// symbolAt returns the symbol of a function: a global one before a weak one, which another object may define, and
// a weak one before a local one.
func symbolAt(t *testing.T, o *reader.Object, f model.FDE) (name string) {
	rank, best := map[elf.SymBind]int{elf.STB_GLOBAL: 3, elf.STB_WEAK: 2, elf.STB_LOCAL: 1}, 0
	for i := range o.ELF.Symbols.Len() {
		y, _ := o.ELF.Symbols.Symbol(i)
		here := y.Section == f.Place() && y.Value == f.Start() && y.Type != elf.STT_SECTION && !strings.HasPrefix(y.Name, "$")
		if here && rank[y.Bind] > best {
			name, best = y.Name, rank[y.Bind]
		}
	}
	require.NotEmpty(t, name, "%s: section %d, 0x%x", o.Path, f.Place(), f.Start())
	return name
}
