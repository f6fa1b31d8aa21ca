package lint

import (
	"cmp"
	"path"
	"path/filepath"
	"strings"
)

// path returns the path of a source file, which debug information has as file.
func (s *sources) path(file string) string {
	file = s.mapPath(file)
	r := s.roots()
	for _, root := range []string{r.root, r.real} {
		if rest, ok := below(filepath.ToSlash(root), file); ok && root != "" {
			return cmp.Or(rest, file)
		}
	}
	return file
}

// mapPath replaces the beginning of a path.
func (s *sources) mapPath(file string) string {
	longest, out := -1, file
	for _, m := range s.Map {
		from := filepath.ToSlash(m.From)
		rest, ok := below(from, file)
		if !ok || len(from) <= longest {
			continue
		}
		if longest, out = len(from), rest; m.To != "" {
			out = path.Join(filepath.ToSlash(m.To), rest)
		}
	}
	if out == "" {
		return "."
	}
	return path.Clean(out)
}

// below returns the rest of a path after that of a directory, and whether it is below it or the
// directory itself.
func below(dir, file string) (string, bool) {
	rest, ok := strings.CutPrefix(file, strings.TrimSuffix(dir, "/"))
	switch {
	case !ok:
		return "", false
	case rest == "":
		return "", true
	case rest[0] == '/':
		return rest[1:], true
	}
	return "", false
}
