package rules

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestRemedy(t *testing.T) {
	for text, want := range map[string]string{
		"":          "",
		"Clear it.": "clear it",
		"Use `x`, or\nlink again. Read\t the log.": "use x, or link again; read the log",
		"Äh.":                                 "äh",
		"Link it. GNU ld 2.46 does. `x` too.": "link it; GNU ld 2.46 does; x too",
	} {
		assert.Equal(t, want, remedy(text))
	}
}

func TestConsequence(t *testing.T) {
	for _, x := range []struct{ message, what, why string }{
		{"the size is 3: it is odd", "the size is 3", "it is odd"},
		{"a: b: c", "a: b", "c"},
		{`the name is "a: b"`, `the name is "a: b"`, ""},
		{"the CFA is 3 (0x4: 50): wrong", "the CFA is 3 (0x4: 50)", "wrong"},
		{"no colon:here", "no colon:here", ""},
		{"closed): early", "closed)", "early"},
		{"", "", ""},
	} {
		what, why := Consequence(x.message)
		assert.Equal(t, []string{x.what, x.why}, []string{what, why}, x.message)
	}
}

func TestCausesFirst(t *testing.T) {
	cause, other := &Rule{ID: "A"}, &Rule{ID: "B"}
	effect := &Rule{ID: "C", Follows: []string{"A"}}
	order := func(all ...*Rule) (ids string) {
		var found []Finding
		for i, r := range all {
			found = append(found, Finding{Rule: r, FDE: i})
		}
		causesFirst(found)
		for _, f := range found {
			ids += f.Rule.ID + string(rune('0'+f.FDE)) + " "
		}
		return ids
	}
	assert.Equal(t, "A0 B1 ", order(cause, other))
	assert.Equal(t, "B1 A2 C0 B3 ", order(effect, other, cause, other))
	assert.Equal(t, "A2 A3 C0 C1 C4 ", order(effect, effect, cause, cause, effect))
	assert.Equal(t, "C0 B1 ", order(effect, other), "nothing causes it")
}
