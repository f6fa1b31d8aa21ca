package program

import (
	"encoding/csv"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// list is a flag's value: strings. Those of the flag library write themselves as CSV when they are
// added, with a buffer of 4 KiB for each flag.
type list struct {
	value *[]string
	split bool // a value has several strings, separated by commas
	given bool // value does not have the default any more
}

var _ pflag.SliceValue = (*list)(nil)

func (l *list) String() string {
	if len(*l.value) == 0 {
		return ""
	}
	return "[" + strings.Join(*l.value, ",") + "]"
}

// Type returns the names of the flag library: the shell's completion offers such a flag again.
func (l *list) Type() string {
	if l.split {
		return "stringSlice"
	}
	return "stringArray"
}

func (l *list) Set(s string) error {
	add := []string{s}
	if l.split {
		var err error
		if add, err = csv.NewReader(strings.NewReader(s)).Read(); err != nil && s != "" {
			return err
		}
	}
	if !l.given {
		*l.value, l.given = nil, true
	}
	return l.Replace(append(*l.value, add...))
}

func (l *list) Append(s string) error {
	*l.value = append(*l.value, s)
	return nil
}

func (l *list) Replace(all []string) error {
	*l.value = all
	return nil
}

func (l *list) GetSlice() []string { return slices.Clone(*l.value) }

// List adds a flag that may be repeated. What value has is the default.
func List(c *cobra.Command, value *[]string, flag, usage string) {
	c.Flags().Var(&list{value: value}, flag, usage)
}

// Names is [List] for values that are separated by commas.
func Names(c *cobra.Command, value *[]string, flag, usage string) {
	c.Flags().Var(&list{value: value, split: true}, flag, usage)
}
