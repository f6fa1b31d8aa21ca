// Command distribution packs trees of files in every format of packages and images, checks the packages and the
// trees, and compares the results file by file.
//
//	go run -C scripts ./distribution [-cost N] [-keep DIR] [-formats NAMES] INPUT...
//
// An INPUT is a .deb, which is unpacked, a directory, or the output of scripts/realworld/build: its files are then
// grouped by the build that they are of. It exits with status 1 where a package has other results than its tree.
//
// Requires dpkg-deb, rpmbuild, bsdtar and zstd, and with -cost also rpm2cpio, cpio and tar.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/scripts/internal/builds"
	"github.com/sframe-lint/sframe-lint/scripts/internal/root"
)

func main() {
	root.Enter()
	rounds := flag.Int("cost", 0, "compare the CPU time with that of unpacking and checking the tree, in `N` rounds")
	keep := flag.String("keep", "", "keep trees, packages and results in `DIR`")
	program := flag.String("program", "", "run this `FILE` (default: built from the module)")
	names := flag.String("formats", "", "pack in the formats with these `NAMES`, separated by commas (default: all)")
	flag.Parse()
	if *names != "" {
		formats = slices.DeleteFunc(formats, func(f format) bool { return !slices.Contains(strings.Split(*names, ","), f.name) })
	}
	ok, err := run(*keep, *program, *rounds, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "distribution:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

// tree is a package before it is packed.
type tree struct{ name, dir string }

func run(keep, program string, rounds int, inputs []string) (ok bool, err error) {
	dir := keep
	if dir == "" {
		if dir, err = os.MkdirTemp("", "distribution"); err != nil {
			return false, err
		}
		defer os.RemoveAll(dir)
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return false, err
	}
	if program == "" {
		program = filepath.Join(dir, "sframe-lint")
		if err := command("", "go", "build", "-o", program, "github.com/sframe-lint/sframe-lint/cmd/sframe-lint"); err != nil {
			return false, err
		}
	}
	trees, err := grow(filepath.Join(dir, "trees"), inputs)
	if err != nil {
		return false, err
	}
	linted, err := lint(program, dir, "trees", trees, func(t *tree) string { return t.dir })
	if err != nil {
		return false, err
	}
	fmt.Println("| format | packages | MB | files | findings | differences |\n|---|---|---|---|---|---|")
	ok = true
	for i := range formats {
		f := &formats[i]
		if err := f.packAll(dir, trees); err != nil {
			return false, fmt.Errorf("%s: %w", f.name, err)
		}
		packed, err := lint(program, dir, f.name, trees, func(t *tree) string { return f.path(dir, t) })
		if err != nil {
			return false, err
		}
		ok = f.compare(dir, trees, linted, packed) && ok
	}
	if rounds > 0 {
		return ok, costs(program, dir, trees, rounds)
	}
	return ok, nil
}

// grow makes the trees of the inputs.
func grow(dir string, inputs []string) (all []tree, err error) {
	for _, in := range inputs {
		info, err := os.Stat(in)
		if err != nil {
			return nil, err
		}
		switch {
		case !info.IsDir():
			name, _, _ := strings.Cut(strings.TrimSuffix(filepath.Base(in), ".deb"), "_")
			all = append(all, tree{plain(name), filepath.Join(dir, plain(name))})
			err = makeMissing(all[len(all)-1].dir, func(to string) error { return command("", "dpkg-deb", "-x", in, to) })
		case exists(filepath.Join(in, builds.List)):
			all, err = addBuilds(all, dir, in)
		default:
			name := plain(filepath.Base(in))
			all = append(all, tree{name, filepath.Join(dir, name)})
			err = makeMissing(all[len(all)-1].dir, func(to string) error { return command("", "cp", "-a", in, to) })
		}
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(all, func(a, b tree) int { return strings.Compare(a.name, b.name) })
	for i := 1; i < len(all); i++ {
		if all[i].name == all[i-1].name {
			return nil, fmt.Errorf("two packages are called %q", all[i].name)
		}
	}
	return all, nil
}

// addBuilds adds a tree for each build of scripts/realworld: the processor, the program, the options and the producer.
func addBuilds(all []tree, dir, in string) ([]tree, error) {
	list, err := builds.Read(in)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, x := range list {
		if len(x.Parts) < 5 {
			return nil, fmt.Errorf("%s: %q is not the path of a build", in, x.Path)
		}
		name := plain(strings.Join(x.Parts[:4], "-"))
		if seen[name] {
			continue
		}
		seen[name] = true
		t := tree{name, filepath.Join(dir, name)}
		if err := makeMissing(t.dir, func(to string) error {
			if err := os.MkdirAll(filepath.Join(to, "usr/lib"), 0o755); err != nil {
				return err
			}
			return command("", "cp", "-a", filepath.Join(in, filepath.Join(x.Parts[:4]...)), filepath.Join(to, "usr/lib", name))
		}); err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

// plain makes a name that is that of a package in all formats.
func plain(s string) string {
	return strings.ToLower(regexp.MustCompile(`[^A-Za-z0-9.+]+`).ReplaceAllString(s, "-"))
}

// makeMissing makes what is missing.
func makeMissing(path string, make func(to string) error) error {
	if exists(path) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return make(path)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// command runs a program in a directory.
func command(dir string, args ...string) error {
	c := exec.Command(args[0], args[1:]...)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

// shell runs a script, whose arguments are $1, $2, ...
func shell(dir, script string, args ...string) error {
	return command(dir, append([]string{"bash", "-euo", "pipefail", "-c", script, "bash"}, args...)...)
}
