package build

import (
	"bytes"
	"cmp"
	"debug/elf"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	suite "github.com/sframe-lint/sframe-lint/conformance"
	"github.com/sframe-lint/sframe-lint/internal/tool/conformance"
	"github.com/sframe-lint/sframe-lint/internal/tool/shrink"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// target is a machine and a version of the format.
type target struct{ name, arch, endian string }

var targets = []target{
	{"v1-amd64", "x86_64", "EL"}, {"v2-amd64", "x86_64", "EL"}, {"v2-aarch64", "aarch64", "EL"}, {"v2-aarch64-be", "aarch64", "EB"},
	{"v2e1-amd64", "x86_64", "EL"}, {"v3-amd64", "x86_64", "EL"}, {"v3-aarch64", "aarch64", "EL"}, {"v3-aarch64-be", "aarch64", "EB"},
	{"v3-s390x", "s390x", "EB"},
}

func (x *target) version() string { return x.name[:2] }

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
	{name: "two", about: "Two objects: one section with all functions.", inputs: "a b"},
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

// Links makes the cases for linkers, from the objects in package conformance of the module.
func Links() (all []conformance.Link, err error) {
	objects := map[string]map[string][]byte{} // by target
	for i := range targets {
		text, err := fs.ReadFile(suite.Links, "links/"+targets[i].name+".txt")
		if err == nil {
			objects[targets[i].name], err = shrink.ParseFiles(text)
		}
		if err != nil {
			return nil, err
		}
	}
	for i := range targets {
		for k := range linkCases {
			l, err := targets[i].link(&linkCases[k], objects)
			if err != nil {
				return nil, err
			}
			if l != nil {
				all = append(all, *l)
			}
		}
	}
	return all, nil
}

// link returns a case of a target, nil if the target has none.
func (x *target) link(c *linkCase, objects map[string]map[string][]byte) (*conformance.Link, error) {
	v := x.version()
	if c.versions != "" && !of(c.versions, v) {
		return nil, nil
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
		all := objects[target]
		if all[file] == nil {
			return nil, nil // no such version of the target
		}
		l.Inputs = append(l.Inputs, path)
		files = append(files, file)
		// An object of an unknown version has the functions of the one from which it was made.
		b := all[strings.Replace(file, "unknown-version", "a", 1)]
		if err := DescribeObject(l, path, b); err != nil {
			return nil, err
		}
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
	return l, nil
}

// DescribeObject adds the functions of an object to a case.
func DescribeObject(l *conformance.Link, path string, object []byte) error {
	return reader.ScanReader(path, bytes.NewReader(object), int64(len(object)), reader.Options{}, func(o *reader.Object) error {
		if len(o.SFrames) == 0 || o.SFrames[0].Section == nil {
			return nil
		}
		s := o.SFrames[0].Section
		if len(o.SFrames[0].Faults) > 0 {
			return errors.New(path + " has faults")
		}
		l.FramePointer = l.FramePointer && s.Header().Flags&model.SFRAME_F_FRAME_POINTER != 0
		for f := range s.FDEs() {
			symbol := symbolAt(o, f)
			if symbol == "" || !f.Resolved() {
				return fmt.Errorf("%s: no symbol in section %d at 0x%x", path, f.Place(), f.Start())
			}
			x := conformance.LinkedOf(symbol, conformance.Describe(f))
			x.Discarded = slices.Contains([]string{"lost", "gone", "same0", "same1"}, x.Symbol) // of gc.s, gone.s and icf.s
			if !slices.ContainsFunc(l.Functions, func(y conformance.Linked) bool { return y.Symbol == x.Symbol }) {
				l.Functions = append(l.Functions, x)
			}
		}
		return nil
	})
}

// symbolAt returns the symbol of a function: a global one before a weak one, which another object may define, and
// a weak one before a local one.
func symbolAt(o *reader.Object, f model.FDE) (name string) {
	rank, best := map[elf.SymBind]int{elf.STB_GLOBAL: 3, elf.STB_WEAK: 2, elf.STB_LOCAL: 1}, 0
	for i := range o.ELF.Symbols.Len() {
		y, _ := o.ELF.Symbols.Symbol(i)
		here := y.Section == f.Place() && y.Value == f.Start() && y.Type != elf.STT_SECTION && !strings.HasPrefix(y.Name, "$")
		if here && rank[y.Bind] > best {
			name, best = y.Name, rank[y.Bind]
		}
	}
	return name
}
