package lint

import (
	"bytes"
	"context"
	"debug/elf"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/regular"
	"github.com/sframe-lint/sframe-lint/internal/evidence/lines"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// identity is what a debug file is recognized by.
type identity struct {
	object  *reader.Object
	buildID []byte
	link    string // the file name in .gnu_debuglink, "" for none
	crc     uint32
}

// identify reads the identity of an object.
func identify(o *reader.Object) identity {
	id := identity{object: o}
	id.buildID, _ = o.BuildID()
	for i := range o.ELF.Sections {
		s := &o.ELF.Sections[i]
		if s.Name != ".gnu_debuglink" || s.Size > 4096 || s.Compressed() {
			continue
		}
		b, err := o.ELF.SectionPart(i, 0, s.Size, nil)
		name, _, ok := bytes.Cut(b, []byte{0})
		if err == nil && ok && len(b) >= len(name)+5 && filepath.Base(string(name)) == string(name) && filepath.IsLocal(string(name)) {
			id.link, id.crc = string(name), o.ELF.Order.Uint32(b[len(b)-4:])
		}
	}
	return id
}

// debugOf calls use with the file that has the debug information of an object: nil for the
// object itself, or if there is no such file. path is that of the object, "" if it is not a file by
// itself.
func (s *sources) debugOf(o *reader.Object, path string, use func(debug *reader.Object)) {
	if lines.Has(o) || o.ELF.Relocatable() {
		use(nil)
		return
	}
	id := identify(o)
	for _, c := range s.candidates(&id, path) {
		if id.visit(&c, use) {
			return
		}
	}
}

// candidate is a file that may have debug information: below a directory that it must not
// leave, or anywhere if that is "".
type candidate struct{ dir, name string }

func (c *candidate) path() string { return filepath.Join(c.dir, c.name) }

// open opens the file.
func (c *candidate) open() (*os.File, os.FileInfo, error) {
	if c.dir == "" {
		return regular.Open(c.name)
	}
	root, err := os.OpenRoot(c.dir)
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	return regular.OpenIn(root, c.name)
}

// candidates lists where the debug file can be.
func (s *sources) candidates(id *identity, path string) (all []candidate) {
	for _, f := range s.DebugFiles {
		all = append(all, candidate{"", f})
	}
	if pkg := id.object.Package; pkg != "" {
		if name := debugPackage(filepath.Base(pkg)); name != "" {
			all = append(all, candidate{filepath.Dir(pkg), name})
			for _, path := range s.given {
				if filepath.Base(path) == name && filepath.Dir(path) != filepath.Dir(pkg) {
					all = append(all, candidate{"", path})
				}
			}
		}
	}
	if name := id.debugName(); name != "" {
		for _, root := range s.DebugRoots {
			all = append(all, candidate{"", filepath.Join(root, ".build-id", name)})
		}
	}
	if id.link == "" {
		return all
	}
	if path != "" {
		dir := filepath.Dir(path)
		all = append(all, candidate{dir, id.link}, candidate{dir, filepath.Join(".debug", id.link)})
	}
	for _, root := range s.DebugRoots {
		if dir, err := filepath.Abs(filepath.Dir(path)); err == nil && path != "" {
			all = append(all, candidate{"", filepath.Join(root, dir, id.link)})
		}
		all = append(all, candidate{"", filepath.Join(root, id.link)})
	}
	return all
}

// debugName is the name of the debug file in a directory .build-id, "" without a build ID.
func (id *identity) debugName() string {
	name := hex.EncodeToString(id.buildID)
	if len(id.buildID) < 2 {
		return ""
	}
	return name[:2] + "/" + name[2:] + ".debug"
}

// debugNames are how distributions call the package with the debug information of a package: the addition comes before
// this many parts of the name.
var debugNames = []struct {
	ext, separator, add string
	parts               int
}{
	{".deb", "_", "-dbgsym", 2}, {".rpm", "-", "-debuginfo", 2}, {".apk", "-", "-dbg", 2},
	{".pkg.tar.zst", "-", "-debug", 3}, {".pkg.tar.xz", "-", "-debug", 3},
}

// debugPackage returns the name of the package with the debug information of a package, "" if it is not known.
func debugPackage(name string) string {
	for _, d := range debugNames {
		base, ok := strings.CutSuffix(name, d.ext)
		at := len(base)
		for i := 0; ok && i < d.parts; i++ {
			at = strings.LastIndex(base[:max(at, 0)], d.separator)
		}
		if ok && at > 0 {
			return base[:at] + d.add + base[at:] + d.ext
		}
	}
	return ""
}

// visit calls use with the object in a candidate if it has the debug information, and reports
// whether it does. A candidate may be a package.
func (id *identity) visit(c *candidate, use func(*reader.Object)) (used bool) {
	own := id.debugName()
	others := func(path string) bool {
		return strings.Contains(path, "/.build-id/") && own != "" && !strings.HasSuffix(path, "/"+own)
	}
	c.scan(id.object.Context, others, func(d *reader.Object) bool {
		if d.ELF.Machine == id.object.ELF.Machine && lines.Has(d) && id.matches(d) {
			used = true
			use(d)
		}
		return !used
	})
	return used
}

// matches reports whether a file has the debug information, by the build IDs or, if one is
// missing, by the checksum.
func (id *identity) matches(d *reader.Object) bool {
	other, err := d.BuildID()
	if err != nil {
		return false
	}
	if id.buildID != nil && other != nil {
		return bytes.Equal(id.buildID, other)
	}
	if id.buildID == nil && other == nil && id.link == "" {
		return sameLink(id.object.ELF, d.ELF)
	}
	b := budget.Of(id.object.Context)
	if id.link == "" || b.Room(budget.Read)/2 < d.Size || b.Spend(budget.Read, d.Size) != nil {
		return false
	}
	sum := crc32.NewIEEE()
	n, err := io.Copy(sum, d.Reader(model.Span{Len: d.Size}))
	return err == nil && n == d.Size && sum.Sum32() == id.crc
}

// sameLink reports whether all sections of a program that are loaded are in its debug file, too.
func sameLink(program, debug *reader.ELF) bool {
	for i := range program.Sections {
		s := &program.Sections[i]
		k, ok := debug.SectionAt(s.Addr)
		if s.Flags&elf.SHF_ALLOC != 0 && s.Type != elf.SHT_NOBITS && s.Size > 0 && (!ok || debug.Sections[k].Name != s.Name || debug.Sections[k].Size != s.Size) {
			return false
		}
	}
	return len(program.Sections) > 0
}

// CheckDebugFiles returns an error if a debug file belongs to none of the programs. It ignores programs that are not
// ELF files.
func (s *Sources) CheckDebugFiles(programs []string) error {
	b := budget.New(context.Background(), budget.Limits{})
	for _, name := range s.DebugFiles {
		c, found, why := candidate{"", name}, len(programs) == 0, "it is no ELF file"
		for _, path := range programs {
			if found {
				break
			}
			program, known := candidate{"", path}, false
			program.scan(b, nil, func(o *reader.Object) bool {
				id := identify(o)
				c.scan(b, nil, func(d *reader.Object) bool {
					other, _ := d.BuildID()
					why = fmt.Sprintf("it has %s, and %s has %s", buildID(other), path, buildID(id.buildID))
					found = found || d.Package != "" || id.matches(d)
					return !found
				})
				known = o.Package == ""
				return false
			})
			found = found || !known
		}
		if !found {
			return fmt.Errorf("--debug-file %s is not that of a program: %s", name, why)
		}
	}
	return nil
}

// buildID names a build ID.
func buildID(id []byte) string {
	if id == nil {
		return "no build ID"
	}
	return "build ID " + hex.EncodeToString(id)
}

// splitOf returns how to open a file of split DWARF that an object names. Any object can name any
// file, so it must be below the directory of the object, the root of the sources or a directory of
// debug files.
func (s *sources) splitOf(o *reader.Object, path string) func(dir, name string, visit func(*reader.Object)) {
	return func(dir, name string, visit func(*reader.Object)) {
		full := s.path(lines.Join(dir, name))
		var all []candidate
		if filepath.IsLocal(full) {
			all = append(all, candidate{s.roots().root, full})
		}
		roots := s.DebugRoots
		if path != "" {
			roots = append([]string{filepath.Dir(path)}, roots...)
		}
		for _, root := range roots {
			if abs, err := filepath.Abs(root); err == nil {
				if rest, ok := below(filepath.ToSlash(abs), full); ok {
					all = append(all, candidate{root, rest})
				}
			}
			all = append(all, candidate{root, filepath.Base(name)})
		}
		for _, c := range all {
			found := false
			c.scan(o.Context, nil, func(d *reader.Object) bool {
				found = true
				visit(d)
				return false
			})
			if found {
				return
			}
		}
	}
}

// errFound ends a scan.
var errFound = errors.New("found")

// scan calls visit with the ELF file in a candidate, or those in a package that are not skipped, until it returns false.
func (c *candidate) scan(ctx context.Context, skip func(path string) bool, visit func(*reader.Object) (more bool)) {
	f, info, err := c.open()
	if err != nil {
		return
	}
	defer f.Close()
	opts := reader.Options{Context: ctx, OneBudget: true, NoSurvey: true, Skip: skip}
	_ = reader.ScanReader(c.path(), f, info.Size(), opts, func(d *reader.Object) error {
		if d.Member == "" && d.ELF != nil && !visit(d) {
			return errFound
		}
		return nil
	})
}
