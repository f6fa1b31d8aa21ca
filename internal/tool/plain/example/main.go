// Command example is a decoder for the conformance suite. It reads questions and writes answers, each a line of JSON.
//
//	sframe-fuzz conformance --decoder ./example
package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/sframe-lint/sframe-lint/internal/tool/plain"
)

func main() {
	if err := answer(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "example:", err)
		os.Exit(1)
	}
}

func answer(in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 16<<20)
	w := json.NewEncoder(out)
	for lines.Scan() {
		var q struct{ Section, Address, PC string }
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return err
		}
		b, err := hex.DecodeString(q.Section)
		if err != nil {
			return err
		}
		addr, err := strconv.ParseUint(q.Address, 0, 64)
		if err != nil {
			return err
		}
		var content any
		s, err := plain.Decode(b, addr)
		switch {
		case s == nil:
			content = map[string]string{"error": err.Error()}
		case q.PC != "":
			pc, err := strconv.ParseUint(q.PC, 0, 64)
			if err != nil {
				return err
			}
			content = s.Lookup(pc)
		default:
			content = s
		}
		if err := w.Encode(content); err != nil {
			return err
		}
	}
	return lines.Err()
}
