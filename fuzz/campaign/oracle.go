package campaign

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/sframe-lint/sframe-lint/consumers"
	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/internal/dumped"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// form is a kind of sections that a target may read.
type form struct {
	version model.Version
	abi     model.ABI
}

// probe is what a target does with plain valid sections.
type probe struct {
	reads map[form]bool
	abis  map[model.ABI]bool // it reads a version of
	noise map[string]bool    // messages on sections that it reads
	exit  int                // status with which it reads them
	rss   int64              // most memory, bytes
	time  time.Duration      // most time of the processor
}

// probe runs a target on plain valid sections of all versions and ABIs.
func (s scratch) probe(ctx context.Context, t *Target) error {
	t.probed = probe{reads: map[form]bool{}, abis: map[model.ABI]bool{}, noise: map[string]bool{}, rss: 1 << 62, time: time.Hour}
	p := probe{reads: map[form]bool{}, abis: map[model.ABI]bool{}, noise: map[string]bool{}}
	for _, abi := range model.ABIs() {
		if !slices.Contains(t.arches(), archOf(abi)) {
			continue
		}
		for _, v := range model.Versions(nil) {
			if !abi.InVersion(v) {
				continue
			}
			c := generator.Default()
			c.ABI, c.Version, c.Funcs, c.Rows, c.Seed = int64(abi.ID), int64(v), 2, 2, 1
			subject, err := breaks.Recipe{Config: c, Container: t.kind()}.Subject()
			if err != nil {
				return err
			}
			in := &Input{Class: Broken, ABI: abi, Version: v, Data: subject.File(), Addr: subject.Addr()}
			if t.lib != nil {
				_, verdict, _, err := s.try(ctx, t, in)
				if err != nil {
					return err
				}
				if verdict.kind == Accepts {
					p.reads[form{v, abi.ID}], p.abis[abi.ID] = true, true
				}
				continue
			}
			r, err := s.run(ctx, t, archOf(abi), in.Data)
			if err != nil {
				return err
			}
			p.rss, p.time = max(p.rss, r.RSS), max(p.time, r.Time)
			if !t.understood(r, subject.File()) {
				continue
			}
			p.reads[form{v, abi.ID}], p.abis[abi.ID], p.exit = true, true, r.Exit
			for _, line := range complaints(r.Stdout, r.Stderr, s.dir) {
				p.noise[line] = true
			}
		}
	}
	t.probed = p
	return nil
}

// understood reports whether a target has read the section of a valid file.
func (t *Target) understood(r *run, data []byte) bool {
	if r.Signal != 0 || r.Timeout || internalFailure(r.Stderr) != "" {
		return false
	}
	in := object(data)
	switch a := t.adapter(); {
	case a != nil:
		return len(a.read(string(r.Stdout))) == in.SFrames[0].Section.NumFDEs()
	case t.Linker:
		out := object(r.out)
		return r.Exit == 0 && out != nil && len(out.SFrames) == 1 && out.SFrames[0].Section != nil &&
			dumped.Functions(out.SFrames[0].Data) == in.SFrames[0].Section.NumFDEs()
	}
	return r.Exit == 0
}

// Readable lists the versions and ABIs of which the target reads plain sections.
func (t *Target) Readable() (all []string) {
	for _, abi := range model.ABIs() {
		for _, v := range model.Versions(nil) {
			if t.probed.reads[form{v, abi.ID}] {
				all = append(all, fmt.Sprintf("V%d %s", v, abi.Spec))
			}
		}
	}
	return all
}

// adapter reads what a target prints of sections.
type adapter struct {
	read func(text string) []dumped.Func
	rule func(model.FRE) string
}

// adapter returns the reader of the target's output, nil if there is none.
func (t *Target) adapter() *adapter {
	base, all := filepath.Base(t.args[0]), strings.Join(t.args, " ")
	if !strings.Contains(all, "sframe") {
		return nil
	}
	switch {
	case strings.Contains(base, "llvm-"):
		return &adapter{dumped.LLVM, dumped.LLVMRule}
	case strings.HasSuffix(base, "objdump"), strings.HasSuffix(base, "readelf"):
		return &adapter{func(text string) []dumped.Func {
			_, text, _ = strings.Cut(text, "Contents of the SFrame section")
			return dumped.Objdump(text)
		}, dumped.ObjdumpRule}
	}
	return nil
}

