package lint

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/container"
	"github.com/sframe-lint/sframe-lint/internal/base/edit"
	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
	"github.com/sframe-lint/sframe-lint/internal/base/regular"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Stdin is the path of standard input in results. The argument for it is "-".
const Stdin = "<stdin>"

// SymbolicLink is the reason for skipping a symbolic link in a directory: see [Options.Skipped].
const SymbolicLink = "a symbolic link"

// Probe is the reason for skipping programs that a build system made to test the compiler, or a directory of them:
// see [Options.Skipped].
const Probe = "a probe of a build system"

// probes are what CMake, Meson, Autoconf, SCons and Waf leave of their probes, which they build without the flags of a project.
var probes = sync.OnceValue(func() (all []lookup.Pattern) {
	for _, text := range []string{
		"**/CMakeFiles/*/CompilerId*/", "**/CMakeFiles/*.bin", "**/CMakeFiles/*/*.bin", "**/CMakeFiles/CMakeScratch/", "**/CMakeFiles/CMakeTmp/",
		"**/CMakeFiles/_CMakeLTOTest-*/", "**/CMakeFiles/FortranCInterface/", "meson-private/", "conftest", "conftest.*", ".sconf_temp/", ".conf_check_*/",
	} {
		all = append(all, lookup.ParsePattern(text))
	}
	return all
})

// isProbe reports whether a file or directory below an argument is one of the probes.
func isProbe(path string, dir bool) bool {
	elements := strings.Split(filepath.ToSlash(path), "/")
	return slices.ContainsFunc(probes(), func(p lookup.Pattern) bool { return (dir || !p.Dirs) && p.Match(elements) })
}

// maxStream bounds what is read from a pipe, which has no size of its own.
const maxStream = 4 << 30

// Path is a file to check, or a path that cannot be checked.
type Path struct {
	Name  string
	Named bool   // an argument, not an entry of a directory
	Stdin bool   // standard input; Name is then [Stdin]
	Err   error  // why the path cannot be checked
	Root  string // the directory among the arguments that contains the file, "" for an argument

	regular  bool     // as an entry of a directory, a regular file
	roots    []string // the directories among the arguments
	skipped  string   // why an entry of a directory is not searched
	excluded bool     // by a pattern
	link     bool     // it is a symbolic link
}

// Paths returns the files of the arguments in a stable order: "-" is standard input, and a directory means its
// regular files except [Probe] programs. It does not follow symbolic links in directories. [Linter.Run] calls it; use
// it to read files with [Path.Scan].
func Paths(args ...string) iter.Seq[Path] { return new(Exclude).Paths(args...) }

// Paths is [Paths] without the directory entries that the patterns exclude.
func (x *Exclude) Paths(args ...string) iter.Seq[Path] {
	return func(yield func(Path) bool) {
		for p := range entries(args, x.matcher()) {
			if p.skipped == "" && !yield(p) {
				return
			}
		}
	}
}

// entries returns what [Paths] does, and the entries of directories that are not looked
// into.
func entries(args []string, excluded func(arg, path string, dir bool) bool) iter.Seq[Path] {
	return func(yield func(Path) bool) {
		infos, errs := make([]fs.FileInfo, len(args)), make([]error, len(args))
		var roots []string
		for i, arg := range args {
			if arg == "-" {
				continue
			}
			infos[i], errs[i] = os.Stat(arg)
			if errs[i] != nil && insidePackage(arg) {
				errs[i] = nil // reading it reports what is wrong
			}
			if infos[i] != nil && infos[i].IsDir() {
				roots = append(roots, arg)
			}
		}
		for i, arg := range args {
			more := true
			switch {
			case arg == "-":
				more = yield(Path{Name: Stdin, Named: true, Stdin: true, roots: roots})
			case infos[i] != nil && infos[i].IsDir():
				more = walkDir(arg, excluded, func(p Path) bool {
					p.roots, p.Root = roots, arg
					return yield(p)
				})
			default:
				more = yield(Path{Name: arg, Named: true, Err: errs[i], roots: roots})
			}
			if !more {
				return
			}
		}
	}
}

// insidePackage reports whether an argument is the path of a file in a package, as reports write it.
func insidePackage(arg string) bool {
	outer, _, ok := container.Cut(arg)
	if !ok {
		return false
	}
	info, err := os.Stat(outer)
	return err == nil && info.Mode().IsRegular()
}

// isElsewhere reports whether what a symbolic link leads to is not met by itself: it is
// not there, or outside of the directories that were named.
func (p *Path) isElsewhere() bool {
	real, err := filepath.EvalSymlinks(p.Name)
	if err != nil {
		return true
	}
	return !slices.ContainsFunc(p.roots, func(root string) bool {
		top, err := filepath.EvalSymlinks(root)
		if err != nil {
			return false
		}
		top, real := edit.Absolute(top), edit.Absolute(real)
		rel, err := filepath.Rel(top, real)
		return err == nil && filepath.IsLocal(rel)
	})
}

// walkDir passes on the entries of a directory that are no directories.
func walkDir(dir string, excluded func(arg, path string, dir bool) bool, yield func(Path) bool) (more bool) {
	// A symbolic link that was named is followed: the trailing separator does it.
	root := dir
	if info, err := os.Lstat(dir); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		root += string(filepath.Separator)
	}
	more = true
	filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			more = yield(Path{Name: path, Named: true, Err: err})
		case excluded != nil && path != root && excluded(dir, path, d.IsDir()):
			more = yield(Path{Name: path, skipped: "excluded", excluded: true})
		case path != root && isProbe(path, d.IsDir()):
			more = yield(Path{Name: path, skipped: Probe})
		case d.Type().IsRegular():
			more = yield(Path{Name: path, regular: true})
		case d.Type()&fs.ModeSymlink != 0:
			more = yield(Path{Name: path, skipped: SymbolicLink, link: true})
		case !d.IsDir():
			more = yield(Path{Name: path, skipped: "not a regular file"})
		default:
			return nil
		}
		switch {
		case !more:
			return fs.SkipAll
		case d != nil && d.IsDir():
			return fs.SkipDir
		}
		return nil
	})
	return more
}

