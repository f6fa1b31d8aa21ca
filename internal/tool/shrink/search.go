package shrink

import (
	"bytes"
	"context"
	"crypto/sha256"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Search minimizes files. It calls Keep once for each candidate.
type Search struct {
	Keep     func(data []byte) bool       // reports whether the program still fails on the data
	Context  context.Context              // ends the search; nil means never
	MaxTries int                          // maximum number of calls of Keep; 0 means any number
	Progress func(best []byte, tries int) // called after each call of Keep; may be nil

	best  []byte
	tries int
	seen  map[[sha256.Size]byte]bool
}

// File minimizes data, for which Keep must hold, and returns the last file
// accepted. [Search.Best] returns the shortest one, which can be another: files
// that are rebuilt can have more padding. File does not change data.
func (s *Search) File(data []byte) []byte {
	s.best = data
	l := &Loop[[]byte]{Value: data, Keep: s.keep, Done: s.Ended}
	reduceFile(l)
	return l.Value
}

// Best returns the shortest file so far for which Keep holds.
func (s *Search) Best() []byte { return s.best }

// Tries returns the number of calls of Keep.
func (s *Search) Tries() int { return s.tries }

// Ended reports whether the context or MaxTries has ended the search.
func (s *Search) Ended() bool {
	return s.Context != nil && s.Context.Err() != nil || s.MaxTries > 0 && s.tries >= s.MaxTries
}

func (s *Search) keep(data []byte) bool {
	sum := sha256.Sum256(data)
	if held, ok := s.seen[sum]; ok {
		return held
	}
	s.tries++
	held := s.Keep(data)
	if s.Context != nil && s.Context.Err() != nil {
		return false // Keep may have been interrupted
	}
	if s.seen == nil {
		s.seen = map[[sha256.Size]byte]bool{}
	}
	s.seen[sum] = held
	if held && isSmaller(data, s.best) {
		s.best = data
	}
	if s.Progress != nil {
		s.Progress(s.best, s.tries)
	}
	return held
}

// isSmaller reports whether a is shorter than b, or has the same length and
// fewer bytes that are not zero.
func isSmaller(a, b []byte) bool {
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	return bytes.Count(a, []byte{0}) > bytes.Count(b, []byte{0})
}

const (
	archiveMagic = "!<arch>\n"
	thinMagic    = "!<thin>\n"
)

// reduceFile applies the reducers of files, those that preserve most of the
// meaning first.
func reduceFile(l *Loop[[]byte]) {
	was := l.accepted
	if reduceArchive(l); l.accepted > was {
		return // its member has been reduced
	}
	reduceELF(l)
	l.Run(Bytes)
}

// object reads a file that is not an archive; nil for an archive.
func object(data []byte) *reader.Object {
	all := scan(data)
	if len(all) != 1 || all[0].Member != "" {
		return nil
	}
	return all[0]
}

// scan reads a file. It does not read the files that a thin archive names.
func scan(data []byte) (all []*reader.Object) {
	if bytes.HasPrefix(data, []byte(thinMagic)) {
		return nil
	}
	err := reader.ScanReader("", bytes.NewReader(data), int64(len(data)), reader.Options{}, func(o *reader.Object) error {
		all = append(all, o)
		return nil
	})
	if err != nil {
		return nil
	}
	return all
}

// frame makes a file around a section, nil if it cannot.
type frame func(Section) []byte

// reduceSection reduces a section of the file in l, for which l's predicate
// holds in the frame as it is.
func reduceSection(l *Loop[[]byte], sf *reader.SFrame, in frame) {
	opts := reader.SectionOptions{Relocatable: len(sf.Relocs) > 0}
	if sf.Section != nil {
		opts.Addr = sf.Section.Addr()
	}
	decode := func(b []byte) *model.Section {
		s, _ := reader.DecodeSection(b, opts)
		return s
	}
	sub := within(l, Section{Bytes: sf.Data}, func(s Section) ([]byte, bool) {
		file := in(s)
		return file, file != nil
	})
	sub.Run(Sections(decode, opts.Relocatable))
	within(sub, sub.Value.Bytes, func(b []byte) (Section, bool) { return Section{Bytes: b}, true }).Run(Zeros)
}
