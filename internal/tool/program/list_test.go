package program

import (
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
)

// Lists are read as those of the flag library: the first value replaces the default.
func TestList(t *testing.T) {
	for _, test := range []struct {
		name        string
		args        []string
		list, names []string
	}{
		{"default", nil, []string{"text"}, nil},
		{"one", []string{"--list=a,b", "--names=a,b"}, []string{"a,b"}, []string{"a", "b"}},
		{"more", []string{"--list=a", "--names=a,b", "--list", "b", "--names", `"c,d"`}, []string{"a", "b"}, []string{"a", "b", "c,d"}},
		{"empty", []string{"--list=", "--names="}, []string{""}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			list, names := []string{"text"}, []string(nil)
			c := &cobra.Command{}
			List(c, &list, "list", "")
			Names(c, &names, "names", "")
			assert.NoError(t, c.ParseFlags(test.args))
			assert.Equal(t, test.list, list)
			assert.Equal(t, test.names, names)
		})
	}
	var names []string
	c := &cobra.Command{}
	Names(c, &names, "names", "")
	assert.Error(t, c.ParseFlags([]string{`--names="`}))
}
