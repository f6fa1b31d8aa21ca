//go:build linux

package hostile

import (
	"bytes"
	"fmt"
)

const (
	arMagic   = "!<arch>\n"
	thinMagic = "!<thin>\n"
)

// member returns the header of a member, and its data.
func member(name string, data []byte) []byte {
	return append(memberHeader(name, int64(len(data))), padded(data)...)
}

func padded(b []byte) []byte {
	if len(b)%2 != 0 {
		return append(bytes.Clone(b), '\n')
	}
	return b
}

func memberHeader(name string, size int64) []byte {
	return fmt.Appendf(nil, "%-16.16s%-12s%-6s%-6s%-8s%-10d`\n", name, "0", "0", "0", "644", size)
}

// archiveOf returns an archive of n members.
func archiveOf(n int, of func(i int) []byte) []byte {
	var b bytes.Buffer
	b.WriteString(arMagic)
	for i := range n {
		b.Write(of(i))
	}
	return b.Bytes()
}

// nest returns an archive with an archive in it, and so on.
func nest(depth int, inner []byte) []byte {
	for range depth {
		inner = append([]byte(arMagic), member("n.a/", inner)...)
	}
	return inner
}

// thinArchive returns a thin archive that names one file n times.
func thinArchive(n int, name string, size int64) []byte {
	var b bytes.Buffer
	b.WriteString(thinMagic)
	b.Write(member("//", []byte(name+"/\n")))
	for range n {
		b.Write(memberHeader("/0", size))
	}
	return b.Bytes()
}
