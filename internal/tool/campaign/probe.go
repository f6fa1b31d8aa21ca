package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/sframe-lint/sframe-lint/internal/tool/dump"
	"github.com/sframe-lint/sframe-lint/model"
)

// form is a kind of sections that a target may read.
type form struct {
	version model.Version
	abi     model.ABI
}

// probe is what a target does with plain valid sections.
type probe struct {
	reads    map[form]bool      // it reads them, rightly or wrongly
	refuses  map[form]bool      // it reports that it does not read them; no run of them is a find
	why      map[form]string    // it does not read them
	abis     map[model.ABI]bool // it reads a version of
	noise    map[string]bool    // messages on sections that it reads
	exit     int                // status with which it reads them
	absolute bool               // it reads version 2 only without PCREL
	rss      int64              // most memory, bytes
	time     time.Duration      // most time of the processor
	leaks    bool               // LeakSanitizer reports a leak on a section
	hung     *atomic.Bool       // a run has been ended twice after the whole time limit
}

func newProbe() probe {
	return probe{reads: map[form]bool{}, refuses: map[form]bool{}, why: map[form]string{}, abis: map[model.ABI]bool{}, noise: map[string]bool{}, hung: new(atomic.Bool)}
}

// probe runs a target on plain valid sections of all versions and ABIs. It tries version 2 without
// PCREL if the target does not read it as it is today.
func (s scratch) probe(ctx context.Context, t *Target) error {
	t.probed = newProbe()
	t.probed.rss, t.probed.time = 1<<62, time.Hour
	p := newProbe()
	for _, f := range plainForms() {
		if !slices.Contains(t.arches(), model.LookupABI(f.abi).Arch) {
			continue
		}
		why, err := s.plain(ctx, t, shape{kind: t.kind()}, f, &p)
		if err == nil && why != "" && f.version == model.SFRAME_VERSION_2 && t.lib == nil {
			var absolute string
			if absolute, err = s.plain(ctx, t, shape{t.kind(), true}, f, &p); absolute == "" {
				why, p.absolute = "", true
			}
		}
		if err != nil {
			return err
		}
		if p.why[f] = why; why == "" {
			p.reads[f], p.abis[f.abi] = true, true
			delete(p.refuses, f)
		}
	}
	p.demand()
	if len(p.reads) == 0 && p.leaks {
		return errors.New("it ends with a report of LeakSanitizer on every valid section: --env ASAN_OPTIONS=detect_leaks=0 turns that off")
	}
	t.probed = p
	return nil
}

// demand counts a refused form as one that the target should read, if it reads the version on another ABI, and another
// version on the ABI: no reader is written so.
func (p *probe) demand() {
	reads := func(like func(g form) bool) bool {
		return slices.ContainsFunc(plainForms(), func(g form) bool { return like(g) && p.reads[g] && p.why[g] == "" })
	}
	for f, refused := range p.refuses {
		if refused && p.why[f] != unsupported && reads(func(g form) bool { return g.version == f.version }) && reads(func(g form) bool { return g.abi == f.abi }) {
			p.reads[f] = true
			delete(p.refuses, f)
		}
	}
}

// unsupported is why a decoder does not read a section, if it answers that.
const unsupported = "not supported by the decoder"

