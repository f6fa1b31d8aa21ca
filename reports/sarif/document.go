// Package sarif renders findings in the Static Analysis Results Interchange
// Format, version 2.1.0, as code scanning services require it.
package sarif

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
)

// document writes a JSON document piece by piece. The pieces are the SARIF library's
// types.
type document struct {
	w     *escape.Writer
	err   error
	depth []int // of each open object and array, the members or elements so far
}

func (d *document) begun() bool { return len(d.depth) > 0 }

// begin opens an object with the members of v, and in it, as the first of the keys
// of last, an array. None of these are members already; the others come later.
func (d *document) begin(v any, last ...string) {
	if d.begun() {
		d.next()
	}
	d.open("{")
	d.writeMembers(d.split(v), last...)
	d.key(last[0])
	d.open("[")
}

// members writes an element, an object with the members of v, of which one is
// written by list.
func (d *document) members(v any, key string, list func()) {
	d.next()
	d.open("{")
	d.writeMembers(d.split(v), key)
	d.key(key)
	list()
	d.close("}")
}

// split returns the members of an object.
func (d *document) split(v any) map[string]json.RawMessage {
	var all map[string]json.RawMessage
	d.note(json.Unmarshal(d.marshal(v), &all))
	return all
}

// writeMembers writes members in the order of their keys, but those that are left out.
func (d *document) writeMembers(all map[string]json.RawMessage, without ...string) {
	for _, key := range slices.Sorted(maps.Keys(all)) {
		if !slices.Contains(without, key) {
			d.key(key)
			d.write(all[key])
		}
	}
}

// marshal returns a value on one line.
func (d *document) marshal(v any) []byte {
	b, err := json.Marshal(v)
	d.note(err)
	return unset(b)
}

// unset leaves out the members with the value -1, which the library writes for numbers that are
// not set. It overwrites b. In a string, the quotation marks of a key would have backslashes.
func unset(b []byte) []byte {
	out := b[:0]
	for {
		end := bytes.Index(b, []byte(`":-1`))
		if end < 0 {
			return append(out, b...)
		}
		key := bytes.LastIndexByte(b[:end], '"')
		rest := b[end+len(`":-1`):]
		if key < 0 || len(rest) == 0 || rest[0] != ',' && rest[0] != '}' || !isName(b[key+1:end]) {
			out, b = append(out, b[:end+1]...), b[end+1:]
			continue
		}
		out, b = append(out, b[:key]...), rest
		switch n := len(out); {
		case n > 0 && out[n-1] == ',':
			out = out[:n-1]
		case b[0] == ',':
			b = b[1:]
		}
	}
}

// isName reports whether b has only letters, as the names of members have.
func isName(b []byte) bool {
	return len(b) > 0 && bytes.IndexFunc(b, func(r rune) bool { return r|0x20 < 'a' || r|0x20 > 'z' }) < 0
}

// element writes an element of an array, on a line of its own.
func (d *document) element(line []byte) {
	d.next()
	d.print("\n")
	d.write(line)
}

// next separates an element or member from the one before it.
func (d *document) next() {
	if n := &d.depth[len(d.depth)-1]; *n > 0 {
		d.print(",")
		*n++
	} else {
		*n = 1
	}
}

func (d *document) key(key string) {
	d.next()
	d.write(d.marshal(key))
	d.print(":")
}

func (d *document) open(bracket string) {
	d.depth = append(d.depth, 0)
	d.print(bracket)
}

func (d *document) close(bracket string) {
	d.depth = d.depth[:len(d.depth)-1]
	d.print(bracket)
}

func (d *document) print(s string) { d.write([]byte(s)) }

func (d *document) write(b []byte) {
	_, err := d.w.Write(b)
	d.note(err)
}

// note keeps the first error.
func (d *document) note(err error) {
	if d.err == nil {
		d.err = err
	}
}
