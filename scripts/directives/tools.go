package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// tools are an assembler and a linker for one ABI.
type tools struct {
	as, ld string
	dir    string
}

// machines are the names of the ABIs in the names of tools, by the folder of a source.
var machines = map[string]string{"amd64": "x86_64", "aarch64": "aarch64", "s390x": "s390x"}

// toolsFor returns the tools for a source, by a folder in its path.
func toolsFor(path string, o *options) (*tools, error) {
	for part := range strings.SplitSeq(filepath.ToSlash(path), "/") {
		if m := machines[part]; m != "" {
			bin := filepath.Join(o.tools, "bin", "sid-"+m)
			return &tools{as: bin + "-as", ld: bin + "-ld", dir: o.work}, nil
		}
	}
	return nil, fmt.Errorf("%s: no folder of the path names an ABI", path)
}

// errCrash says that an assembler fails without the number of a line.
var errCrash = errors.New("the assembler fails")

// rejected are lines that an assembler does not accept.
type rejected []int

func (r rejected) Error() string { return fmt.Sprintf("the assembler rejects %d lines", len(r)) }

var lineError = regexp.MustCompile(`(?m)^[^:]+:(\d+): (?:Error|Fatal error): `)

// assemble assembles lines, and returns the path of the object.
func (t *tools) assemble(name string, lines []string) (string, error) {
	in, out := filepath.Join(t.dir, name+".s"), filepath.Join(t.dir, name+".o")
	if err := os.WriteFile(in, []byte(strings.Join(lines, "\n")), 0o666); err != nil {
		return "", err
	}
	var said bytes.Buffer
	c := exec.Command(t.as, "--gsframe", "-o", out, in)
	c.Stderr = &said
	if err := c.Run(); err != nil {
		var all rejected
		for _, m := range lineError.FindAllSubmatch(said.Bytes(), -1) {
			n, _ := strconv.Atoi(string(m[1]))
			all = append(all, n-1)
		}
		if len(all) > 0 {
			return "", all
		}
		return "", fmt.Errorf("%s: %w: %s", t.as, errCrash, firstLine(strings.ReplaceAll(said.String(), "Assembler messages:\n", "")))
	}
	return out, nil
}

// link makes a shared library of an object, and returns its contents.
func (t *tools) link(object string) ([]byte, error) {
	out := strings.TrimSuffix(object, ".o") + ".so"
	var said bytes.Buffer
	c := exec.Command(t.ld, "-shared", "-z", "notext", "--eh-frame-hdr", "-o", out, object)
	c.Stderr = &said
	if err := c.Run(); err != nil {
		return nil, errors.New(t.ld + ": " + firstLine(said.String()))
	}
	return os.ReadFile(out)
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}
