//go:build linux

package hostile

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"unicode/utf8"
)

// isJSON reports output that is not a sequence of JSON values.
func isJSON(f *os.File) error {
	dec := json.NewDecoder(bufio.NewReaderSize(f, 1<<20))
	depth := 0
	for {
		t, err := dec.Token()
		switch {
		case err == io.EOF && depth == 0:
			return nil
		case err != nil:
			return fmt.Errorf("no JSON: %w", err)
		case t == json.Delim('{'), t == json.Delim('['):
			depth++
		case t == json.Delim('}'), t == json.Delim(']'):
			depth--
		}
	}
}

// isHTML reports a page that has no end.
func isHTML(f *os.File) error {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return err
	}
	tail := make([]byte, min(16, info.Size()))
	if _, err := f.ReadAt(tail, info.Size()-int64(len(tail))); err != nil {
		return err
	}
	if !bytes.HasSuffix(bytes.TrimSpace(tail), []byte("</html>")) {
		return errors.New("the page has no end")
	}
	return nil
}

// isText reports text that a terminal or a service would obey.
func isText(f *os.File) error {
	r := bufio.NewReaderSize(f, 1<<20)
	for n := 1; ; n++ {
		line, err := r.ReadSlice('\n')
		if bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte("::")) || bytes.Contains(line, []byte("##[")) || bytes.Contains(line, []byte("##vso[")) {
			return fmt.Errorf("line %d has a workflow command: %.80q", n, line)
		}
		for at := 0; at < len(line); {
			c, size := utf8.DecodeRune(line[at:])
			if c < ' ' && c != '\n' && c != '\t' || c == 0x7f {
				return fmt.Errorf("line %d has the control character %#x", n, c)
			}
			at += size
		}
		switch {
		case err == io.EOF:
			return nil
		case errors.Is(err, bufio.ErrBufferFull):
			return fmt.Errorf("line %d has more than 1 MiB", n)
		case err != nil:
			return err
		}
	}
}
