package compare

import (
	"bufio"
	"fmt"
	"io"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/rules"
)

// WriteLink writes a link check as text: the sum, what affects the whole output, the inputs that lost functions,
// changed functions, and the inputs without data. It lists up to most inputs, with a few functions each, and up to most
// changed functions; a negative value lists all.
func WriteLink(w io.Writer, r *LinkReport, most int) error {
	b := bufio.NewWriter(w)
	name := escape.Printable(r.Output)
	if fmt.Fprintf(b, "%s: ", name); r.Described == 0 {
		b.WriteString("no input that could be read has functions with SFrame data")
	} else {
		fmt.Fprintf(b, "%d of %s of the inputs are described in the same way", r.Kept, rules.Count(r.Described, "function"))
	}
	if n := r.Unseen - r.Uncompared; n > 0 {
		fmt.Fprintf(b, ", %d left out by the linker", n)
	}
	if r.Uncompared > 0 {
		fmt.Fprintf(b, ", %d not compared", r.Uncompared)
	}
	b.WriteByte('\n')
	changed := 0
	for l := range r.Losses() {
		switch l.Kind {
		case FDELost, NoData:
			continue // by input, below
		case FDEChanged:
			changed++
			continue
		}
		if err := r.loss(b, &l); err != nil {
			return err
		}
	}
	r.inputs(b, most)
	if err := r.functions(b, most, changed); err != nil {
		return err
	}
	r.writeInputsWithoutData(b, most)
	return b.Flush()
}

func (r *LinkReport) loss(b *bufio.Writer, l *Loss) error {
	b.WriteString(escape.Printable(r.Output))
	if l.Function != "" {
		fmt.Fprintf(b, ": %s", escape.Name(l.Function))
	}
	if l.Input != "" {
		fmt.Fprintf(b, " (from %s)", escape.Printable(l.Input))
	}
	_, err := fmt.Fprintf(b, ": %s [%s]\n", escape.Message(l.Message), l.Kind)
	return err
}

// Losers returns the inputs that lost functions, those with the most losses first.
func (r *LinkReport) Losers() []InputCounts {
	some := slices.Clone(r.Inputs)
	some = slices.DeleteFunc(some, func(c InputCounts) bool { return c.Lost == 0 })
	slices.SortStableFunc(some, func(x, y InputCounts) int { return y.Lost - x.Lost })
	return some
}

// Summary returns what an input lost, such as: 3 of 5 functions lost or changed: "f", "g" and 1 more.
func (c *InputCounts) Summary() string {
	s := fmt.Sprintf("%d of %s lost or changed", c.Lost, rules.Count(c.Described, "function"))
	if len(c.some) > 0 {
		s += ": " + quoteNames(c.some)
		if n := c.Lost - len(c.some); n > 0 {
			s += fmt.Sprintf(" and %d more", n)
		}
	}
	return s
}

// inputs writes the inputs that lost functions.
func (r *LinkReport) inputs(b *bufio.Writer, most int) {
	some := r.Losers()
	for i, c := range some {
		if i == most {
			rest := 0
			for _, c := range some[i:] {
				rest += c.Lost
			}
			fmt.Fprintf(b, "    %s: %d lost or changed (--losses)\n", rules.Count(len(some)-i, "further input"), rest)
			return
		}
		fmt.Fprintf(b, "    %s: %s\n", escape.Printable(c.Input), escape.Message(c.Summary()))
	}
}

// functions writes the changed functions, and all that are lost where all are wanted.
func (r *LinkReport) functions(b *bufio.Writer, most, changed int) error {
	if changed == 0 && most >= 0 {
		return nil
	}
	left := most
	for l := range r.Losses() {
		if l.Kind != FDEChanged && (l.Kind != FDELost || most >= 0) {
			continue
		}
		if left == 0 {
			fmt.Fprintf(b, "%s: %s not shown (--losses) [%s]\n", escape.Printable(r.Output),
				rules.Count(changed-most, "further changed function"), FDEChanged)
			break
		}
		left--
		if err := r.loss(b, &l); err != nil {
			return err
		}
	}
	return nil
}

// without are the members of an archive, or the file, without SFrame data.
type without struct {
	path               string
	members, functions int
}

// writeInputsWithoutData writes the inputs without SFrame data, those of an archive together.
func (r *LinkReport) writeInputsWithoutData(b *bufio.Writer, most int) {
	var all []without
	at, inputs, functions := map[string]int{}, 0, 0
	for l := range r.check.inputsWithoutData() {
		n := l.symbols.names()
		inputs, functions = inputs+1, functions+n
		i, seen := at[l.Path]
		if !seen {
			i = len(all)
			at[l.Path] = i
			all = append(all, without{path: escape.UTF8(l.Path)})
		}
		all[i].functions += n
		if l.Member != "" {
			all[i].members++
		}
	}
	if inputs == 0 {
		return
	}
	verbs := [2]string{"define", "have"}
	if inputs == 1 {
		verbs = [2]string{"defines", "has"}
	}
	fmt.Fprintf(b, "%s: %s %s %s but %s no SFrame data: traces stop there [%s]\n", escape.Printable(r.Output), rules.Count(inputs, "input"),
		verbs[0], rules.Count(functions, "function"), verbs[1], NoData)
	for i, x := range all {
		if i == most {
			fmt.Fprintf(b, "    %s (--losses)\n", rules.Count(len(all)-i, "further file"))
			return
		}
		fmt.Fprintf(b, "    %s: %s", escape.Printable(x.path), rules.Count(x.functions, "function"))
		if x.members > 0 {
			fmt.Fprintf(b, " of %s", rules.Count(x.members, "member"))
		}
		b.WriteByte('\n')
	}
}
