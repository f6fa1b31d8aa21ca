package shrink

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
)

// Parse returns the files of a text, by name.
func ParseFiles(text []byte) (map[string][]byte, error) {
	files := map[string][]byte{}
	n := 0
	for line := range bytes.Lines(text) {
		n++
		name, digits, ok := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte(" "))
		data, err := hex.AppendDecode(nil, digits)
		switch {
		case !ok || err != nil:
			return nil, fmt.Errorf("line %d: not a name and bytes in hexadecimal", n)
		case files[string(name)] != nil:
			return nil, fmt.Errorf("line %d: a second file %q", n, name)
		}
		files[string(name)] = append([]byte{}, data...) // not nil if empty
	}
	return files, nil
}

// Format returns the text of files, sorted by name. Names have no spaces.
func FormatFiles(files map[string][]byte) []byte {
	var text []byte
	for _, name := range slices.Sorted(maps.Keys(files)) {
		text = fmt.Appendf(text, "%s %x\n", name, files[name])
	}
	return text
}
