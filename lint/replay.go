package lint

import (
	"context"
	"iter"

	"github.com/sframe-lint/sframe-lint/rules"
)

// Replay prepares a run over the results of earlier runs with the baseline and Show of these options. It checks
// nothing. severities are those of the rules in the earlier runs.
func Replay(ctx context.Context, o Options, severities map[string]rules.Severity, results iter.Seq[*File]) (*Run, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	o.RequireSFrame = false // earlier runs have made these findings
	d := &rules.Driver{Severity: severities}
	for _, r := range Rules(o.Extra...) {
		if severities[r.ID] != rules.Off {
			d.Rules = append(d.Rules, r)
		}
	}
	return &Run{ctx: ctx, opts: &o, driver: d, exceptions: newExceptions(&o), known: newKnown(&o, d), results: results}, nil
}

// replay is Files of a run over results.
func (r *Run) replay(yield func(*File) bool) {
	done := 0
	for f := range r.results {
		if r.ctx.Err() != nil {
			break
		}
		r.finish(f)
		if done++; r.opts.Progress != nil {
			r.opts.Progress(done, f.Path)
		}
		if !yield(f) {
			return
		}
	}
	r.err = context.Cause(r.ctx)
	r.done = r.err == nil
}

// Severities returns the severities of the rules that the linter runs, by ID.
func (l *Linter) Severities() map[string]rules.Severity { return active(l.driver) }

// Accepted returns the rules that did not check a section for a reason that the user has accepted.
func (o *Object) Accepted() []*rules.HeldBack {
	if len(o.HeldBack) == 0 {
		return nil
	}
	var out []*rules.HeldBack
	given := o.given()
	for i := range o.HeldBack {
		if h := &o.HeldBack[i]; given.hidesReasons(h) && o.accepts(given, h) {
			out = append(out, h)
		}
	}
	return out
}

// Accept records that the user has accepted the reason why a rule did not check a section.
func (o *Object) Accept(h *rules.HeldBack) {
	for _, id := range h.Causes {
		if o.accepted == nil {
			o.accepted = map[sectionRule]bool{}
		}
		o.accepted[sectionRule{id, h.SectionIndex}] = true
	}
}
