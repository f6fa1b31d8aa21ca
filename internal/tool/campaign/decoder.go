package campaign

import (
	"context"
	"time"
)

// Asker is a running decoder. It restarts after a crash.
type Asker interface {
	// Ask sends a section, and waits for the answer up to the time limit.
	Ask(data []byte, addr uint64, limit time.Duration) Reply
	Close() error
}

// Reply is a decoder's reading of a section, with its mistakes.
type Reply struct {
	Kind    Outcome // Accepts, Rejects, RejectsValid, Misreads, Silent, Crash or Hang
	Key     string  // identifies the failure
	Message string  // of a crash: the decoder's standard error
}

// NewDecoder returns the target for a decoder. The text is COMMAND or NAME=COMMAND. For each worker, open starts the
// decoder with the arguments of the command.
func NewDecoder(line string, limits Limits, open func(args []string) Asker) (*Target, error) {
	t, err := NewTarget(line, limits)
	if err != nil {
		return nil, err
	}
	t.Linker, t.flag, t.lib = false, "decoder", &Library{Kind: Own, LooksUp: true} // it reads raw sections of all ABIs
	t.open = func() Asker { return open(t.args) }
	return t, nil
}

// answered is what a target in process or a decoder has done with an input, and what counts as a find.
type answered struct {
	text string
	ending
	bad []ending
}

// read runs a target in process, or a decoder, on inputs.
func (s scratch) read(ctx context.Context, t *Target, ins []*Input) (all []answered, err error) {
	if t.open != nil {
		return s.ask(ctx, t, ins)
	}
	srv, err := s.server(t)
	if err != nil {
		return nil, err
	}
	texts, err := srv.Read(ctx, requestsOf(ins))
	if err != nil {
		return nil, err
	}
	for i, in := range ins {
		v, bad := t.judgeAnswer(in, texts[i])
		all = append(all, answered{texts[i].Text, v, bad})
	}
	return all, nil
}

// ask runs a decoder on inputs. A hang counts when it is confirmed once.
func (s scratch) ask(ctx context.Context, t *Target, ins []*Input) (all []answered, err error) {
	d := s.askers[t]
	if d == nil {
		d = t.open()
		s.askers[t] = d
	}
	for _, in := range ins {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		r := d.Ask(in.Data, in.Addr, t.timeout())
		if r.Kind == Hang && !t.probed.hung.Load() {
			r = d.Ask(in.Data, in.Addr, t.limits.Timeout)
			t.probed.hung.Store(r.Kind == Hang)
		}
		v, bad := t.judgeReply(in, r)
		all = append(all, answered{r.Message, v, bad})
	}
	return all, nil
}

// judgeReply returns the ending for a reply, and what counts as a find: a failure, or a disagreement. A valid section must
// be of a version and ABI that the decoder reads.
func (t *Target) judgeReply(in *Input, r Reply) (ending, []ending) {
	v := ending{outcome: r.Kind, key: r.Key, message: r.Message}
	switch r.Kind {
	case Accepts, Rejects:
		return ending{outcome: r.Kind, message: normal(r.Message, "")}, nil
	case Crash, Hang:
		if report, ok := internalFailure([]byte(r.Message)); r.Kind == Crash && ok {
			v = report
		}
		return v, []ending{v}
	}
	did := ending{outcome: Accepts}
	switch reads := t.probed.reads[form{in.Version, in.ABI.ID}]; {
	case r.Kind == Silent && len(t.probed.reads) > 0: // a section without a version is not of another one
		return did, []ending{v}
	case !reads:
		return ending{outcome: Rejects}, nil // as its plain sections
	case r.Kind == RejectsValid:
		v.key = normal(r.Key, "")
		did = ending{outcome: Rejects, message: v.key}
	}
	return did, []ending{v}
}
