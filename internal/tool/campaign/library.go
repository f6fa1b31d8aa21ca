package campaign

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/evidence/consumers"
	"github.com/sframe-lint/sframe-lint/internal/tool/asked"
	"github.com/sframe-lint/sframe-lint/reader"
)

// NewLibrary returns the target for KIND=PATH, a reader of raw sections in process. libsframe takes a libsframe.so of
// version 3 or a source tree of binutils. linux, linux-arm64 and glibc take a source tree. Sources are compiled with
// AddressSanitizer and UndefinedBehaviorSanitizer.
func NewLibrary(line string, limits Limits) (*Target, error) {
	lib, err := ParseLibrary(line)
	if err != nil {
		return nil, err
	}
	t := &Target{Name: string(lib.Kind), Command: line, Version: string(lib.Kind) + ", source tree, with sanitizers, in process", flag: "library", limits: limits, lib: lib}
	switch {
	case !lib.Tree():
		real, err := filepath.EvalSymlinks(lib.Path)
		if err != nil {
			return nil, err
		}
		t.Version = filepath.Base(real) + ", in process"
	case lib.Kind == Libsframe:
		t.Name = "libsframe-asan"
	}
	return t, nil
}

// judgeRead returns the ending for what the driver says of an input, and what counts as a find.
func (t *Target) judgeRead(in *Input, r Answer) (ending, []ending) {
	if r.Crashed {
		v, ok := internalFailure([]byte(r.Text))
		if !ok {
			v = ending{outcome: Crash}
			lines := strings.Split(strings.TrimSpace(r.Text), "\n")
			signal, access, _ := strings.Cut(strings.TrimPrefix(lines[0], "signal "), " ")
			n, _ := strconv.Atoi(signal) // 0 if it is missing
			v.key, v.message = signalKey(n), access
			if len(lines) > 1 {
				v.key += " at " + lines[1]
			}
			if strings.HasPrefix(v.key, "SIGALRM") || strings.HasPrefix(v.key, "SIGPROF") {
				v = ending{outcome: Hang, key: "timeout"}
			}
		}
		return v, []ending{v}
	}
	v := ending{outcome: Accepts}
	if m := refused.FindString(r.Text); m != "" {
		v = ending{outcome: Rejects, message: m}
	}
	if in.Class != Valid || !t.probed.reads[form{in.Version, in.ABI.ID}] {
		return v, nil
	}
	f := reader.DecodeSFrame(in.Data, reader.SectionOptions{Addr: in.Addr})
	if v.outcome == Rejects {
		return v, []ending{{outcome: RejectsValid, key: cmp.Or(t.knownRead(f, false), v.message), message: v.message}}
	}
	if t.lib.Kind == Own && !t.lib.LooksUp {
		return v, nil
	}
	want := t.lib.Kind.Expect(f.Section, Lookups(f.Section))
	if r.Text == want || len(r.Text) >= MaxText || t.lib.Kind.Ambiguous(f.Section) {
		return v, nil
	}
	got, exp := firstDifference(r.Text, want)
	plain := steps.ReplaceAllString(r.Text, " step 0 warnings 0")
	if plain != want {
		got, exp = firstDifference(plain, want)
	}
	key := cmp.Or(t.knownRead(f, plain == want), t.lib.Kind.Difference(got, exp))
	return v, []ending{{outcome: Misreads, key: key, message: fmt.Sprintf("%q, not %q", got, exp)}}
}

// refused matches the line with which a driver reports that its reader refuses a section.
var refused = regexp.MustCompile(`(?m)\Arefused.*|^validate [1-9]\d*$`)

// steps matches the result of Linux's step from an FRE.
var steps = regexp.MustCompile(` step \d+ warnings \d+`)

// stepDemands are the demands of Linux's step, which has no part in look-ups.
var stepDemands = []consumers.Demand{"flexible-cfa-plain", "flexible-slots", "cfa-aligned", "cfa-above-sp"}

// knownRead returns why the profile of the reader expects that it does not read a section, "" if it
// does not expect that. A step is that of Linux from an FRE that it has found. That a function without
// FREs is not found is no disagreement.
func (t *Target) knownRead(f *reader.SFrame, step bool) string {
	if t.lib.Kind.Profile() == "" {
		return ""
	}
	all, err := consumers.Select(t.lib.Kind.Profile())
	if err != nil || len(all) != 1 {
		return ""
	}
	o := &reader.Object{SFrames: []*reader.SFrame{f}}
	for _, v := range all[0].Judge(o, f, asked.Of(o)) {
		if v.Outcome != consumers.Reads && v.Check != "some-rows" && slices.Contains(stepDemands, v.Check) == step {
			return fmt.Sprintf("%s: %s", all[0].Name, v.Check)
		}
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

// requestsOf returns what a driver is asked about inputs: their sections, and PCs to look up in what
// can be decoded of them.
func requestsOf(ins []*Input) (all []Request) {
	for _, in := range ins {
		s, _ := reader.DecodeSection(in.Data, reader.SectionOptions{Addr: in.Addr})
		all = append(all, Request{Data: in.Data, Addr: in.Addr, Text: AnyText, Lookups: Lookups(s)})
	}
	return all
}
