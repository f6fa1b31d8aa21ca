package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/cmd/internal/lintcmd"
	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
)

// measured is set in the environment of the test's binary when it is to run as
// the program and to write the most memory that it has used to file 3.
const measured = "SFRAME_LINT_MEASURED"

// asProgram is set when the test's binary is to be the program.
const asProgram = "SFRAME_LINT_PROGRAM"

func measure() int {
	status := lintcmd.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	text, err := os.ReadFile("/proc/self/status")
	if err == nil {
		_, err = os.NewFile(3, "memory").Write(text)
	}
	if err != nil {
		return 99
	}
	return status
}

var peak = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// bounded runs the program and returns its status, its output and the most memory
// that it used, in bytes: 0 with the race detector, which needs much itself.
func bounded(t *testing.T, args ...string) (status int, stdout, stderr string, memory int64) {
	t.Helper()
	return boundedFrom(t, nil, args...)
}

// boundedFrom does the same with a pipe as standard input.
func boundedFrom(t *testing.T, in io.Reader, args ...string) (status int, stdout, stderr string, memory int64) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the memory of a process is read from /proc of Linux")
	}
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	c := exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), measured+"=1")
	var out, diag bytes.Buffer
	if in != nil {
		c.Stdin = struct{ io.Reader }{in} // no file: the program reads a pipe
	}
	c.Stdout, c.Stderr, c.ExtraFiles = &out, &diag, []*os.File{w}
	err = c.Run()
	w.Close()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	var text bytes.Buffer
	_, err = text.ReadFrom(r)
	require.NoError(t, err)
	m := peak.FindSubmatch(text.Bytes())
	require.NotNil(t, m, "%v %s", args, &diag)
	kb := must.Get(strconv.ParseInt(string(m[1]), 10, 64))(t)
	if raceDetector() {
		kb = 0
	}
	return c.ProcessState.ExitCode(), out.String(), diag.String(), kb << 10
}

