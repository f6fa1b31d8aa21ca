// Package sarif renders findings in the Static Analysis Results Interchange
// Format, version 2.1.0, as code scanning services require it.
package sarif

import (
	"encoding/json"

	"github.com/sframe-lint/sframe-lint/internal/escape"
)

// document writes a JSON document piece by piece.
type document struct {
	w     *escape.Writer
	err   error
	depth []int // of each open object and array, the members or elements so far
}

func (d *document) begun() bool { return len(d.depth) > 0 }

// begin opens an object with the members of v and, as one more of them, an array.
func (d *document) begin(v any, last string) {
	if d.begun() {
		d.next()
	}
	d.open("{")
	if b := d.marshal(v); len(b) > len("{}") {
		d.next()
		d.write(b[1 : len(b)-1])
	}
	d.array(last)
}

// array opens an array, a member of the open object.
func (d *document) array(key string) {
	d.key(key)
	d.open("[")
}

// marshal returns a value on one line.
func (d *document) marshal(v any) []byte {
	b, err := json.Marshal(v)
	d.note(err)
	return b
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
