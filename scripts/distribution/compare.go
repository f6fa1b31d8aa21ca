package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// result is what was found: for the path of each file in a package, the lines of the result, which have its path no more.
type result struct {
	files    map[string][]string
	findings int
	bytes    int64
}

// lint checks the trees, or what was made of them, by one list, and returns the results by the names of the trees.
func lint(program, dir, name string, trees []tree, path func(*tree) string) (map[string]*result, error) {
	list, out := filepath.Join(dir, name+".tsv"), filepath.Join(dir, name+".results")
	var text strings.Builder
	names := map[string]string{}
	for i := range trees {
		fmt.Fprintln(&text, path(&trees[i]))
		names[path(&trees[i])] = trees[i].name
	}
	if err := os.WriteFile(list, []byte(text.String()), 0o666); err != nil {
		return nil, err
	}
	if err := command("", program, "--list", list, "--results", out, "--shard", "0/1", "--no-config", "--require-sframe", "--quiet"); err != nil {
		return nil, err
	}
	all := map[string]*result{}
	return all, filepath.WalkDir(filepath.Join(out, "units"), func(p string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(p) != ".jsonl" {
			return err
		}
		unit, r, err := read(p)
		if name := names[unit]; name != "" {
			all[name] = r
		}
		return err
	})
}

// read reads the result of a unit.
func read(path string) (unit string, r *result, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", nil, err
	}
	defer f.Close()
	r = &result{files: map[string][]string{}}
	lines := bufio.NewReader(f)
	for {
		b, err := lines.ReadBytes('\n')
		if err != nil {
			return unit, r, nil
		}
		var line map[string]map[string]any
		if err := json.Unmarshal(b, &line); err != nil {
			return unit, r, fmt.Errorf("%s: %w", path, err)
		}
		for kind, v := range line {
			switch kind {
			case "unit":
				unit, r.bytes = v["path"].(string), int64(v["bytes"].(float64))
				continue
			case "end", "run", "summary":
				if text, _ := v["failed"].(string); text != "" {
					r.files[""] = append(r.files[""], "given up: "+text)
				}
				continue
			case "finding":
				r.findings++
			}
			whole, _ := v["path"].(string)
			inside := strings.TrimPrefix(strings.TrimPrefix(whole, unit), "!")
			v["path"] = ""
			text, err := json.Marshal(line)
			if err != nil {
				return unit, r, err
			}
			r.files[inside] = append(r.files[inside], strings.ReplaceAll(string(text), whole, ""))
		}
	}
}

// compare reports whether packages have the results of their trees, and prints where they do not.
func (f *format) compare(dir string, trees []tree, linted, packed map[string]*result) bool {
	files, findings, differences := 0, 0, 0
	size := int64(0)
	for i := range trees {
		t := &trees[i]
		a, b := linted[t.name], packed[t.name]
		if a == nil || b == nil {
			fmt.Fprintf(os.Stderr, "%s: no result\n", f.path(dir, t))
			differences++
			continue
		}
		want := t.named(a.files, b.files)
		files, findings, size = files+len(b.files), findings+b.findings, size+b.bytes
		paths := maps.Clone(want)
		maps.Copy(paths, b.files)
		for _, path := range slices.Sorted(maps.Keys(paths)) {
			if !slices.Equal(want[path], b.files[path]) {
				differences++
				fmt.Fprintf(os.Stderr, "%s: %s\n  tree:    %.400q\n  package: %.400q\n", f.path(dir, t), path, want[path], b.files[path])
			}
		}
	}
	fmt.Printf("| %s | %d | %.1f | %d | %d | %d |\n", f.name, len(trees), float64(size)/1e6, files, findings, differences)
	return differences == 0
}

// named leaves out those names of a file that the package has as hard links to another one of its names: they have no
// bytes there.
func (t *tree) named(all, packed map[string][]string) map[string][]string {
	out := map[string][]string{}
	names := map[uint64][]string{}
	for path, lines := range all {
		var info syscall.Stat_t
		if err := syscall.Stat(filepath.Join(t.dir, path), &info); err != nil || info.Nlink < 2 {
			out[path] = lines
			continue
		}
		names[info.Ino] = append(names[info.Ino], path)
	}
	for _, same := range names {
		found := slices.DeleteFunc(slices.Clone(same), func(path string) bool { return packed[path] == nil })
		if len(found) == 0 {
			found = same[:1]
		}
		for _, path := range found {
			out[path] = all[path]
		}
	}
	return out
}
