package config

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/sframe-lint/sframe-lint/budget"
	"github.com/sframe-lint/sframe-lint/internal/suggest"
)

// form is what a value can be: one of words, or of the types that are set. Nothing stands for
// a key that is not there.
type form struct {
	words []string // in the order of messages
	kind  string   // of words, for messages

	keys map[string]form // a mapping with these keys
	each *form           // a mapping from rules to values of this form
	list *form           // a list of these

	number, text, truth bool   // a whole number, a string, true or false
	blank               string // the error for an empty string; "": it is allowed

	needed bool // nothing is an error

	// also returns what else is wrong with a mapping, "" for nothing.
	also func(m map[string]any) string
}

// Errors for what is empty. One for an empty rule comes from the list of rules.
const (
	noPattern = "an empty pattern matches nothing"
	noReason  = "an exception without a reason"
)

// listOf returns the form of a list of strings.
func listOf(blank string) form { return form{list: &form{text: true, needed: true, blank: blank}} }

// fileForm returns the form of a configuration. The published schema says the same.
func fileForm() form {
	severity := form{kind: "level", words: []string{"error", "warning", "note", "off"}, needed: true}
	return form{keys: map[string]form{
		"select":         listOf(""),
		"ignore":         listOf(""),
		"severity":       {each: &severity},
		"profile":        {kind: "profile", words: ProfileNames()},
		"show":           {kind: "level", words: []string{"error", "warning", "note"}},
		"exclude":        listOf(noPattern),
		"fail-on":        {kind: "level", words: []string{"error", "warning", "note", "never"}},
		"require-sframe": {truth: true},
		"min-coverage":   {text: true},
		"consumers":      listOf("a consumer without a name"),
		"producers":      listOf("a producer without a name"),
		"allow-sections": listOf("a section without a name"),
		"allow-gaps":     listOf(noPattern),
		"baseline":       {text: true, blank: "no file named"},
		"source-root":    {text: true, blank: "no directory named"},
		"path-map":       listOf("an entry that is not of the form FROM=TO"),
		"limits":         limitsForm(),
		"exceptions":     {list: exceptionForm()},
	}}
}

// limitsForm returns the form of the limits. Their values are checked where they are read.
func limitsForm() form {
	keys := map[string]form{}
	for _, b := range budget.Table() {
		keys[b.Flag] = form{number: b.Unit != budget.Duration, text: b.Unit != budget.Count}
	}
	return form{keys: keys}
}

// exceptionForm returns the form of an exception.
func exceptionForm() *form {
	f := &form{needed: true, keys: map[string]form{
		"paths": listOf(noPattern), "members": listOf(noPattern), "functions": listOf(noPattern),
		"rules": listOf(""), "reason": {text: true, needed: true, blank: noReason},
	}}
	f.also = func(m map[string]any) string {
		if _, ok := m["reason"]; !ok {
			return noReason
		}
		for key := range m {
			if key != "reason" {
				return ""
			}
		}
		return "an exception for everything: it needs paths, members, functions or rules"
	}
	return f
}

// check reports what is wrong with the form of the value at a location.
func (f *form) check(p *reading, v any, at ...string) {
	if v == nil && !f.needed {
		return
	}
	if f.words != nil {
		f.word(p, v, at)
		return
	}
	switch v := v.(type) {
	case map[string]any:
		if f.keys != nil || f.each != nil {
			f.mapping(p, v, at)
			return
		}
	case []any:
		if f.list != nil {
			for i, x := range v {
				f.list.check(p, x, append(slices.Clip(at), strconv.Itoa(i))...)
			}
			return
		}
	case string:
		if f.text {
			if f.blank != "" && strings.TrimSpace(v) == "" {
				p.report(p.node(at), "%s", f.blank)
			}
			return
		}
	case bool:
		if f.truth {
			return
		}
	case float64:
		if f.number && v == math.Trunc(v) {
			return
		}
	case int, int64, uint64:
		if f.number {
			return
		}
	}
	p.report(p.node(at), "want %s, not %s", f, noun(p.node(at)))
}

// mapping checks the keys and the values of a mapping.
func (f *form) mapping(p *reading, m map[string]any, at []string) {
	var known []string
	for key := range f.keys {
		known = append(known, key)
	}
	slices.Sort(known)
	for key, v := range m {
		of, ok := f.keys[key]
		switch {
		case f.each != nil:
			of = *f.each
		case !ok:
			p.report(p.key(at, key), "%v", suggest.Unknown("key", key, known, "want one of "+strings.Join(known, ", ")))
			continue
		}
		of.check(p, v, append(slices.Clip(at), key)...)
	}
	if f.also != nil {
		if wrong := f.also(m); wrong != "" {
			p.report(p.node(at), "%s", wrong)
		}
	}
}

// word checks a value that is one of a few words. Older versions of YAML read "off" as false.
func (f *form) word(p *reading, v any, at []string) {
	word, ok := v.(string)
	var err error
	switch {
	case v == false && slices.Contains(f.words, "off"):
	case !ok:
		err = errors.New("want " + suggest.List(f.words, ""))
	case !slices.Contains(f.words, word):
		err = suggest.Unknown(f.kind, word, f.words, "")
	}
	if err != nil {
		p.report(p.node(at), "%v", err)
	}
}

// String names the types of the form.
func (f *form) String() string {
	var all []string
	for _, x := range []struct {
		is   bool
		noun string
	}{
		{f.list != nil, "a list"}, {f.keys != nil || f.each != nil, "a mapping"}, {f.number, "a whole number"},
		{f.text, "a string"}, {f.truth, "true or false"},
	} {
		if x.is {
			all = append(all, x.noun)
		}
	}
	return strings.Join(all, " or ")
}

// noun names what a node is.
func noun(n ast.Node) string {
	switch n.(type) {
	case *ast.SequenceNode:
		return "a list"
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a mapping"
	case *ast.StringNode, *ast.LiteralNode:
		return "a string"
	case *ast.IntegerNode, *ast.FloatNode:
		return "a number"
	case *ast.BoolNode:
		return "true or false"
	case *ast.NullNode:
		return "nothing"
	}
	return "something else"
}