// Scan visits the objects of the file, as [reader.Scan] does. It reads standard input from stdin.
func (p Path) Scan(stdin io.Reader, opts reader.Options, visit func(*reader.Object) error) error {
	switch {
	case len(opts.ThinRoots) == 0:
		opts.ThinRoots = p.roots
	case len(p.roots) > 0:
		opts.ThinRoots = slices.Concat(opts.ThinRoots, p.roots)
	}
	switch {
	case p.Err != nil:
		return p.Err
	case p.Stdin && stdin == nil:
		return errors.New("no standard input is given")
	case p.Stdin:
		return scanStream(stdin, opts, visit)
	}
	f, err := regular.OpenReader(p.Name, p.regular)
	if err != nil {
		return reader.Scan(p.Name, opts, visit) // it may be a file in a package
	}
	defer f.Close()
	return reader.ScanReader(p.Name, f, f.Size(), opts, visit)
}

// scanStream scans standard input: in place if it is a file, else from memory or
// a temporary file, since the structures of ELF point forwards and backwards.
func scanStream(r io.Reader, opts reader.Options, visit func(*reader.Object) error) error {
	if f, ok := r.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return reader.ScanReader(Stdin, f, info.Size(), opts, visit)
		}
	}
	opts.Context = budget.For(opts.Context, opts.Limits)
	r = budget.Of(opts.Context).Reader(r)
	b, err := io.ReadAll(io.LimitReader(r, maxPiped+1))
	if err != nil {
		return err
	}
	if len(b) <= maxPiped {
		return reader.ScanReader(Stdin, bytes.NewReader(b), int64(len(b)), opts, visit)
	}
	return scanSpooled(b, r, opts, visit)
}

// maxPiped is the number of bytes of a stream that are kept in memory.
const maxPiped = 4 << 20

// scanSpooled scans a long stream, whose first bytes have been read, from a
// temporary file. The file is removed at once where the system allows that for
// an open file, so that no end of the program leaves it behind.
func scanSpooled(head []byte, r io.Reader, opts reader.Options, visit func(*reader.Object) error) error {
	f, err := os.CreateTemp("", "sframe-lint-stdin-*")
	if err != nil {
		return err
	}
	defer func() {
		f.Close()
		_ = os.Remove(f.Name())
	}()
	_ = os.Remove(f.Name())
	if _, err := f.Write(head); err != nil {
		return err
	}
	size := int64(len(head))
	for {
		if err := opts.Context.Err(); err != nil {
			return err
		}
		n, err := io.CopyN(f, r, maxPiped)
		if size += n; size > maxStream {
			return errors.New("standard input has more than 4 GiB")
		}
		if err == io.EOF {
			return reader.ScanReader(Stdin, f, size, opts, visit)
		}
		if err != nil {
			return err
		}
	}
}

// Exclude has patterns for directory entries to skip, as in a .gitignore in Dir: the last match decides, and "!"
// includes again. They do not apply to arguments. Outside Dir, patterns are relative to the argument or its
// directory.
type Exclude struct {
	Dir      string // "" means the working directory and each argument
	Patterns []string
}

// matcher returns a function that reports whether a path below an argument is excluded, nil
// for no patterns. It is asked about a directory before the entries of it.
func (x *Exclude) matcher() func(arg, path string, dir bool) bool {
	if len(x.Patterns) == 0 {
		return nil
	}
	var patterns []lookup.Pattern
	for _, text := range x.Patterns {
		patterns = append(patterns, lookup.ParsePattern(text))
	}
	root := edit.Absolute(x.Dir)
	return func(arg, path string, dir bool) bool {
		below := elements(root, path)
		fromArg := below
		if x.Dir == "" || below == nil {
			fromArg = elements(edit.Absolute(arg), path)
		}
		if below == nil {
			below = elements(filepath.Dir(edit.Absolute(arg)), path)
		}
		for _, p := range slices.Backward(patterns) {
			if (dir || !p.Dirs) && (p.Match(below) || p.Match(fromArg)) {
				return !p.Back
			}
		}
		return false
	}
}

// elements returns the elements of a path from a directory on, nil if it is not below that.
func elements(root, path string) []string {
	rel, err := filepath.Rel(root, edit.Absolute(path))
	if err != nil || !filepath.IsLocal(rel) || rel == "." {
		return nil
	}
	return strings.Split(filepath.ToSlash(rel), "/")
}

// inPackages returns a function that reports whether a file in a package is excluded, or a directory above it
// there, nil for no patterns. Its path begins with that of the package.
func (x *Exclude) inPackages() func(path string) bool {
	excluded := x.matcher()
	if excluded == nil {
		return nil
	}
	last, lastOut := "", false
	return func(path string) bool {
		outer, _, _ := container.Cut(path)
		top := outer + container.Separator
		dir := filepath.Dir(path)
		if dir != last {
			last, lastOut = dir, false
			for up := dir; len(up) > len(top) && !lastOut; up = filepath.Dir(up) {
				lastOut = excluded(top, up, true)
			}
		}
		return lastOut || excluded(top, path, false)
	}
}
