package lintcmd

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/program"
	"github.com/sframe-lint/sframe-lint/internal/replace"
	"github.com/sframe-lint/sframe-lint/reports"
)

// viewPages are the pages that --views asks for.
type viewPages struct {
	dir   string
	paths []string // of the files that have one
}

// mostViews is the maximum number of pages of a report.
const mostViews = 500

// page returns a function that returns the address of a file's page, from the report on; nil if there are none.
func (v *viewPages) page(f *lintFlags) func(path string) string {
	if v.dir == "" {
		return nil
	}
	from := "."
	for _, format := range f.formats {
		if name, path, ok := strings.Cut(format, "="); ok && name == "html" {
			from = filepath.Dir(path)
		}
	}
	base, err := filepath.Rel(replace.Absolute(from), replace.Absolute(v.dir))
	if err != nil {
		base = replace.Absolute(v.dir)
	}
	return func(path string) string {
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || len(v.paths) >= mostViews {
			return "" // standard input, or a file in a package
		}
		v.paths = append(v.paths, path)
		u := url.URL{Path: filepath.ToSlash(filepath.Join(base, v.name(len(v.paths)-1)))}
		return u.String()
	}
}

// name returns the name of the page of a file.
func (v *viewPages) name(i int) string {
	base := strings.Map(func(r rune) rune {
		if r < '0' && r != '-' && r != '.' || r >= 0x7f || strings.ContainsRune(`:;<=>?[\]^{|}`+"`", r) {
			return '_'
		}
		return r
	}, filepath.Base(v.paths[i]))
	return fmt.Sprintf("%d-%s.html", i+1, base[:min(len(base), 100)])
}

// writeViews writes the pages of the files with findings.
func (a *app) writeViews(f *lintFlags, t *tables) error {
	v := &f.views
	if len(v.paths) == 0 {
		return nil
	}
	if err := os.MkdirAll(v.dir, 0o777); err != nil {
		return program.Failed(err)
	}
	for i, path := range v.paths {
		b, end := a.account()
		x := &viewer{app: a, args: []string{path}, total: b, tables: t, viewFlags: &viewFlags{code: true, out: filepath.Join(v.dir, v.name(i)),
			partFlags: partFlags{raw: f.raw, section: f.section, address: f.address}}}
		err := x.close(x.add(path, ""))
		end()
		if err != nil {
			a.fail("--views: %s", reports.Escape(err.Error()))
		}
	}
	return nil
}
