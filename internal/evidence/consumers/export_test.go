package consumers

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Decode returns the profiles of a file like profiles.json.
var Decode = decode

// Vocabulary returns all demands.
func Vocabulary() []Demand {
	var out []Demand
	for d := range vocabulary() {
		out = append(out, d)
	}
	return out
}

// Unmet says whether a section does not meet a demand, and which bytes that
// rests on.
func Unmet(d Demand, a Arg, o *reader.Object, s *reader.SFrame) (sp model.Span, inFile, unmet bool) {
	h := vocabulary()[d].find(&subject{o: o, f: s, s: s.Section}, a)
	if h == nil {
		return model.Span{}, false, false
	}
	return h.span, h.inFile, true
}

// Kinds returns all kinds.
func Kinds() []Outcome { return []Outcome{Reads, Misreads, Rejects, Crashes, Ignores, NotAsked} }
