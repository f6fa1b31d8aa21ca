package coverage

import (
	"bufio"
	"fmt"
	"io"
	"math/bits"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
)

// Add adds a file to the report.
func (r *Report) Add(f *File) {
	r.Files = append(r.Files, f)
	r.Total = r.Total.Plus(f.Share)
}

// NewReport returns a report without files.
func NewReport() *Report { return &Report{Schema: Schema, Files: []*File{}} }

// Name returns the path of the file, followed by the name of the archive member if there is one.
func (f *File) Name() string {
	if f.Member == "" {
		return f.Path
	}
	return f.Path + "(" + f.Member + ")"
}

// WriteText writes a report as text. It shortens long names and escapes characters that are not safe to print.
func WriteText(w io.Writer, r *Report) error {
	b := bufio.NewWriter(w)
	for i := range r.Files {
		r.Files[i].write(b)
	}
	for _, p := range r.Packages {
		p.write(b)
	}
	if len(r.Files) > 1 {
		fmt.Fprintf(b, "total: %v\n", r.Total)
	}
	return b.Flush()
}

// String formats the share, as in "7 of 8 functions (87.5%), 90 of 100 bytes (90.0%)".
func (s Share) String() string {
	return fmt.Sprintf("%d of %s (%s), %d of %s (%s)", s.CoveredFunctions, count(uint64(s.Functions), "function"),
		floor(uint64(s.CoveredFunctions), uint64(s.Functions)), s.CoveredBytes, count(s.Bytes, "byte"), floor(s.CoveredBytes, s.Bytes))
}

// floor writes a percentage rounded down: 100% means all.
func floor(part, of uint64) string {
	n := uint64(1000)
	if of > 0 {
		hi, lo := bits.Mul64(part, 1000)
		n, _ = bits.Div64(hi, lo, of)
	}
	return fmt.Sprintf("%d.%d%%", n/10, n%10)
}

func count(n uint64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func (f *File) write(b *bufio.Writer) {
	if f.Code == 0 {
		fmt.Fprintf(b, "%s: no code\n", escape.Name(f.Name()))
		return
	}
	fmt.Fprintf(b, "%s: %v\n", escape.Name(f.Name()), f.Share)
	for _, r := range f.Missing {
		fmt.Fprintf(b, "    %s: %s, %s\n", r.Reason.Text(), count(uint64(r.Functions), "function"), count(r.Bytes, "byte"))
	}
	if f.Allowed.Functions > 0 {
		fmt.Fprintf(b, "    allowed gaps: %s, %s\n", count(uint64(f.Allowed.Functions), "function"), count(f.Allowed.Bytes, "byte"))
	}
	if len(f.Inputs) > 0 {
		fmt.Fprintln(b, "    inputs with gaps:")
	}
	for _, in := range f.Inputs {
		fmt.Fprintf(b, "    %8d bytes  %s: %s\n", in.Bytes, escape.Name(in.Name), count(uint64(in.Functions), "function"))
	}
	for _, j := range f.Judged {
		fmt.Fprintf(b, "    %s\n", j)
	}
	if len(f.Gaps) == 0 {
		return
	}
	fmt.Fprintln(b, "    worst gaps:")
	for _, g := range f.Gaps {
		name := ""
		if g.Function != "" {
			name = "  \"" + escape.Name(g.Function) + "\""
		}
		fmt.Fprintf(b, "    %8d of %d bytes  0x%x in %s%s: %s", g.Bytes, g.Size, g.Start, escape.Name(g.Section), name, g.Reason.Text())
		if g.Detail != "" {
			fmt.Fprintf(b, " (%s)", g.Detail)
		}
		fmt.Fprintln(b)
	}
}

// Package is the coverage of all files in a package or an image.
type Package struct {
	Path    string `json:"path"`
	Files   int    `json:"files"`   // files with functions
	Without int    `json:"without"` // files with functions, but without a covered function
	Share
}

// AddIn adds a file of a package to the report.
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

// WriteMarkdown writes a table of packages and files in Markdown, for release notes.
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
