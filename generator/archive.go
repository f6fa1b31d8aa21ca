package generator

import (
	"bytes"
	"fmt"
	"strings"
)

// Member is a file in an archive.
type Member struct {
	Name  string
	Bytes []byte
}

// WrapArchive puts files into an archive as GNU ar writes it, with a table of long names and without a symbol index.
// Names must not be empty or contain a slash or a line feed.
func WrapArchive(members []Member) ([]byte, error) {
	var names bytes.Buffer
	headers := make([]string, len(members))
	for i, m := range members {
		switch {
		case m.Name == "" || strings.ContainsAny(m.Name, "/\n"):
			return nil, fmt.Errorf("%q cannot be the name of an archive member", m.Name)
		case int64(len(m.Bytes)) > 9_999_999_999:
			return nil, fmt.Errorf("%s has %d bytes; the size in an archive has 10 digits", m.Name, len(m.Bytes))
		case len(m.Name) < 16:
			headers[i] = m.Name + "/"
		default:
			headers[i] = fmt.Sprintf("/%d", names.Len())
			names.WriteString(m.Name + "/\n")
		}
	}
	var b bytes.Buffer
	b.WriteString("!<arch>\n")
	if names.Len() > 0 {
		if names.Len()%2 != 0 {
			names.WriteByte('\n')
		}
		// The header of the table of names has only a size.
		fmt.Fprintf(&b, "%-48s%-10d`\n", "//", names.Len())
		b.Write(names.Bytes())
	}
	for i, m := range members {
		fmt.Fprintf(&b, "%-16s%-12d%-6d%-6d%-8s%-10d`\n", headers[i], 0, 0, 0, "100644", len(m.Bytes))
		b.Write(m.Bytes)
		if len(m.Bytes)%2 != 0 {
			b.WriteByte('\n')
		}
	}
	return b.Bytes(), nil
}
