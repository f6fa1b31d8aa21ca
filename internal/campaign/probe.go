package campaign

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/internal/dumped"
	"github.com/sframe-lint/sframe-lint/internal/inprocess"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// form is a kind of sections that a target may read.
type form struct {
	version model.Version
	abi     model.ABI
}

// probe is what a target does with plain valid sections.
type probe struct {
	reads    map[form]bool
	abis     map[model.ABI]bool // it reads a version of
	noise    map[string]bool    // messages on sections that it reads
	exit     int                // status with which it reads them
	absolute bool               // it reads version 2 without PCREL alone
	rss      int64              // most memory, bytes
	time     time.Duration      // most time of the processor
	leaks    bool               // LeakSanitizer reports a leak on a section
	hung     *atomic.Bool       // a run has been ended twice after the whole time limit
}

// probe runs a target on plain valid sections of all versions and ABIs. It tries version 2 without
// PCREL if the target does not read it as it is today.
func (s scratch) probe(ctx context.Context, t *Target) error {
	t.probed = probe{reads: map[form]bool{}, abis: map[model.ABI]bool{}, noise: map[string]bool{}, rss: 1 << 62, time: time.Hour, hung: new(atomic.Bool)}
	p := probe{reads: map[form]bool{}, abis: map[model.ABI]bool{}, noise: map[string]bool{}, hung: new(atomic.Bool)}
	for _, abi := range model.ABIs() {
		if !slices.Contains(t.arches(), abi.Arch) {
			continue
		}
		for _, v := range model.Versions(nil) {
			if !abi.InVersion(v) {
				continue
			}
			c := generator.Default()
			c.ABI, c.Version, c.Funcs, c.Rows, c.Seed = int64(abi.ID), int64(v), 2, 2, 1
			reads, err := s.plain(ctx, t, c, &p)
			if err == nil && !reads && v == model.SFRAME_VERSION_2 {
				c.PCRel = 0
				if reads, err = s.plain(ctx, t, c, &p); reads {
					p.absolute = true
				}
			}
			if err != nil {
				return err
			}
			if reads {
				p.reads[form{v, abi.ID}], p.abis[abi.ID] = true, true
			}
		}
	}
	if len(p.reads) == 0 && p.leaks {
		return errors.New("it ends with a report of LeakSanitizer on every valid section: --env ASAN_OPTIONS=detect_leaks=0 turns that off")
	}
	t.probed = p
	return nil
}

// plain runs a target on the section of a configuration, and reports whether it reads that. What
// it uses and prints becomes part of p.
func (s scratch) plain(ctx context.Context, t *Target, c generator.Config, p *probe) (bool, error) {
	subject, err := breaks.Recipe{Config: c, Container: t.shape().kind}.Subject()
	if err != nil {
		return false, err
	}
	in := &Input{Class: Mutated, ABI: subject.Plan().ABIInfo(), Version: model.Version(c.Version), Data: subject.File(), Addr: subject.Addr()}
	if t.lib != nil {
		r, v, _, err := s.try(ctx, t, in)
		if err != nil || v.kind != Accepts {
			return false, err
		}
		return t.open != nil || t.lib.Kind != inprocess.Own || t.answers(in, r), nil
	}
	r, err := s.run(ctx, t, in.ABI.Arch, in.Data)
	if err != nil {
		return false, err
	}
	p.rss, p.time = max(p.rss, r.RSS), max(p.time, r.Time)
	if key, _ := internalFailure(r.Stderr); key != "" {
		p.leaks = p.leaks || strings.HasPrefix(key, leakKey)
		return false, nil
	}
	if !t.understood(r, in.Data) {
		return false, nil
	}
	p.exit = r.Exit
	for _, line := range complaints(r.Stdout, r.Stderr, s.dir) {
		p.noise[line] = true
	}
	return true, nil
}

// answers reports whether a library has read a plain section: one that answers look-ups need not refuse what it does
// not know.
func (t *Target) answers(in *Input, r *run) bool {
	s, _ := reader.DecodeSection(in.Data, reader.SectionOptions{Addr: in.Addr})
	return !t.lib.LooksUp || string(r.Stdout) == t.lib.Kind.Expect(s, inprocess.Lookups(s))
}

// shape returns the form of inputs that the target gets.
func (t *Target) shape() shape { return shape{t.kind(), t.probed.absolute} }

// understood reports whether a target has read the section of a valid file.
func (t *Target) understood(r *run, data []byte) bool {
	if r.Signal != 0 || r.Timeout {
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

// Readable lists the versions and ABIs whose plain sections the target reads.
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