func raceDetector() bool {
	info, _ := debug.ReadBuildInfo()
	return slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

// most is the memory that any input may cost, besides twice the bytes of its
// largest section.
const most = budget.PromiseMemory

// image is a linked file to damage.
type image struct {
	*testing.T
	b []byte
}

func program(t *testing.T) *image {
	b := must.Get(os.ReadFile("../../corpus/files/binutils-2.47/amd64/program.elf"))(t)
	return &image{t, b}
}

func (m *image) put(at int64, v any) {
	_, err := binary.Encode(m.b[at:], binary.LittleEndian, v)
	require.NoError(m, err)
}

// header returns the place of the i-th section header.
func (m *image) header(i int) int64 {
	return int64(binary.LittleEndian.Uint64(m.b[elf64.EhdrShoff.Off:])) + int64(i)*elf64.ShdrSize
}

// find returns the first section header of a type.
func (m *image) find(typ uint32) int64 {
	for i := range int(binary.LittleEndian.Uint16(m.b[elf64.EhdrShnum.Off:])) {
		if h := m.header(i); binary.LittleEndian.Uint32(m.b[h+elf64.ShdrType.Off:]) == typ {
			return h
		}
	}
	m.Fatal("no section of type", typ)
	return 0
}

// write writes the file, with a hole at its end.
func (m *image) write(hole int64) string {
	path := filepath.Join(m.TempDir(), "sparse.elf")
	require.NoError(m, os.WriteFile(path, m.b, 0o600))
	require.NoError(m, os.Truncate(path, int64(len(m.b))+hole))
	return path
}

const hole = 20 << 30

// What a file claims in a hole of 20 GB is not read whole, whichever table it is.
func TestSparseTables(t *testing.T) {
	for name, damage := range map[string]func(*image){
		"symbols": func(m *image) { m.put(m.find(2)+elf64.ShdrPlace.Off, [2]uint64{uint64(len(m.b)), hole}) },
		"symbol names": func(m *image) {
			link := binary.LittleEndian.Uint32(m.b[m.find(2)+elf64.ShdrLink.Off:])
			m.put(m.header(int(link))+elf64.ShdrSizeField.Off, uint64(hole))
		},
		"section names": func(m *image) {
			names := binary.LittleEndian.Uint16(m.b[elf64.EhdrShstrndx.Off:])
			m.put(m.header(int(names))+elf64.ShdrSizeField.Off, uint64(hole))
		},
		"section indices": func(m *image) {
			symtab := (m.find(2) - m.header(0)) / elf64.ShdrSize
			h := m.header(2) // .rodata
			m.put(h+elf64.ShdrType.Off, uint32(18))
			m.put(h+elf64.ShdrLink.Off, uint32(symtab))
			m.put(h+elf64.ShdrPlace.Off, [2]uint64{uint64(len(m.b)), hole})
		},
		"section headers": func(m *image) {
			m.put(elf64.EhdrShnum.Off, uint16(0))
			m.put(m.header(0)+elf64.ShdrSizeField.Off, uint64(hole/elf64.ShdrSize))
		},
		"program headers": func(m *image) {
			m.put(elf64.EhdrPhnum.Off, uint16(0xffff))
			m.put(m.header(0)+elf64.ShdrInfo.Off, uint32(hole/elf64.PhdrSize))
		},
	} {
		m := program(t)
		damage(m)
		path := m.write(hole)
		status, stdout, stderr, memory := bounded(t, "--no-config", path)
		assert.Less(t, memory, int64(most), name)
		assert.NotEqual(t, 2, status, "%s: %s", name, stderr)
		for _, command := range [][]string{{"diff", path}, {"link", path}, {"dump"}, {"stat"}, {"consumers"}} {
			status, _, stderr, memory := bounded(t, append(command, path)...)
			assert.Less(t, memory, int64(most), "%s, %s", name, command[0])
			assert.NotEqual(t, 2, status, "%s, %s: %s", name, command[0], stderr)
		}
		if name == "symbols" || name == "section headers" || name == "program headers" {
			assert.Equal(t, 3, status, "%s: %s%s", name, stdout, stderr)
			assert.Contains(t, stdout, "[SF5033]", name)
			assert.Regexp(t, `the (memory|reading) budget is exceeded \(--limit max-(memory|read)=\d+[MG]\)`, stderr, name)
		}
	}
}

// A section of 2 GiB or more is refused before it is read, whatever the limit.
func TestSectionBeyond2GiB(t *testing.T) {
	m := program(t)
	h := m.find(0x6ffffff4)
	m.put(h+elf64.ShdrPlace.Off, [2]uint64{uint64(len(m.b)), 2 << 30})
	status, stdout, _, memory := bounded(t, "--no-config", "--limit", "max-bytes=0", "--select", "SF5031", m.write(hole))
	assert.Equal(t, 1, status)
	assert.Contains(t, stdout, "the SFrame section has 2147483648 bytes, more than the limit of 2147483647: the section was not checked; help: ")
	assert.Less(t, memory, int64(most))
}

func arMember(b *bytes.Buffer, name string, size int, data []byte) {
	fmt.Fprintf(b, "%-16s%-12d%-6d%-6d%-8s%-10d`\n", name, 0, 0, 0, "644", size)
	b.Write(data)
}

// The name that 30,000 members share is held once.
func TestSharedMemberName(t *testing.T) {
	b := bytes.NewBufferString("!<arch>\n")
	name := strings.Repeat("n", 1<<16-2) + "/\n"
	arMember(b, "//", len(name), []byte(name))
	for range 30_000 {
		arMember(b, "/0", 0, nil)
	}
	path := filepath.Join(t.TempDir(), "names.a")
	require.NoError(t, os.WriteFile(path, b.Bytes(), 0o600))
	_, _, _, memory := bounded(t, "--no-config", "-q", path)
	assert.Less(t, memory, int64(most))
}

// The name that all section headers share is read once, and one that is read again and
// again is spent from the reading budget.
func TestSharedSectionName(t *testing.T) {
	for step, status := range map[int]int{0: 1, 1: 3} {
		const n, long = 40_000, 2 << 20
		m := program(t)
		headers := int64(len(m.b))
		m.put(elf64.EhdrShoff.Off, uint64(headers))
		m.put(elf64.EhdrShnum.Off, uint16(0))
		m.put(elf64.EhdrShstrndx.Off, uint16(1))
		m.b = append(m.b, make([]byte, n*elf64.ShdrSize)...)
		m.put(headers+elf64.ShdrSizeField.Off, uint64(n))
		for i := range int64(n) {
			h := headers + i*elf64.ShdrSize
			m.put(h, [2]uint32{uint32(1 + int64(step)*i), 1})
		}
		m.put(headers+elf64.ShdrSize+elf64.ShdrPlace.Off, [2]uint64{uint64(len(m.b)), long})
		m.b = append(m.b, bytes.Repeat([]byte{'n'}, long)...)
		got, _, stderr, memory := bounded(t, "--no-config", "-q", "--limit", "max-read=64M", m.write(0))
		assert.Equal(t, status, got, stderr)
		assert.Less(t, memory, int64(most))
		if status == 3 {
			assert.Contains(t, stderr, "the reading budget is exceeded (--limit max-read=64M)")
		}
	}
}

// A member that a thin archive names 400 times is checked once.
func TestRepeatedMember(t *testing.T) {
	dir := t.TempDir()
	data := program(t).b
	require.NoError(t, os.WriteFile(filepath.Join(dir, "m.o"), data, 0o600))
	b := bytes.NewBufferString("!<thin>\n")
	for range 400 {
		arMember(b, "m.o/", len(data), nil)
	}
	path := filepath.Join(dir, "thin.a")
	require.NoError(t, os.WriteFile(path, b.Bytes(), 0o600))
	_, _, stderr, _ := bounded(t, "--no-config", "--show", "note", path)
	assert.Contains(t, stderr, "1 file, 1 section: ")
}

// A long stream is not held in memory.
func TestLongStream(t *testing.T) {
	path := program(t).write(300 << 20)
	f := must.Get(os.Open(path))(t)
	defer f.Close()
	status, _, stderr, memory := boundedFrom(t, f, "--no-config", "-")
	assert.Zero(t, status, stderr)
	assert.Less(t, memory, int64(most))
}

// 100,000 bad sections of a file are checked up to the budget of memory.
func TestManySections(t *testing.T) {
	if testing.Short() {
		t.Skip("100,000 sections take seconds: run without -short")
	}
	const n = 100_000
	m := program(t)
	headers := int64(len(m.b))
	m.put(elf64.EhdrShoff.Off, uint64(headers))
	m.put(elf64.EhdrShnum.Off, uint16(0))
	m.b = append(m.b, make([]byte, n*elf64.ShdrSize)...)
	m.put(headers+elf64.ShdrSizeField.Off, uint64(n))
	data := functions(1, 0x1000, 3, 1)
	for i := range int64(n - 1) {
		h := headers + (i+1)*elf64.ShdrSize
		m.put(h+elf64.ShdrType.Off, uint32(0x6ffffff4))
		m.put(h+elf64.ShdrPlace.Off, [2]uint64{uint64(len(m.b)), uint64(len(data))})
		m.b = append(m.b, data...)
	}
	for _, args := range [][]string{{"--format", "html"}, {"--consumer", "all"}, {"--fix", "--fix-unsafe"}} {
		path := m.write(0)
		status, stdout, stderr, memory := bounded(t, append(args, "--no-config", path)...)
		assert.Equal(t, 3, status, args)
		assert.Contains(t, stderr, "the memory budget is exceeded (--limit max-memory=28M)", args)
		assert.Less(t, memory, int64(most+budget.PromiseContent*n*elf64.ShdrSize), args)
		assert.Less(t, len(stdout), 16<<20, args)
	}
}

// A comparison counts what it holds, and ends where that is too much.
func TestComparisons(t *testing.T) {
	const n = 100_000
	path := filepath.Join(t.TempDir(), "many.sframe")
	data := functions(n, 0x1000, 0, 0)
	require.NoError(t, os.WriteFile(path, data, 0o600))
	for command, args := range map[string][]string{"diff": {"diff", path, path}, "link": {"link", path, path}} {
		status, stdout, stderr, memory := bounded(t, args...)
		assert.Less(t, memory, int64(most+2*len(data)), command)
		if command == "diff" {
			assert.Zero(t, status, stderr)
			assert.Contains(t, stdout, fmt.Sprintf("agree on %d functions", n))
		}
		status, stdout, stderr, _ = bounded(t, append(args, "--limit", "max-memory=1M")...)
		assert.Equal(t, 3, status, command)
		assert.NotContains(t, stdout, strconv.Itoa(n), command) // link reports on the file that it could read
		assert.Contains(t, stderr, "the memory budget is exceeded (--limit max-memory=1M)", command)
	}
}

// Memory that the system refuses does not end in status 2, which means a wrong command
// line.
func TestMemoryRefused(t *testing.T) {
	if runtime.GOOS != "linux" || raceDetector() {
		t.Skip("needs a limit of address space: Linux, and no race detector")
	}
	path := filepath.Join(t.TempDir(), "large.sframe")
	require.NoError(t, os.WriteFile(path, functions(1, 0x1000, 0, 0), 0o600))
	require.NoError(t, os.Truncate(path, 1<<31-1))
	c := exec.Command("sh", "-c", `ulimit -c 0; ulimit -v 2500000; exec "$@"`, "sh", os.Args[0], "--no-config", "--limit", "max-bytes=0", path)
	c.Env = append(os.Environ(), asProgram+"=1")
	out, err := c.CombinedOutput()
	out = out[:min(len(out), 200)]
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit, "%s", out)
	assert.Equal(t, syscall.SIGABRT, exit.Sys().(syscall.WaitStatus).Signal(), "%s", out)
}
