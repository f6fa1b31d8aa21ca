package coverage

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
)

// Package is the coverage of all files in a package or image.
type Package struct {
	Path    string `json:"path"`
	Files   int    `json:"files"`   // with code
	Without int    `json:"without"` // of these, files without any function that is covered
	Share
}

// AddIn adds a file of a package.
func (r *Report) AddIn(pkg string, f *File) {
	r.Add(f)
	pkg = escape.UTF8(pkg)
	n := len(r.Packages)
	if n == 0 || r.Packages[n-1].Path != pkg {
		r.Packages = append(r.Packages, &Package{Path: pkg})
		n++
	}
	p := r.Packages[n-1]
	p.Share = p.Share.Plus(f.Share)
	if f.Functions > 0 {
		p.Files++
		if f.CoveredFunctions == 0 {
			p.Without++
		}
	}
}

func (p *Package) write(b *bufio.Writer) {
	fmt.Fprintf(b, "%s: %s", escape.Name(p.Path), count(uint64(p.Files), "file"))
	if p.Without > 0 {
		fmt.Fprintf(b, " (%d without SFrame data)", p.Without)
	}
	fmt.Fprintf(b, ", %v\n", p.Share)
}

// WriteMarkdown writes a table of the packages and files, for a release note.
func WriteMarkdown(w io.Writer, r *Report) error {
	b := bufio.NewWriter(w)
	fmt.Fprint(b, "| File | Functions | Covered | Bytes | Covered |\n|---|---|---|---|---|\n")
	row := func(name string, s Share) {
		fmt.Fprintf(b, "| %s | %d | %s | %d | %s |\n", name, s.Functions, floor(uint64(s.CoveredFunctions), uint64(s.Functions)), s.Bytes, floor(s.CoveredBytes, s.Bytes))
	}
	for _, p := range r.Packages {
		row("**"+markdown(p.Path)+"**", p.Share)
	}
	for _, f := range r.Files {
		if f.Code > 0 {
			row(markdown(f.Name()), f.Share)
		}
	}
	if len(r.Files) > 1 {
		row("**total**", r.Total)
	}
	return b.Flush()
}

// marks are the characters that mean something in a cell.
var marks = strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;", "[", `\[`)

func markdown(name string) string { return marks.Replace(escape.Name(name)) }
