package lintcmd

import (
	"github.com/sframe-lint/sframe-lint/cmd/internal/program"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/reports"
)

// look hands what is in files to see: all of a file that is named, and of others
// what can have SFrame data. What can't be read is told, and handed to lost.
func (a *app) look(paths []string, see func(*reader.Object), lost func(path string)) {
	walk(paths, func(t task) bool {
		f := lint.File{Path: t.path, Err: t.err}
		visit := func(o *reader.Object) error {
			if t.named || o.Member != "" || o.Status != reader.StatusNotELF {
				see(o)
			}
			a.unread(o)
			return nil
		}
		switch {
		case f.Err != nil:
		case t.stdin:
			f.Path = stdinName
			f.Err = scanStream(a.stdin, reader.Options{}, visit)
		default:
			f.Err = reader.Scan(t.path, reader.Options{}, visit)
		}
		if f.Err != nil {
			a.status = program.ExitFailed
			a.say("%s: %s", reports.Name(f.Path, ""), reports.Escape(f.Reason()))
			lost(f.Path)
		}
		return true
	})
}
