package campaign

import (
	"context"
	"os"
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
)

// Trial is the result of a target for a file.
type Trial struct {
	File    string  `json:"file"`
	Target  string  `json:"target"`
	Kind    Outcome `json:"kind"`
	Key     string  `json:"key,omitempty"`
	With    string  `json:"with,omitempty"` // the target with the other result
	Message string  `json:"message,omitempty"`
}

// Failed reports whether the target fails on the file, or its result differs from the section or from another
// target's.
func (t Trial) Failed() bool { return !slices.Contains([]Outcome{Accepts, Notices, Rejects}, t.Kind) }

// Overwrites reports whether the target writes memory out of bounds.
func (t Trial) Overwrites() bool { return overwrites(t.Key, t.Message) }

// Try runs each target on ELF files or raw sections. A program gets a raw section in a minimal executable; a library
// gets the section of an ELF file. If no rule reports an error, a file is valid and the targets must read it. For
// other files, two targets must print the same text.
func Try(ctx context.Context, targets []*Target, files []string) (all []Trial, err error) {
	s, err := temporary(ctx, targets)
	defer s.remove()
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var printed []*reading
		for _, t := range targets {
			in := inputOf(t.wrap(data))
			r, v, bad, err := s.try(ctx, t, in)
			if err != nil {
				return nil, err
			}
			if p := t.reading(in, r, v); p != nil {
				printed = append(printed, p)
			}
			if len(bad) > 0 {
				v = bad[0]
			}
			all = append(all, Trial{file, t.Name, v.outcome, v.key, "", v.message})
		}
		for _, d := range disputes(printed) {
			all = append(all, Trial{file, d.Target, d.Kind, d.Key, d.With, d.message})
		}
	}
	return all, nil
}

// wrap returns a file in the container that the target reads, the file itself if it is in one or has
// no section.
func (t *Target) wrap(data []byte) []byte {
	o := object(data)
	switch {
	case o == nil || len(o.SFrames) == 0:
		return data
	case t.lib != nil && o.ELF != nil:
		return o.SFrames[0].Data
	case t.lib == nil && o.ELF == nil:
		return wrap(inputOf(data).ABI, t.kind(), data, 0)
	}
	return data
}

// inputOf returns the input for a file that was not made here. If its ABI is unknown, it is tried as
// one of AMD64.
func inputOf(data []byte) *Input {
	in := &Input{Class: Mutated, ABI: model.LookupABI(model.SFRAME_ABI_AMD64_ENDIAN_LITTLE), Data: data}
	o := object(data)
	if o == nil {
		return in
	}
	if len(o.SFrames) == 1 && o.SFrames[0].Section != nil {
		s := o.SFrames[0].Section
		in.Version = s.Version()
		if s.ABI().Known() {
			in.ABI = s.ABI()
		}
		switch wrong := errorsIn(o); {
		case len(wrong) == 0:
			in.Class = Valid
		case len(unreadableOf(wrong)) > 0:
			in.Class = Broken
		}
	}
	if o.ELF != nil && o.ELF.ABI().Known() {
		in.ABI = o.ELF.ABI()
	}
	return in
}

// Causes returns the causes of a target's failures on files of unknown origin, in the order of the trials, nil for
// failures that are not a crash or hang. The files must be minimal.
func Causes(ctx context.Context, t *Target, trials []Trial) (all []*Cause, err error) {
	s, err := temporary(ctx, []*Target{t})
	defer s.remove()
	if err != nil {
		return nil, err
	}
	for _, x := range trials {
		if x.Kind != Crash && x.Kind != Hang {
			all = append(all, nil)
			continue
		}
		data, err := os.ReadFile(x.File)
		if err != nil {
			return nil, err
		}
		in := inputOf(t.wrap(data))
		c, err := s.cause(ctx, t, in, in.Data, Bucket{t.Name, x.Kind, x.Key, ""})
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}
