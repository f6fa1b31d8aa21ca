package config

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/sframe-lint/sframe-lint/internal/suggest"
)

// form is what a value can be: one of words, or of the types that are set. Nothing stands for
// a key that is not there.
type form struct {
	words []string // in the order of messages
	kind  string   // of words, for messages

	keys map[string]form                       // a mapping with these keys
	each func(key string, at ast.Node) form    // a mapping from rules to values of this form
	end  func(m map[string]any) (wrong string) // is called after the values of a mapping
	list *form                                 // a list of these

	number, text, truth bool   // a whole number, a string, true or false
	blank               string // the error for an empty string; "": it is allowed

	needed bool // nothing is an error

	// take is given a value of the form; that of a mapping or a list, before the values in it. It
	// returns what is wrong with it.
	take func(v any, at ast.Node) error
	// parse takes the place of take for a value of any type.
	parse func(v any) error
}

// read checks a value, which a node has, and passes it on.
func (f *form) read(p *reading, v any, n ast.Node) {
	if v == nil && !f.needed {
		return
	}
	if tag, ok := n.(*ast.TagNode); ok {
		n = tag.Value
	}
	v, err := f.value(v, n)
	if err == nil && f.take != nil {
		err = f.take(v, n)
	}
	if err != nil {
		p.report(n, "%v", err)
		return
	}
	switch v := v.(type) {
	case map[string]any:
		f.mapping(p, v, n)
	case []any:
		list, _ := n.(*ast.SequenceNode)
		for i, x := range v {
			if list != nil && i < len(list.Values) {
				f.list.read(p, x, list.Values[i])
			}
		}
	}
}

// value returns a value that has the form.
func (f *form) value(v any, n ast.Node) (any, error) {
	switch {
	case f.parse != nil:
		return nil, f.parse(v)
	case f.words != nil:
		return f.word(v)
	}
	ok := false
	switch x := v.(type) {
	case map[string]any:
		ok = f.keys != nil || f.each != nil
	case []any:
		ok = f.list != nil
	case string:
		if ok = f.text; ok && f.blank != "" && strings.TrimSpace(x) == "" {
			return nil, errors.New(f.blank)
		}
	case bool:
		ok = f.truth
	case float64:
		ok = f.number && x == math.Trunc(x)
	case int, int64, uint64:
		ok = f.number
	}
	if !ok {
		return nil, errors.New("want " + f.String() + ", not " + noun(n))
	}
	return v, nil
}

// word returns a value that is one of a few words. Older versions of YAML read "off" as false.
func (f *form) word(v any) (any, error) {
	word, ok := v.(string)
	switch {
	case v == false && slices.Contains(f.words, "off"):
		return "off", nil
	case !ok:
		return nil, errors.New("want " + suggest.List(f.words, ""))
	case !slices.Contains(f.words, word):
		return nil, suggest.Unknown(f.kind, word, f.words, "")
	}
	return word, nil
}

// mapping reads the keys and the values of a mapping, in the order of the file.
func (f *form) mapping(p *reading, m map[string]any, n ast.Node) {
	known := slices.Sorted(maps.Keys(f.keys))
	for _, x := range pairs(n) {
		key := name(x)
		of, ok := f.keys[key]
		switch {
		case f.each != nil:
			of = f.each(key, x.Key)
		case !ok:
			p.report(x.Key, "%v", suggest.Unknown("key", key, known, "want one of "+strings.Join(known, ", ")))
			continue
		}
		of.read(p, m[key], x.Value)
	}
	if f.end != nil {
		if wrong := f.end(m); wrong != "" {
			p.report(n, "%s", wrong)
		}
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

// pairs returns the keys and values of a mapping, nil for any other node.
func pairs(n ast.Node) []*ast.MappingValueNode {
	switch m := n.(type) {
	case *ast.MappingNode:
		return m.Values
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{m}
	}
	return nil
}

// name returns the key of a pair as the decoder writes it.
func name(pair *ast.MappingValueNode) string {
	key := ast.Node(pair.Key)
	if marked, ok := key.(*ast.MappingKeyNode); ok { // ? key
		key = marked.Value
	}
	if key, ok := key.(ast.ScalarNode); ok {
		return fmt.Sprint(key.GetValue())
	}
	return key.String()
}
