package lint

import (
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// isThin reports whether the object is a member of a thin archive.
func (c *check) isThin(o *reader.Object) bool {
	if o.Member == "" || c.task.Stdin {
		return false
	}
	if len(c.file.Objects) == 0 {
		c.thin = isThin(c.task.Name)
	}
	return c.thin
}

// isThin reports whether a file is a thin archive.
func isThin(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	magic := make([]byte, 8)
	_, err = io.ReadFull(f, magic)
	return err == nil && string(magic) == "!<thin>\n"
}

// missing reports whether the file of a thin archive's member could not be
// opened: findings are then about the archive.
func missing(o *reader.Object) bool {
	return slices.ContainsFunc(o.Faults, func(f reader.Fault) bool { return f.Code == reader.MemberUnreadable })
}

// memberFile returns the file that holds a member of a thin archive. ok is false
// for a member of an archive that is a member itself: its name may be that of a
// file in either archive's directory.
func memberFile(archive string, o *reader.Object) (path string, ok bool) {
	if o.Base != 0 {
		return "", false
	}
	if filepath.IsAbs(o.Member) {
		return o.Member, true
	}
	dir, _ := filepath.Split(archive)
	return dir + o.Member, true
}

// dropFixes removes the fixes of findings and returns how many findings had one.
func dropFixes(findings []rules.Finding) int {
	n := 0
	for i := range findings {
		if len(findings[i].Fixes) > 0 {
			findings[i].Fixes = nil
			n++
		}
	}
	return n
}