// disagreement holds a run that has not failed against what the format says of the input.
// It returns false if nothing is wrong.
func (t *Target) disagreement(in *Input, r *run, v verdict) (verdict, bool) {
	if in.Class != Valid || !t.probed.reads[form{in.Version, in.ABI.ID}] {
		return v, false
	}
	o := object(in.Data)
	if o == nil || len(o.SFrames) != 1 || o.SFrames[0].Section == nil {
		return v, false
	}
	f := o.SFrames[0]
	known := t.known(o, f)
	if v.kind != Accepts {
		return verdict{RejectsValid, cmp.Or(known, v.message), v.message}, true
	}
	if a := t.adapter(); a != nil {
		if d := dumped.Compare(o, f, a.read(string(r.Stdout)), a.rule); d != nil {
			return verdict{Misreads, cmp.Or(known, fmt.Sprintf("%s, V%d", d.Field, in.Version)), d.String()}, true
		}
	}
	if t.Linker {
		return worse(o, r.out)
	}
	return v, false
}

// known returns why the profile of the target expects that it does not read a section, "" if it
// does not expect that.
func (t *Target) known(o *reader.Object, f *reader.SFrame) string {
	p := t.profile()
	if p == nil {
		return ""
	}
	if v := p.Judge(o, f)[0]; v.Kind != consumers.Reads {
		return fmt.Sprintf("%s: %s", p.Name, v.Check)
	}
	return ""
}

var versionNumber = regexp.MustCompile(`\b\d+\.\d+`)

// profile returns the profile of the program, nil if there is none.
func (t *Target) profile() *consumers.Profile {
	family, number := "", versionNumber.FindString(t.Version)
	switch {
	case strings.Contains(t.Version, "objdump"), strings.Contains(t.Version, "readelf"):
		family = "libsframe"
	case strings.Contains(t.Version, "GNU ld"):
		family = "gnu-ld"
	case strings.HasPrefix(t.Version, "mold"):
		family, number = "mold", strings.TrimSuffix(number, ".0")
	case strings.Contains(t.Version, "LLD"):
		family, number = "lld", strings.Split(number, ".")[0]
	case strings.Contains(t.Version, "LLVM"):
		family, number = "llvm", strings.Split(number, ".")[0]
	default:
		return nil
	}
	all, err := consumers.Select(family + "-" + number)
	if err != nil || len(all) != 1 {
		return nil
	}
	return all[0]
}

// linter has the rules that a linker's output is checked with: those on the section.
var linter = rules.Driver{Rules: slices.DeleteFunc(catalogue.Rules(), func(r *rules.Rule) bool {
	return r.Family() > '3' && r.Family() != '5' || r.OnRequest() || r.Severity != rules.Error
})}

// errors returns the IDs of the rules that report an error in an object.
func errorsIn(o *reader.Object) map[string]bool {
	found := map[string]bool{}
	for _, f := range linter.Run(o).Findings {
		found[f.Rule.ID] = true
	}
	return found
}

// worse compares the output of a linker with its only input, which is valid.
func worse(in *reader.Object, out []byte) (verdict, bool) {
	o := object(out)
	if o == nil || o.ELF == nil {
		return verdict{Worsens, "no output that can be read", ""}, true
	}
	want, got := in.SFrames[0].Section.NumFDEs(), 0
	for _, f := range o.SFrames {
		got += dumped.Functions(f.Data)
	}
	if got != want {
		return verdict{Worsens, "FDEs are lost", fmt.Sprintf("%d of %d FDEs", got, want)}, true
	}
	before := errorsIn(in)
	var more []string
	for id := range errorsIn(o) {
		if !before[id] {
			more = append(more, id)
		}
	}
	if len(more) == 0 {
		return verdict{}, false
	}
	slices.Sort(more)
	return verdict{Worsens, more[0], strings.Join(more, ", ")}, true
}
