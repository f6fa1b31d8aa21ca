package consumers

import (
	"fmt"
	"maps"
	"strings"
	"sync"

	"github.com/sframe-lint/sframe-lint/model"
)

// Demand is the name of a property that a consumer may require of a section. Profiles and reports use these names,
// and the names are stable.
type Demand string

// term is an entry of the vocabulary.
type term struct {
	text string // the demand in words, in Markdown; see [Arg.fill]
	find finder
}

// finder returns what does not meet a demand, nil if all does.
type finder func(*subject, Arg) *Verdict

// vocabulary has an entry for each demand. It is assembled from the files that
// define the demands when the first one is used: few runs ask for a consumer.
var vocabulary = sync.OnceValue(func() map[Demand]term {
	all := map[Demand]term{}
	for _, part := range []func() map[Demand]term{containerTerms, headerTerms, regionTerms, relocSectionTerms, relocTerms, fdeTerms, rowTerms, flexTerms, profilerTerms, returnTerms, ehFrameTerms} {
		maps.Copy(all, part())
	}
	return all
})

// Text describes the check's demand in Markdown.
func (c *Check) Text() string { return c.fill(c.asked.Text) }

// fill replaces ACCEPT, ABIS, FLAGS and MAX in a text by the parameters. It leaves out a part in braces if there are none.
func (a Arg) fill(text string) string {
	head, rest, ok := strings.Cut(text, "{")
	if part, tail, _ := strings.Cut(rest, "}"); ok {
		if len(a.ABIs) == 0 && a.Flags == 0 && a.Max == 0 {
			part = ""
		}
		text = head + part + tail
	}
	return strings.NewReplacer("ACCEPT", versionsText(a.Accept), "ABIS", abisText(a.ABIs), "FLAGS", flagsText(a.Flags), "MAX", fmt.Sprint(a.Max)).Replace(text)
}

func versionsText(vs []model.Version) string {
	var out []string
	for _, v := range vs {
		out = append(out, fmt.Sprint(uint8(v)))
	}
	return enumerate(out)
}

func abisText(ids []model.ABI) string {
	var out []string
	for _, id := range ids {
		a := model.LookupABI(id)
		name := a.Name
		if a.Big && model.LookupMachine(a.Machine, false).Known() {
			name += " (big-endian)"
		}
		out = append(out, name)
	}
	return enumerate(out)
}

// enumerate joins words with commas and "or".
func enumerate(words []string) string {
	switch n := len(words); n {
	case 0:
		return "none"
	case 1:
		return words[0]
	default:
		return strings.Join(words[:n-1], ", ") + " or " + words[n-1]
	}
}

// flagsText lists flags by name, and those without a name as a number.
func flagsText(flags model.Flags) string {
	return strings.ReplaceAll(strings.Join(flags.Names(), ", "), "SFRAME_F_", "")
}
