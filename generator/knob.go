package generator

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
)

// ValueType is the type of a knob's value.
type ValueType string

// Types of values.
const (
	Number  ValueType = "number"
	Bytes   ValueType = "bytes"
	Address ValueType = "address"
	Percent ValueType = "percent"
	Switch  ValueType = "bool"
	Choice  ValueType = "choice"
)

// Knob is a setting of the generator. The documentation, random configurations and their checks use the same table of
// knobs.
type Knob struct {
	Name              string
	Kind              ValueType
	Min, Max, Default int64
	Choices           []string // names of Min, Min+1, ... for a Choice
	Doc               string   // one sentence
	// Corners is the range for random configurations, which keeps their sections small. If it is empty, the range of
	// the knob applies.
	Corners [2]int64
	// SpecWide marks what the manual allows but no known tool writes. Only [SwarmWide] chooses it.
	SpecWide bool

	field int // index in a Config
}

// Get returns the knob's value in a configuration.
func (k *Knob) Get(c *Config) int64 {
	switch v := reflect.ValueOf(c).Elem().Field(k.field); {
	case v.CanInt():
		return v.Int()
	case v.CanUint():
		return int64(v.Uint())
	case v.Bool():
		return 1
	}
	return 0
}

func (k *Knob) set(c *Config, to int64) {
	switch v := reflect.ValueOf(c).Elem().Field(k.field); {
	case v.CanInt():
		v.SetInt(to)
	case v.CanUint():
		v.SetUint(uint64(to))
	default:
		v.SetBool(to != 0)
	}
}

// Put sets the knob's value, which must be in its range.
func (k *Knob) Put(c *Config, v int64) error {
	if v < k.Min || v > k.Max {
		return fmt.Errorf("%s: %s is not from %s to %s", k.Name, k.Format(v), k.Format(k.Min), k.Format(k.Max))
	}
	k.set(c, v)
	return nil
}

// Closer returns values that are closer to the knob's default than v: the
// default and, unless the knob is the seed, the value halfway to it.
func (k *Knob) Closer(v int64) (all []int64) {
	if v != k.Default {
		all = append(all, k.Default)
	}
	if half := v + (k.Default-v)/2; half != v && half != k.Default && k.Name != "seed" {
		all = append(all, half)
	}
	return all
}

// Parse reads a value. Numbers may be decimal, hexadecimal or octal. It returns an error for a value that is not in
// range.
func (k *Knob) Parse(s string) (int64, error) {
	switch k.Kind {
	case Switch:
		b, err := strconv.ParseBool(s)
		if err != nil {
			return 0, fmt.Errorf("%s: %q is neither true nor false", k.Name, s)
		}
		if b {
			return 1, nil
		}
		return 0, nil
	case Choice:
		for i, name := range k.Choices {
			if strings.EqualFold(name, s) {
				return k.Min + int64(i), nil
			}
		}
		return 0, lookup.Unknown(k.Name, s, k.Choices, "")
	}
	v, err := strconv.ParseInt(s, 0, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%s: %s is not from %s", k.Name, s, k.Range())
	case err != nil:
		return 0, fmt.Errorf("%s: %q is not a number", k.Name, s)
	}
	return v, nil
}

// Format formats a value so that Parse can read it.
func (k *Knob) Format(v int64) string {
	switch {
	case k.Kind == Switch:
		return strconv.FormatBool(v != 0)
	case k.Kind == Choice && v >= k.Min && v-k.Min < int64(len(k.Choices)):
		return k.Choices[v-k.Min]
	case k.Kind == Address && v >= 0:
		return fmt.Sprintf("0x%x", v)
	}
	return strconv.FormatInt(v, 10)
}

// Range formats the knob's range for documentation.
func (k *Knob) Range() string {
	switch k.Kind {
	case Switch:
		return "true, false"
	case Choice:
		return strings.Join(k.Choices, ", ")
	}
	return power(k, k.Min) + " to " + power(k, k.Max)
}

// power writes bounds that are nearly powers of two as such.
func power(k *Knob, v int64) string {
	for _, n := range []int{31, 32, 40, 46, 62, 63} {
		top := uint64(1) << n
		switch {
		case n < 63 && v == int64(top):
			return fmt.Sprintf("2^%d", n)
		case v == int64(top-1):
			return fmt.Sprintf("2^%d-1", n)
		case v < 0 && uint64(-v) == top:
			return fmt.Sprintf("-2^%d", n)
		}
	}
	return k.Format(v)
}

// Knobs returns all knobs, in the order of the documentation. The caller may modify the slice but not the knobs.
func Knobs() []*Knob { return slices.Clone(knobs) }

// LookupKnob returns the knob with a name, or nil if there is none.
func LookupKnob(name string) *Knob {
	for _, k := range knobs {
		if k.Name == name {
			return k
		}
	}
	return nil
}

func percent(name string, def int64, doc string) *Knob { return count(name, Percent, 0, 100, def, doc) }

func toggle(name string, def int64, doc string) *Knob { return count(name, Switch, 0, 1, def, doc) }

// count returns a knob of a number. The name of its field has the same letters.
func count(name string, kind ValueType, lo, hi, def int64, doc string, corners ...int64) *Knob {
	letters := strings.ReplaceAll(name, "-", "")
	field, _ := reflect.TypeFor[Config]().FieldByNameFunc(func(s string) bool { return strings.EqualFold(s, letters) })
	k := &Knob{Name: name, Kind: kind, Min: lo, Max: hi, Default: def, Doc: doc, field: field.Index[0]}
	copy(k.Corners[:], corners)
	return k
}

func choice(name string, lo, def int64, names []string, doc string) *Knob {
	k := count(name, Choice, lo, lo+int64(len(names))-1, def, doc)
	k.Choices = names
	return k
}

func specWide(k *Knob) *Knob {
	k.SpecWide = true
	return k
}

// Set sets a knob from "NAME=VALUE" and returns the knob. A switch needs no value.
func (c *Config) Set(text string) (*Knob, error) {
	name, value, ok := strings.Cut(text, "=")
	k := LookupKnob(name)
	if k == nil {
		var names []string
		for _, k := range knobs {
			names = append(names, k.Name)
		}
		return nil, lookup.Unknown("knob", name, names, "")
	}
	if !ok && k.Kind == Switch {
		value = "true"
	}
	v, err := k.Parse(value)
	if err != nil {
		return nil, err
	}
	return k, k.Put(c, v)
}
