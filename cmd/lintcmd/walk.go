package lintcmd

import (
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sframe-lint/sframe-lint/internal/replace"
)

// task is a path to look at.
type task struct {
	path  string
	named bool  // on the command line, not met in a directory
	stdin bool  // no path, but standard input; a file may have its name, "-"
	err   error // why it can't be looked at
	done  chan *checked
}

// walker passes tasks on until emit returns false.
type walker func(paths []string, emit func(task) bool)

// walkFirst is walk that has seen everything before it passes anything on: a
// run that changes files must not meet the copies that it makes of them.
func walkFirst(paths []string, emit func(task) bool) {
	var all []task
	walk(paths, func(t task) bool {
		all = append(all, t)
		return true
	})
	for _, t := range all {
		if !emit(t) {
			return
		}
	}
}

// walk passes the paths on, directories by what is below them, in an order
// that does not depend on the file system. It ends when emit returns false.
func walk(paths []string, emit func(task) bool) {
	for _, p := range paths {
		if p == "-" {
			if !emit(task{path: p, named: true, stdin: true}) {
				return
			}
			continue
		}
		fi, err := os.Stat(p)
		switch {
		case err != nil:
			if !emit(task{path: p, named: true, err: err}) {
				return
			}
		case fi.IsDir():
			if !walkDir(p, emit) {
				return
			}
		case !emit(task{path: p, named: true}):
			return
		}
	}
}

// walkDir passes on the regular files of a directory. Links are not
// followed: what they lead to is met in its own place, or lies elsewhere.
func walkDir(dir string, emit func(task) bool) bool {
	// A link that was named is followed; a trailing separator sees to it.
	root := dir
	if fi, err := os.Lstat(dir); err == nil && fi.Mode()&fs.ModeSymlink != 0 {
		root += string(filepath.Separator)
	}
	more := true
	filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			more = emit(task{path: path, named: true, err: err})
			if more && d != nil && d.IsDir() {
				return fs.SkipDir
			}
		case replace.IsCopy(path):
			// of a file that a run which was killed was about to replace
		case d.Type().IsRegular():
			more = emit(task{path: path})
		}
		if !more {
			return fs.SkipAll
		}
		return nil
	})
	return more
}
