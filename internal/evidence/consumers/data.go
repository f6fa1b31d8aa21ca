package consumers

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/sframe-lint/sframe-lint/model"
)

// profiles is the file with all profiles, grouped by family, each from the oldest
// version to the newest.
//
//go:embed profiles.json
var profiles []byte

// table returns all profiles, in the order of the file. It decodes the file when a
// caller first asks for a profile. The file is part of the program, so an error is a panic.
var table = sync.OnceValue(func() []*Profile {
	all, err := decode(profiles)
	if err != nil {
		panic(err)
	}
	return all
})

// document is the form of profiles.json.
type document struct {
	Sources  []Source           // that several profiles share; profiles name them by their keys
	Lists    map[string][]entry // checks that several profiles share
	Asked    map[Demand]asked   // demands that rules judge
	Rules    map[Demand]string  // of the other demands: see Check.Rule
	Profiles []struct {
		Profile
		Checks []entry
	}
}

// asked is a demand that a section meets if none of some rules has a finding there.
type asked struct {
	Text  string // as that of a term
	Rules []string
}

// entry is a check, or the checks of a shared list.
type entry struct {
	Check
	Flags []string // names without SFRAME_F_
	ABIs  []string // names without SFRAME_ABI_
	// List is the name of a list. From replaces that of its checks; How and Maybe complete
	// those without How.
	List string
}

// decode returns the profiles of a file.
func decode(data []byte) ([]*Profile, error) {
	var f document
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return nil, fmt.Errorf("profiles of consumers: %w", err)
	}
	out := make([]*Profile, len(f.Profiles))
	for i := range f.Profiles {
		p := &f.Profiles[i]
		out[i] = &p.Profile
		for j, s := range p.Sources {
			if k := slices.IndexFunc(f.Sources, func(x Source) bool { return x.Key == s.Key }); s.Title == "" && k >= 0 {
				p.Sources[j] = f.Sources[k]
			}
		}
		for _, e := range p.Checks {
			checks, err := f.checks(e)
			if err != nil {
				return nil, fmt.Errorf("profile %s: %w", p.Name, err)
			}
			out[i].Checks = append(out[i].Checks, checks...)
		}
	}
	return out, nil
}

// checks returns the checks that an entry stands for.
func (f *document) checks(e entry) (out []Check, err error) {
	list := []entry{e}
	if e.List != "" {
		if list = f.Lists[e.List]; list == nil {
			return nil, fmt.Errorf("no list %q", e.List)
		}
	}
	for _, x := range list {
		x.From = cmp.Or(e.From, x.From)
		if x.How == "" {
			x.How, x.Maybe = e.How, x.Maybe || e.Maybe
		}
		c, err := f.check(x)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// check returns the check with its rule, and the flags and ABIs of the names.
func (f *document) check(e entry) (Check, error) {
	c := e.Check
	c.asked = f.Asked[c.Demand]
	if c.Rule = f.Rules[c.Demand]; c.asked.Rules != nil {
		c.Rule = c.asked.Rules[0]
	}
	for _, name := range e.Flags {
		bit := model.Flags(1)
		for bit != 0 && !slices.Contains(bit.Names(), "SFRAME_F_"+name) {
			bit <<= 1
		}
		if bit == 0 {
			return c, fmt.Errorf("unknown flag %q", name)
		}
		c.Flags |= bit
	}
	for _, name := range e.ABIs {
		all := model.ABIs()
		i := slices.IndexFunc(all, func(a model.ABIInfo) bool { return a.Spec == "SFRAME_ABI_"+name })
		if i < 0 {
			return c, fmt.Errorf("unknown ABI %q", name)
		}
		c.ABIs = append(c.ABIs, all[i].ID)
	}
	if t, ok := vocabulary()[c.Demand]; ok {
		c.asked.Text = t.text
	} else if c.asked.Rules == nil {
		return c, fmt.Errorf("unknown demand %q", c.Demand)
	}
	return c, nil
}
