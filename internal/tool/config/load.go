package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sframe-lint/sframe-lint/internal/base/regular"
)

// Limits of a file. Those of its structure exclude files on which the time of the
// parser grows with the square of the nesting.
const (
	maxFile     = 64 << 10 // bytes
	maxLine     = 4 << 10  // bytes
	maxBrackets = 1024
)

// Find searches for a configuration in a directory and its parents. It returns
// "" if there is none.
func Find(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for {
		path := filepath.Join(dir, Name)
		// A broken symbolic link is an error: it was meant to be read.
		if _, err := os.Lstat(path); err == nil {
			return path, nil
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", nil
		}
		dir = up
	}
}

// Load reads the configuration at path. Paths in it are relative to its
// directory. Errors: I/O, and *[Error] for its contents.
func Load(path string, known Known) (*Config, error) {
	data, err := regular.Read(path, maxFile)
	if err != nil {
		return nil, err
	}
	if bytes.IndexByte(data, 0) >= 0 {
		return nil, &Error{Path: path, Message: "not a configuration: it is a binary file, and not YAML"}
	}
	c, err := Parse(path, data, known)
	if err != nil {
		// A link in a tree of someone else can name any file, and messages quote it.
		if info, lerr := os.Lstat(path); lerr != nil || info.Mode()&fs.ModeSymlink != 0 {
			err = &Error{Path: path, Message: "not a valid configuration; it is a symbolic link, so its contents are not shown"}
		}
		return nil, err
	}
	c.ExcludeDir = filepath.Dir(path)
	for _, name := range []*string{&c.Baseline, &c.SourceRoot} {
		if *name != "" && !filepath.IsAbs(*name) {
			*name = filepath.Join(filepath.Dir(path), *name)
		}
	}
	return c, nil
}

// Error is an error in a configuration.
type Error struct {
	Path         string
	Line, Column int // from 1; 0: the whole file
	Message      string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.Path, e.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.Path, e.Line, e.Column, e.Message)
}

// tooMuch returns the limit that the file exceeds, "" if there is none.
func tooMuch(data []byte) (line int, what string) {
	if len(data) > maxFile {
		return 0, fmt.Sprintf("the file has more than %d bytes", maxFile)
	}
	brackets := 0
	for text := range bytes.Lines(data) {
		line++
		if len(text) > maxLine {
			return line, fmt.Sprintf("the line has more than %d bytes", maxLine)
		}
		if brackets += bytes.Count(text, []byte("[")) + bytes.Count(text, []byte("{")); brackets > maxBrackets {
			return line, fmt.Sprintf("the file has more than %d brackets and braces", maxBrackets)
		}
	}
	return 0, ""
}