// plain runs a target on the plain section of a form, and returns why it does not read it, "" if it does. What
// it uses and prints becomes part of p.
func (s scratch) plain(ctx context.Context, t *Target, sh shape, f form, p *probe) (why string, err error) {
	in, err := sh.plain(f, 0)
	if err != nil {
		return "", err
	}
	if t.lib != nil {
		t.probed.reads[f] = true
		defer delete(t.probed.reads, f)
		_, v, bad, err := s.try(ctx, t, in)
		switch {
		case err != nil:
			return "", err
		case len(bad) == 0 && v.outcome == Rejects:
			p.refuses[f] = true
			return unsupported, nil
		case len(bad) == 0 || bad[0].outcome == Misreads:
			return "", nil
		}
		p.refuses[f] = bad[0].outcome == RejectsValid
		return cmp.Or(bad[0].message, v.message, string(bad[0].outcome)), nil
	}
	r, err := s.run(ctx, t, in.ABI.Arch, in.Data)
	if err != nil {
		return "", err
	}
	p.rss, p.time = max(p.rss, r.RSS), max(p.time, r.Time)
	if key, ok := r.crashKey(); ok {
		p.leaks = p.leaks || strings.HasPrefix(key, leakKey)
		return key, s.checkMemory(ctx, t, in)
	}
	read := t.understood(r, in.Data)
	lines := complaints(r.Stdout, r.Stderr, r.dir)
	if !read && (r.Exit != 0 || len(lines) > 0) {
		p.refuses[f] = true
		return cmp.Or(append(lines, r.String())...), s.checkMemory(ctx, t, in)
	}
	if !read {
		if o := object(in.Data); t.expectation(o, o.SFrames[0]).ignores() {
			return "it ignores the section, as its profile says", nil
		}
	} else { // otherwise the section is answered wrongly, which is a find
		p.exit = r.Exit
		for _, line := range lines {
			p.noise[line] = true
		}
	}
	return "", nil
}

// crashKey reports whether a run ended by a failure of the program, with its key.
func (r *run) crashKey() (key string, ok bool) {
	v, _ := internalFailure(r.Stderr)
	if key = v.key; key == "" && (r.Signal != 0 || r.Timeout) {
		key = r.String()
	}
	return key, key != ""
}

// checkMemory returns an error if it is the limit of memory because of which a target does not read a plain section.
func (s scratch) checkMemory(ctx context.Context, t *Target, in *Input) error {
	if t.limits.Memory == 0 {
		return nil
	}
	free := *t
	free.limits.Memory = 0
	r, err := s.run(ctx, &free, in.ABI.Arch, in.Data)
	if err != nil {
		return err
	}
	if _, ok := r.crashKey(); ok || !t.understood(r, in.Data) {
		return nil
	}
	return fmt.Errorf("it fails on a valid section with %d MiB of address space, and not without a limit: use --memory 0, as programs with sanitizers need it", t.limits.Memory>>20)
}

// shape returns the form of inputs that the target gets.
func (t *Target) shape() shape { return shape{t.kind(), t.probed.absolute} }

// understood reports whether a target has read the section of a valid file.
func (t *Target) understood(r *run, data []byte) bool {
	in := object(data)
	switch a := t.adapter(); {
	case a != nil:
		return len(a.read(string(r.Stdout))) == in.SFrames[0].Section.NumFDEs()
	case t.Linker:
		out := object(r.out)
		return r.Exit == 0 && out != nil && len(out.SFrames) == 1 && out.SFrames[0].Section != nil &&
			dump.Functions(out.SFrames[0].Data) == in.SFrames[0].Section.NumFDEs()
	}
	return r.Exit == 0
}

// Compared lists the versions and ABIs whose valid sections are compared.
func (t *Target) Compared() (all []string) {
	for _, f := range plainForms() {
		if t.probed.reads[f] {
			all = append(all, f.String())
		}
	}
	return all
}

// NotCompared is a reason why valid sections of some versions and ABIs are not compared.
type NotCompared struct {
	Forms []string `json:"forms"`
	Why   string   `json:"why"`
}

// NotCompared lists the other versions and ABIs, grouped by the reason.
func (t *Target) NotCompared() (all []NotCompared) {
	for _, f := range plainForms() {
		if t.probed.reads[f] {
			continue
		}
		why := cmp.Or(t.probed.why[f], "the target is not for this machine")
		at := slices.IndexFunc(all, func(n NotCompared) bool { return n.Why == why })
		if at < 0 {
			at = len(all)
			all = append(all, NotCompared{Why: why})
		}
		all[at].Forms = append(all[at].Forms, f.String())
	}
	return all
}

func (f form) String() string {
	return fmt.Sprintf("V%d %s", f.version, model.LookupABI(f.abi).Short())
}

// Contents reports whether the campaign compares the contents that the target reads from valid sections. Otherwise it
// only checks that the target accepts them.
func (t *Target) Contents() bool {
	if t.lib != nil {
		return t.lib.Kind != Own || t.lib.LooksUp
	}
	return t.Linker || t.adapter() != nil
}
