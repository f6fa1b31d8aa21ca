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
	for d := range askedOf() {
		out = append(out, d)
	}
	return out
}

// Unmet says whether a section does not meet a demand, and which bytes that
// rests on.
func Unmet(d Demand, a Arg, o *reader.Object, s *reader.SFrame, found Findings) (sp model.Span, inFile, unmet bool) {
	c := Check{Demand: d, Arg: a, asked: askedOf()[d]}
	h := c.find(&subject{o: o, f: s, s: s.Section, found: found})
	if h == nil {
		return model.Span{}, false, false
	}
	return h.Span, h.InFile, true
}

// askedOf returns the demands that rules judge.
func askedOf() map[Demand]asked {
	out := map[Demand]asked{}
	for _, p := range table() {
		for _, c := range p.Checks {
			if c.Asked() {
				out[c.Demand] = c.asked
			}
		}
	}
	return out
}

// Asked reports whether rules judge the demand.
func (c *Check) Asked() bool { return c.asked.Rules != nil }

// Kinds returns all kinds.
func Kinds() []Outcome { return []Outcome{Reads, Misreads, Rejects, Crashes, Ignores, NotAsked} }
