package campaign

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/sframe-lint/sframe-lint/internal/command"
	"github.com/sframe-lint/sframe-lint/internal/inprocess"
)

// A batch has batchSize inputs for programs. Libraries and decoders read many inputs in the time that a program takes for one: they
// get besideBatch inputs in a campaign that also has programs, and libraryBatch in one that has none.
const (
	batchSize    = 32
	besideBatch  = 4 * batchSize
	libraryBatch = 2048
)

// batchSizes returns the inputs in a batch for programs and for libraries.
func batchSizes(targets []*Target) (programs, libraries int) {
	if slices.ContainsFunc(targets, func(t *Target) bool { return t.lib == nil }) {
		return batchSize, besideBatch
	}
	return libraryBatch, libraryBatch
}

// batch runs all targets on the inputs of a batch.
func (c *campaign) batch(ctx context.Context, s scratch, number int64) (*batch, error) {
	b := &batch{Number: number, Inputs: map[Class]int{}, Runs: map[string]tally{}, Breaks: map[string]map[string]tally{}, Arms: map[string]int{}}
	m := c.makerOf(number)
	if err := c.libraries(ctx, s, m, b); err != nil {
		return nil, err
	}
	from, end := c.inputs(number, c.size())
	for i := from; i < end; i++ {
		made := map[shape]*Input{}
		var all []*reading
		for _, t := range c.Targets {
			if t.lib != nil {
				continue
			}
			in, err := c.input(m, b, made, t, i)
			if err != nil {
				return nil, err
			}
			r, err := c.one(ctx, s, b, t, in)
			if err != nil {
				return nil, err
			}
			if r != nil {
				all = append(all, r)
			}
		}
		for _, d := range disputes(all) {
			b.hit(d.Bucket, i, d.message, d.arm)
		}
		b.Inputs[c.maker.class(i)]++
	}
	return b, nil
}

// inputs returns where the inputs of a batch begin and end, for targets that get as many inputs a batch as size says.
func (c *campaign) inputs(number, size int64) (from, end int64) {
	from, end = number*size, (number+1)*size
	if c.Count > 0 {
		end = min(end, c.Count*size/c.size())
	}
	return from, end
}

// input returns the i-th input for a target, which is made once in each form.
func (c *campaign) input(m maker, b *batch, made map[shape]*Input, t *Target, i int64) (*Input, error) {
	sh := c.shape(t, i)
	if in := made[sh]; in != nil {
		return in, nil
	}
	in, err := m.input(i, sh)
	if err != nil {
		return nil, err
	}
	made[sh] = in
	b.made(in, t)
	return in, nil
}

// shape returns the form of an input for a target. Where an older program needs sections without PCREL, half of those for the
// others are the same files: else what the programs print of plain sections would never be compared.
func (c *campaign) shape(t *Target, i int64) shape {
	sh := t.shape()
	older := func(o *Target) bool { return o.shape() == shape{sh.kind, true} }
	if !sh.absolute && c.maker.older(i) && slices.ContainsFunc(c.Targets, older) {
		sh.absolute = true
	}
	return sh
}

// libraries runs the targets in process on the inputs of a batch, which they number apart from those for programs.
func (c *campaign) libraries(ctx context.Context, s scratch, m maker, b *batch) error {
	from, to := c.inputs(b.Number, int64(c.journal.header.Libraries))
	made := make([]map[shape]*Input, to-from)
	for _, t := range c.Targets {
		if t.lib == nil {
			continue
		}
		ins := make([]*Input, to-from)
		for k := range ins {
			if made[k] == nil {
				made[k] = map[shape]*Input{}
			}
			var err error
			if ins[k], err = c.input(m, b, made[k], t, from+int64(k)); err != nil {
				return err
			}
		}
		all, err := s.read(ctx, t, ins)
		if err != nil {
			return err
		}
		for k, in := range ins {
			if t.wants(in) {
				b.add(t, in, all[k].verdict, all[k].bad)
			}
		}
	}
	return nil
}

// one runs a target on an input, and returns what it prints if it reports nothing.
func (c *campaign) one(ctx context.Context, s scratch, b *batch, t *Target, in *Input) (*reading, error) {
	if !t.wants(in) {
		return nil, nil
	}
	r, v, bad, err := s.try(ctx, t, in)
	if err != nil {
		return nil, err
	}
	b.Millis += r.Time.Milliseconds()
	if v.kind == Hang || v.kind == Slow {
		if q, ok := c.quadratic(t, in, r.Time); ok {
			bad = []verdict{q}
		}
	}
	b.add(t, in, v, bad)
	return t.reading(in, r, v), nil
}

