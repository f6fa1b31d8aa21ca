package campaign

import (
	"context"
	"iter"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/sframe-lint/sframe-lint/internal/tool/program"
)

// A batch has batchSize inputs if all targets are programs, otherwise libraryBatch: libraries and decoders read
// many in the time that a program takes for one. plainBatch is the number of the batch of plain sections.
const (
	batchSize    = 32
	libraryBatch = 256
	plainBatch   = -1
)

func sizeOfBatch(targets []*Target) int {
	if slices.ContainsFunc(targets, func(t *Target) bool { return t.lib != nil }) {
		return libraryBatch
	}
	return batchSize
}

// A target that takes longer than targetTime for a batch leaves out the rest of it, if the campaign has other targets and no number
// of inputs: a slow target reads fewer inputs, and does not hold the others up. Those in process get inputsAtATime.
const (
	targetTime    = 5 * time.Second
	inputsAtATime = 16
)

// pace returns the inputs of a batch that a target has time for. It begins elsewhere in each batch.
func (c *campaign) pace(number int64, n int) iter.Seq[int] {
	bounded, begun := c.Count == 0 && len(c.Targets) > 1 && number != plainBatch, time.Now()
	return func(yield func(int) bool) {
		for k := range n {
			if bounded {
				k = (k + int(number)*inputsAtATime) % n
			}
			if !yield(k) || bounded && time.Since(begun) > targetTime {
				return
			}
		}
	}
}

// batch runs all targets on the inputs of a batch.
func (c *campaign) batch(ctx context.Context, s scratch, number int64) (*batch, error) {
	b := &batch{Number: number, Inputs: map[Class]int{}, Runs: map[string]tally{}, Breaks: map[string]map[string]tally{}}
	size := int64(c.journal.header.Batch)
	from, end := number*size, (number+1)*size
	if c.Count > 0 {
		end = min(end, c.Count)
	}
	if number == plainBatch {
		from, end = -int64(len(plainForms())), 0
	}
	made := make([]map[shape]*Input, end-from)
	printed := make([][]*reading, end-from)
	for _, t := range c.Targets {
		var ins []*Input // of a library, to be read together
		for k := range c.pace(number, len(made)) {
			in, err := c.input(&made[k], t, from+int64(k))
			if err != nil {
				return nil, err
			}
			if t.lib != nil {
				if ins = append(ins, in); len(ins) == inputsAtATime {
					err, ins = c.read(ctx, s, b, t, ins), nil
				}
			} else if r, failed := c.one(ctx, s, b, t, in); r != nil || failed != nil {
				printed[k], err = append(printed[k], r), failed
			}
			if err != nil {
				return nil, err
			}
		}
		if len(ins) > 0 {
			if err := c.read(ctx, s, b, t, ins); err != nil {
				return nil, err
			}
		}
	}
	for k, all := range printed {
		for _, d := range disputes(all) {
			b.countHit(d.Bucket, from+int64(k), d.message)
		}
		if number != plainBatch {
			b.Inputs[c.maker.class(from+int64(k))]++
		}
	}
	return b, nil
}

