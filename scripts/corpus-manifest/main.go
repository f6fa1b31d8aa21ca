// Command corpus-manifest writes corpus/manifest.json from the records of scripts/corpus-build. It reads the kind,
// ABI, byte order and SFrame version of a file from the file, and keeps expected findings while the file's bytes stay
// the same.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
	"github.com/sframe-lint/sframe-lint/scripts/internal/root"
)

// entry is one file of the corpus.
type entry = corpus.Entry

func main() {
	root.Enter()
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: manifest RECORDS FILES MANIFEST")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "manifest:", err)
		os.Exit(1)
	}
}

func run(records, root, manifest string) error {
	entries, err := readRecords(records)
	if err != nil {
		return err
	}
	for i := range entries {
		if err := describe(filepath.Dir(root), &entries[i]); err != nil {
			return fmt.Errorf("%s: %w", entries[i].File, err)
		}
	}
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.File, b.File) })
	if err := allListed(root, entries); err != nil {
		return err
	}
	if err := keepFindings(manifest, entries); err != nil {
		return err
	}
	return corpus.Write(manifest, entries)
}

// columns are those of a record, between tabs: file, producer, version, command, sources, "healthy" or not, known bugs,
// address, ABI, version of SFrame, and what it is about.
const columns = 11

func readRecords(path string) ([]entry, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var entries []entry
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		e, err := parseRecord(strings.Split(lines.Text(), "\t"))
		if err != nil {
			return nil, fmt.Errorf("record %d: %w", len(entries)+1, err)
		}
		entries = append(entries, e)
	}
	return entries, lines.Err()
}

func parseRecord(col []string) (entry, error) {
	if len(col) != columns {
		return entry{}, fmt.Errorf("%d columns, want %d", len(col), columns)
	}
	e := entry{
		File: col[0], Producer: col[1], Version: col[2],
		Command: col[3], Source: strings.Fields(col[4]),
		Healthy: col[5] == "healthy", RawAddress: col[7],
		ABI: col[8], About: col[10],
	}
	for bug := range strings.FieldsSeq(col[6]) {
		n, err := strconv.Atoi(bug)
		if err != nil {
			return entry{}, fmt.Errorf("known bug %q: %w", bug, err)
		}
		e.KnownBug = append(e.KnownBug, n)
	}
	if v := col[9]; v != "" {
		n, err := strconv.Atoi(v)
		if err != nil {
			return entry{}, fmt.Errorf("sframe version: %w", err)
		}
		e.SFrameVersion = n
	}
	return e, nil
}

// allListed makes sure that no file of the corpus lacks an entry.
func allListed(root string, entries []entry) error {
	listed := make(map[string]bool)
	for _, e := range entries {
		if listed[e.File] {
			return fmt.Errorf("%s: recorded twice", e.File)
		}
		listed[e.File] = true
	}
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(filepath.Dir(root), path)
		if err == nil && !listed[filepath.ToSlash(rel)] {
			err = fmt.Errorf("%s: no record of how it was made", rel)
		}
		return err
	})
}

// keepFindings carries over what the manifest before expected of files that have not changed.
func keepFindings(manifest string, entries []entry) error {
	old, err := corpus.Load(filepath.Dir(manifest))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", manifest, err)
	}
	findings := make(map[string][]string)
	for _, e := range old {
		findings[e.File+" "+e.SHA256] = e.Findings
	}
	for i, e := range entries {
		entries[i].Findings = findings[e.File+" "+e.SHA256]
	}
	return nil
}
