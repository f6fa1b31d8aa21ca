package campaign

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/internal/evidence/consumers"
	"github.com/sframe-lint/sframe-lint/internal/tool/asked"
	"github.com/sframe-lint/sframe-lint/internal/tool/dump"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// adapter reads what a target prints of sections.
type adapter struct {
	read    func(text string) []dump.Func
	rule    func(model.FRE) string
	columns func(string) dump.Rule
}

// adapter returns the reader of the target's output, nil if there is none. A library has none.
func (t *Target) adapter() *adapter {
	if t.lib != nil {
		return nil
	}
	base, all := filepath.Base(t.args[0]), strings.Join(t.args, " ")
	if !strings.Contains(all, "sframe") {
		return nil
	}
	switch {
	case strings.Contains(base, "llvm-"):
		return &adapter{dump.ParseLLVM, dump.LLVMRule, dump.LLVMColumns}
	case strings.HasSuffix(base, "objdump"), strings.HasSuffix(base, "readelf"):
		return &adapter{func(text string) []dump.Func {
			_, text, _ = strings.Cut(text, "Contents of the SFrame section")
			return dump.ParseObjdump(text)
		}, dump.ObjdumpRule, dump.ObjdumpColumns}
	}
	return nil
}

// disagreement holds a run that has not failed against what the format says of the input.
// It returns false if nothing is wrong.
func (t *Target) disagreement(in *Input, r *run, v ending) (ending, bool) {
	if in.Class == Broken {
		return t.findSilence(in, v)
	}
	if in.Class != Valid || !t.probed.reads[form{in.Version, in.ABI.ID}] {
		return v, false
	}
	o := object(in.Data)
	if o == nil || len(o.SFrames) != 1 || o.SFrames[0].Section == nil {
		return v, false
	}
	f := o.SFrames[0]
	if v.outcome != Accepts {
		e := t.expectation(o, f)
		return ending{outcome: RejectsValid, key: cmp.Or(e.first(consumers.Rejects), e.outcome(), v.message), message: v.message}, true
	}
	if a := t.adapter(); a != nil {
		if d := dump.Compare(o, f, a.read(string(r.Stdout)), a.rule); d != nil {
			return ending{outcome: Misreads, key: cmp.Or(t.expectation(o, f).outcome(), d.Field), message: d.String()}, true
		}
	}
	if t.Linker {
		if w, ok := compareOutput(o, r.out); ok { // which rules report an error depends on the bytes that were misread
			w.key = cmp.Or(t.expectation(o, f).misreadDemand(), w.key)
			return w, true
		}
	}
	return v, false
}

// expectation is what the profile of a target expects that it does with a section.
type expectation struct {
	profile  string
	verdicts []consumers.Verdict // of which the first one is the outcome; none without a profile
}

// expectation returns what the profile of the target expects that it does with a section.
func (t *Target) expectation(o *reader.Object, f *reader.SFrame) expectation {
	p := t.profile()
	if p == nil {
		return expectation{}
	}
	return expectation{p.Name, p.Judge(o, f, asked.Of(o))}
}

// first returns the first demand whose violation leads to an outcome of a kind, "" if there is none.
func (e expectation) first(kind consumers.Outcome) string {
	at := slices.IndexFunc(e.verdicts, func(v consumers.Verdict) bool { return v.Outcome == kind })
	if at < 0 {
		return ""
	}
	return fmt.Sprintf("%s: %s", e.profile, e.verdicts[at].Check)
}

// outcome returns the demand because of which the target does not read the section, "" if it reads it.
func (e expectation) outcome() string {
	if len(e.verdicts) == 0 || e.verdicts[0].Outcome == consumers.Reads {
		return ""
	}
	return e.first(e.verdicts[0].Outcome)
}

// ignores reports whether the target treats the section as absent.
func (e expectation) ignores() bool {
	return len(e.verdicts) > 0 && e.verdicts[0].Outcome == consumers.Ignores
}

// misreadDemand returns the demand because of which the target misreads the section without a message, "" if it does not.
func (e expectation) misreadDemand() string {
	if len(e.verdicts) == 0 || e.verdicts[0].Outcome != consumers.Misreads {
		return ""
	}
	return e.outcome()
}

var versionNumber = regexp.MustCompile(`\b\d+\.\d+`)

// profile returns the profile of the program, nil if there is none.
func (t *Target) profile() *consumers.Profile {
	family, number := "", versionNumber.FindString(t.Version)
	switch {
	case strings.Contains(t.Version, "objdump"), strings.Contains(t.Version, "readelf"):
		family = "libsframe"
	case strings.HasPrefix(t.Version, "mold"): // which says that it is compatible with GNU ld
		family, number = "mold", strings.TrimSuffix(number, ".0")
	case strings.Contains(t.Version, "GNU ld"):
		family = "gnu-ld"
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

// compareOutput compares the output of a linker with its only input, which is valid.
func compareOutput(in *reader.Object, out []byte) (ending, bool) {
	o := object(out)
	if o == nil || o.ELF == nil {
		return ending{outcome: Worsens, key: "no output that can be read"}, true
	}
	want, got := in.SFrames[0].Section.NumFDEs(), 0
	for _, f := range o.SFrames {
		got += dump.Functions(f.Data)
	}
	if got != want {
		return ending{outcome: Worsens, key: "FDEs are lost", message: fmt.Sprintf("%d of %d FDEs", got, want)}, true
	}
	before := errorsIn(in)
	var more []string
	for id := range errorsIn(o) {
		if !before[id] {
			more = append(more, id)
		}
	}
	if len(more) == 0 {
		return ending{}, false
	}
	slices.Sort(more)
	return ending{outcome: Worsens, key: more[0], message: strings.Join(more, ", ")}, true
}

// findSilence returns a find if a target reads a broken section, which cannot be read as it stands,
// without a message.
func (t *Target) findSilence(in *Input, v ending) (ending, bool) {
	if in.Class != Broken || v.outcome != Accepts || t.lib == nil && t.adapter() == nil || !t.probed.reads[form{in.Version, in.ABI.ID}] {
		return v, false
	}
	o := object(in.Data)
	if o == nil {
		return v, false
	}
	found := errorsIn(o)
	rule := ""
	if in.Break != "" {
		rule = breaks.Lookup(in.Break).Rule
	} else if rules := unreadableOf(found); len(rules) > 0 {
		rule = rules[0]
	}
	if !isUnreadable(rule) || !found[rule] {
		return v, false
	}
	return ending{outcome: Silent, key: rule, message: "no message on what this rule reports"}, true
}