// add counts the verdict on an input, and what counts as a find.
func (b *batch) add(t *Target, in *Input, v verdict, bad []verdict) {
	addTo(b.Runs, t.Name, tally{v.kind: 1})
	if in.Break != "" && t.probed.reads[form{in.Version, in.ABI.ID}] { // else the target sees the version alone
		if b.Breaks[in.Break] == nil {
			b.Breaks[in.Break] = map[string]tally{}
		}
		addTo(b.Breaks[in.Break], t.Name, tally{v.kind: 1})
	}
	for _, x := range bad {
		b.hit(t.failure(x), in.Index, x.message, in.arm(t.kind()))
	}
}

// made counts an input.
func (b *batch) made(in *Input, t *Target) {
	if name := in.arm(t.kind()); name != "" {
		b.Arms[name]++
	}
}

// hit counts an input in a bucket.
func (b *batch) hit(k Bucket, index int64, message, arm string) {
	at := slices.IndexFunc(b.Hits, func(h *hit) bool { return h.Bucket == k })
	if at < 0 {
		b.Hits = append(b.Hits, &hit{Bucket: k, Input: index, Message: message, Arm: arm})
		at = len(b.Hits) - 1
	}
	b.Hits[at].Count++
}

// wants reports whether a target is run on an input: it reads files of its machine, if it reads
// any.
func (t *Target) wants(in *Input) bool {
	return slices.Contains(t.arches(), in.ABI.Arch) && (len(t.probed.abis) == 0 || t.probed.abis[in.ABI.ID])
}

// try runs a target on an input and returns the verdict, and what counts as a find.
func (s scratch) try(ctx context.Context, t *Target, in *Input) (*run, verdict, []verdict, error) {
	if t.lib != nil {
		return s.tryLibrary(ctx, t, in)
	}
	arch := in.ABI.Arch
	r, err := s.runFor(ctx, t, arch, in.Data, t.patience())
	if err != nil {
		return nil, verdict{}, nil, err
	}
	v := s.judge(ctx, t, arch, r, len(in.Data))
	if v.kind == Hang && !t.probed.hung.Load() || v.kind == Slow || v.kind == Memory { // once more: the machine may be busy
		if r, err = s.run(ctx, t, arch, in.Data); err != nil {
			return nil, verdict{}, nil, err
		}
		if v = s.judge(ctx, t, arch, r, len(in.Data)); v.kind == Hang {
			t.probed.hung.Store(true)
		}
	}
	if v.failed() {
		return r, v, []verdict{v}, nil
	}
	if d, ok := t.disagreement(in, r, v); ok {
		return r, v, []verdict{d}, nil
	}
	return r, v, nil, nil
}

// patience returns how long a run may take. All hangs of a target are one find: when one is confirmed, others
// need not take the whole time.
func (t *Target) patience() time.Duration {
	if !t.probed.hung.Load() {
		return t.limits.Timeout
	}
	return min(t.limits.Timeout, hungTimeout+timesHung*t.probed.time)
}

// What a run may take in a target that hangs, besides times of a plain section's time of the processor.
const (
	hungTimeout = 250 * time.Millisecond
	timesHung   = 50
)

// tryLibrary is try for a target in process.
func (s scratch) tryLibrary(ctx context.Context, t *Target, in *Input) (*run, verdict, []verdict, error) {
	all, err := s.read(ctx, t, []*Input{in})
	if err != nil {
		return nil, verdict{}, nil, err
	}
	return &run{Outcome: &command.Outcome{Stdout: []byte(all[0].text)}}, all[0].verdict, all[0].bad, nil
}

// verdicts returns the verdict on what a driver says of an input, and what counts as a find.
func (t *Target) verdicts(in *Input, r inprocess.Answer) (verdict, []verdict) {
	v, bad := t.judgeRead(in, r)
	checks := t.lib.Kind != inprocess.Glibc // which has no function that checks
	if t.lib.Kind == inprocess.Own {
		checks = strings.Contains(r.Text, " cfa ") // it has found a row
	}
	if len(bad) == 0 && !refusal.MatchString(r.Text) && checks {
		if d, ok := t.silent(in, v); ok {
			bad = []verdict{d}
		}
	}
	return v, bad
}

// refusal matches the lines of a function or an FRE that a library returns an error for.
var refusal = regexp.MustCompile(`(?m)^(function )?none$`)
