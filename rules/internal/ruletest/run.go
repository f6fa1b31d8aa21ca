package ruletest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Case is a section, changed in some bytes, and what is found in it.
type Case struct {
	Name  string
	Base  Base
	Edits []Edit
	// Object makes the object of the bytes; nil: a raw section.
	Object func(data []byte, abi model.ABIInfo) *reader.Object
	// Want lists the findings in the order of their places: the rule, and
	// the offset and number of bytes in the section, as in "SF1005 0x3+1";
	// "SF5001 file 0x3+1" where they count from the start of the object.
	Want []string
}

// Run runs the rules on every case and compares the whole list of findings.
func Run(t *testing.T, all []*rules.Rule, cases []Case) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.Base.Name+"/"+c.Name, func(t *testing.T) {
			want := c.Want
			if want == nil {
				want = []string{}
			}
			require.Equal(t, want, Findings(t, all, c.object(t)))
		})
	}
}

func (c Case) object(t *testing.T) *reader.Object {
	t.Helper()
	data := c.Base.Bytes(t, c.Edits...)
	if c.Object != nil {
		return c.Object(data, c.Base.ABI())
	}
	return Raw(data)
}

// Findings runs rules over an object and puts what they find in the form of
// [Case.Want]. A rule that fails fails the test.
func Findings(t testing.TB, all []*rules.Rule, o *reader.Object) []string {
	t.Helper()
	d := rules.Driver{Rules: all}
	res := d.Run(o)
	require.Empty(t, res.Failures)
	got := []string{}
	for _, f := range res.Findings {
		require.NotEmpty(t, f.Message)
		where := ""
		if !f.InSection {
			where = "file "
		}
		got = append(got, fmt.Sprintf("%s %s0x%x+%d", f.Rule.ID, where, f.Span.Off, f.Span.Len))
	}
	return got
}
