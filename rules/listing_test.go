package rules_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

func TestListing(t *testing.T) {
	data := []byte("0123456789abcdefghij")
	a, b := model.Field{Span: model.Span{Off: 0, Len: 2}, Bytes: data[:2], Name: "a", Value: "1"}, model.Field{Span: model.Span{Off: 2, Len: 18}, Bytes: data[2:], Name: "b", Value: ""}
	l := rules.Listing{"the node", []model.Field{a, b}, model.Span{Off: 17, Len: 8}}
	assert.Equal(t, `the node
  0000  30 31                                            a = 1
> 0002  32 33 34 35 36 37 38 39 61 62 63 64 65 66 67 68  b
> 0012  69 6a
  and 5 more bytes
`, l.String())
	assert.Equal(t, []rules.Line{
		{false, "0000  30 31        a = 1"}, {false, "0002  32 33 34 35  b"}, {false, "0006  36 37 38 39"}, {false, "000a  61 62 63 64"},
		{true, "000e  65 66 67 68"}, {true, "0012  69 6a"}, {false, "and 5 more bytes"},
	}, l.Lines(4))
	// A place between two bytes marks the one after it.
	l = rules.Listing{"x", []model.Field{a}, model.Span{}}
	assert.Equal(t, "x\n> 0000  30 31  a = 1\n", l.String())
	// What the file lacks is left out.
	a.Bytes = a.Bytes[:1]
	l = rules.Listing{"x", []model.Field{a}, model.Span{Off: 9}}
	assert.Equal(t, "x\n  0000  30  a = 1\n> 0009  the end of the data\n", l.String())
}
