package campaign

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/sframe-lint/sframe-lint/internal/tool/shrink"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Time to minimize a find, and one whose runs take long: these are then ended after quickTimeout.
const (
	shrinkTime     = 2 * time.Minute
	shrinkSlowTime = 30 * time.Second
	quickTimeout   = time.Second
)

// A find is replayed replays times. Chance decides a failure that does not occur each time.
const replays = 3

// maxShrink is the maximum number of smaller files that are tried for a find.
const maxShrink = 3000

// fails reports whether a target fails on an input in a bucket, with the ending. With is the target that t disagrees
// with, nil for other failures.
func (s scratch) fails(ctx context.Context, t, with *Target, in *Input, b Bucket) (v ending, ok bool, err error) {
	if with != nil {
		d, ok, err := s.tryPair(ctx, t, with, in)
		return ending{message: d.message}, ok && d.Bucket == b, err
	}
	_, _, bad, err := s.try(ctx, t, in)
	at := slices.IndexFunc(bad, func(v ending) bool { return t.failure(v) == b })
	if at < 0 {
		return ending{}, false, err
	}
	return bad[at], true, err
}

// minimize returns the smallest file found that is in the same bucket, within a time. It returns the input
// itself if the failure does not occur again.
func (s scratch) minimize(ctx context.Context, t, with *Target, in *Input, b Bucket, limit time.Duration) ([]byte, error) {
	var failed error
	like := newLikeness(in)
	run := t
	holds := func(data []byte) bool {
		if !like.keeps(data) {
			return false
		}
		c := *in
		c.Data = data
		_, ok, err := s.fails(ctx, run, with, &c, b)
		failed = cmp.Or(failed, err)
		return ok
	}
	failing := holds(in.Data)
	if !failing {
		failing = holds(in.Data) // chance decides some failures
	}
	if limit <= 0 || !failing {
		return in.Data, dropEnded(ctx, failed)
	}
	slow := b.Kind == Hang || b.Kind == Slow
	if slow {
		limit = min(limit, shrinkSlowTime)
	}
	limited, cancel := context.WithTimeout(ctx, min(limit, shrinkTime))
	defer cancel()
	search := &shrink.Search{Keep: holds, Context: limited, MaxTries: maxShrink}
	if b.Kind == Hang && t.lib == nil {
		quick := *t
		quick.limits.Timeout = min(t.limits.Timeout, quickTimeout)
		run = &quick
	}
	search.File(in.Data)
	if run = t; slow && !holds(search.Best()) {
		return in.Data, dropEnded(ctx, failed)
	}
	return search.Best(), dropEnded(ctx, failed)
}

// replay runs a target on the minimal file several times. It returns the last ending, and whether the failure occurs each
// time.
func (s scratch) replay(ctx context.Context, t, with *Target, in *Input, b Bucket) (last ending, steady bool, err error) {
	steady = true
	for range replays {
		v, ok, err := s.fails(ctx, t, with, in, b)
		if err != nil {
			return last, false, err
		}
		if steady = steady && ok; ok {
			last = v
		}
	}
	return last, steady, nil
}

// likeness is what a smaller file must have in common with an input, so that the fault that matters
// is among those that remain.
type likeness struct {
	in     *Input
	object *reader.Object  // of the input, nil if it cannot be read
	faults map[string]bool // rules that report an error in it, and a warning in a valid one
}

func newLikeness(in *Input) *likeness {
	l := &likeness{in: in, object: object(in.Data)}
	if l.object != nil {
		l.faults = l.faultsIn(l.object)
	}
	return l
}

// faultsIn returns the rules that report an error in an object. A warning counts in a valid one:
// the input must not look odd.
func (l *likeness) faultsIn(o *reader.Object) map[string]bool {
	faults := errorsIn(o)
	if l.in.Class == Valid {
		for _, f := range milder.Run(o).Findings {
			faults[f.Rule.ID] = true
		}
	}
	return faults
}

// keeps reports whether a smaller file has the same machine and, if the section's header can be
// decoded in both, the same version, and its section no error that the input does not have.
// A valid input stays valid, with the file around it: a target must not refuse that file.
func (l *likeness) keeps(data []byte) bool {
	a := l.object
	if a == nil {
		return true
	}
	b := object(data)
	if b == nil || (a.ELF == nil) != (b.ELF == nil) || len(b.SFrames) == 0 && len(a.SFrames) > 0 {
		return false
	}
	if a.ELF != nil && (a.ELF.Machine != b.ELF.Machine || a.ELF.Type != b.ELF.Type) {
		return false
	}
	if len(a.SFrames) > 0 && a.SFrames[0].Section != nil {
		s, t := a.SFrames[0].Section, b.SFrames[0].Section
		if t == nil || s.Version() != t.Version() || l.in.Class == Valid && (len(b.SFrames) != 1 || t.ABI().ID != s.ABI().ID) {
			return false
		}
	}
	for id := range l.faultsIn(b) {
		if !l.faults[id] && (onSection(id) || l.in.Class == Valid) {
			return false
		}
	}
	return true
}