// input returns the i-th input for a target, which is made once in each form.
func (c *campaign) input(made *map[shape]*Input, t *Target, i int64) (*Input, error) {
	sh := c.shape(t, i)
	if in := (*made)[sh]; in != nil {
		return in, nil
	}
	in, err := c.maker.input(i, sh)
	if err != nil {
		return nil, err
	}
	if *made == nil {
		*made = map[shape]*Input{}
	}
	(*made)[sh] = in
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

// read runs a target in process on inputs.
func (c *campaign) read(ctx context.Context, s scratch, b *batch, t *Target, ins []*Input) error {
	ins = slices.DeleteFunc(ins, func(in *Input) bool { return !t.isRunOn(in) })
	all, err := s.read(ctx, t, ins)
	if err != nil {
		return err
	}
	for k, in := range ins {
		b.add(t, in, all[k].ending, all[k].bad)
	}
	return nil
}

// one runs a target on an input, and returns what it prints if it reports nothing.
func (c *campaign) one(ctx context.Context, s scratch, b *batch, t *Target, in *Input) (*reading, error) {
	if !t.isRunOn(in) {
		return nil, nil
	}
	r, v, bad, err := s.try(ctx, t, in)
	if err != nil {
		return nil, err
	}
	b.Millis += r.Time.Milliseconds()
	b.add(t, in, v, bad)
	return t.reading(in, r, v), nil
}

// add counts the ending of a run on an input, and what counts as a find.
func (b *batch) add(t *Target, in *Input, v ending, bad []ending) {
	if in.Index >= 0 {
		addTo(b.Runs, t.Name, tally{v.outcome: 1})
	}
	if in.Break != "" && t.probed.reads[form{in.Version, in.ABI.ID}] { // else the target sees only the version
		if b.Breaks[in.Break] == nil {
			b.Breaks[in.Break] = map[string]tally{}
		}
		addTo(b.Breaks[in.Break], t.Name, tally{v.outcome: 1})
	}
	for _, x := range bad {
		b.countHit(t.failure(x), in.Index, x.message)
	}
}

// countHit counts an input in a bucket.
func (b *batch) countHit(k Bucket, index int64, message string) {
	at := slices.IndexFunc(b.Hits, func(h *hit) bool { return h.Bucket == k })
	if at < 0 {
		b.Hits = append(b.Hits, &hit{Bucket: k, Input: index, Message: message})
		at = len(b.Hits) - 1
	}
	b.Hits[at].Count++
}

// isRunOn reports whether a target is run on an input: it reads files of its machine, if it reads
// any. It need not read a plain section again that it refuses.
func (t *Target) isRunOn(in *Input) bool {
	switch {
	case !slices.Contains(t.arches(), in.ABI.Arch):
		return false
	case in.Index < 0:
		return !t.probed.refuses[form{in.Version, in.ABI.ID}]
	}
	return len(t.probed.abis) == 0 || t.probed.abis[in.ABI.ID]
}

// try runs a target on an input and returns the ending, and what counts as a find.
func (s scratch) try(ctx context.Context, t *Target, in *Input) (*run, ending, []ending, error) {
	if t.lib != nil {
		return s.tryLibrary(ctx, t, in)
	}
	arch := in.ABI.Arch
	r, err := s.runFor(ctx, t, arch, in.Data, t.timeout())
	if err != nil {
		return nil, ending{}, nil, err
	}
	v := s.judge(ctx, t, in, r)
	if v.outcome == Hang && !t.probed.hung.Load() || v.outcome == Slow || v.outcome == Memory { // once more: the machine may be busy
		if r, err = s.run(ctx, t, arch, in.Data); err != nil {
			return nil, ending{}, nil, err
		}
		if v = s.judge(ctx, t, in, r); v.outcome == Hang {
			t.probed.hung.Store(true)
		}
	}
	if v.outcome.isCrash() {
		return r, v, []ending{v}, nil
	}
	if d, ok := t.disagreement(in, r, v); ok {
		return r, v, []ending{d}, nil
	}
	return r, v, nil, nil
}

// timeout returns how long a run may take. All hangs of a target are one find: when one is confirmed, others
// need not take the whole time.
func (t *Target) timeout() time.Duration {
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
func (s scratch) tryLibrary(ctx context.Context, t *Target, in *Input) (*run, ending, []ending, error) {
	all, err := s.read(ctx, t, []*Input{in})
	if err != nil {
		return nil, ending{}, nil, err
	}
	return &run{Outcome: &program.Outcome{Stdout: []byte(all[0].text)}}, all[0].ending, all[0].bad, nil
}

// judgeAnswer returns the ending for what a driver says of an input, and what counts as a find.
func (t *Target) judgeAnswer(in *Input, r Answer) (ending, []ending) {
	v, bad := t.judgeRead(in, r)
	checks := t.lib.Kind != Glibc // which has no function that checks
	if t.lib.Kind == Own {
		checks = strings.Contains(r.Text, " cfa ") // the answer of a driver is a text: this one has a row
	}
	if len(bad) == 0 && !refusal.MatchString(r.Text) && checks {
		if d, ok := t.findSilence(in, v); ok {
			bad = []ending{d}
		}
	}
	return v, bad
}

// refusal matches the lines of a function or an FRE that a library returns an error for.
var refusal = regexp.MustCompile(`(?m)^(function )?none$`)
