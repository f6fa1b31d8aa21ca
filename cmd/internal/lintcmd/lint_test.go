package lintcmd

import (
	"bytes"
	"errors"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/tool/program"
)

const corpus = "../../../corpus/files/"

// TestMain lifts the limit of memory that a run sets: thousands of runs in one process leave more
// than that, and the collector would take half of the time.
func TestMain(m *testing.M) {
	os.Setenv("GOMEMLIMIT", "off")
	os.Exit(m.Run())
}

func runMain(stdin io.Reader, args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = Main(args, stdin, &out, &errs)
	return status, out.String(), errs.String()
}

// A file on standard input is read where it lies, whatever has been read of
// it before.
func TestStdinIsFile(t *testing.T) {
	f, err := os.Open(corpus + "hand/v3-amd64-bad-version.sframe")
	require.NoError(t, err)
	defer f.Close()
	_, err = f.Seek(7, io.SeekStart)
	require.NoError(t, err)
	status, out, _ := runMain(f, "-q", "--select", "SF1003", "-")
	assert.Equal(t, program.ExitFindings, status)
	assert.True(t, strings.HasPrefix(out, "<stdin>: .sframe+0x2 (file 0x2): error: "), out)
}

func TestStdinFails(t *testing.T) {
	status, out, errs := runMain(io.MultiReader(strings.NewReader("\x7fELF"), broken{}), "-")
	assert.Equal(t, program.ExitFailed, status)
	assert.Empty(t, out)
	assert.Contains(t, errs, "sframe-lint: <stdin>: the line is dead\n")
}

// A command that waits for standard input ends when it is interrupted.
func TestInterrupted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("on Windows a process can't interrupt itself")
	}
	for _, args := range [][]string{{"dump", "-"}, {"--no-config", "-"}} {
		in := &endless{t: t, until: make(chan struct{})}
		status, out, errs := runMain(in, args...)
		close(in.until)
		assert.Equal(t, program.ExitFailed, status, args)
		assert.Empty(t, out, args)
		assert.Contains(t, errs, "interrupted", args)
	}
}

// endless is a pipe that nobody writes to. It interrupts its reader.
type endless struct {
	t     *testing.T
	until chan struct{}
}

func (e *endless) Read([]byte) (int, error) {
	self, err := os.FindProcess(os.Getpid())
	require.NoError(e.t, err)
	require.NoError(e.t, self.Signal(os.Interrupt))
	<-e.until
	return 0, io.EOF
}

type broken struct{}

func (broken) Read([]byte) (int, error)  { return 0, errors.New("the line is dead") }
func (broken) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// A report that could not be written must not look like a clean one.
func TestOutputFails(t *testing.T) {
	for _, args := range [][]string{
		{"--fail-on", "never", "--select", "SF1003", corpus + "hand/v3-amd64-bad-version.sframe"},
		{"--format", "json", "--select", "SF1003", corpus + "hand/v3-amd64.sframe"},
		{"--format", "sarif", "--select", "SF1003", corpus + "hand/v3-amd64.sframe", corpus + "mold-3"},
		{"--diff", "--select", "SF5010", corpus + "binutils-2.47/amd64/program.elf"},
		{"dump", corpus + "hand/v3-amd64.sframe"},
		{"dump", "--format", "objdump", corpus + "hand/v3-amd64.sframe"},
		{"dump", "--format", "json", corpus + "hand/v3-amd64.sframe"},
		{"diff", corpus + "hand/v3-amd64.sframe", corpus + "hand/v3-amd64.sframe"},
		{"diff", "--format", "json", corpus + "hand/v3-amd64.sframe", corpus + "hand/v3-amd64.sframe"},
		{"link", corpus + "binutils-2.47/amd64/one.elf", corpus + "binutils-2.47/amd64/frames.o"},
		{"coverage", corpus + "binutils-2.47/amd64/one.elf"}, {"coverage", "--format", "json", corpus + "binutils-2.47/amd64/one.elf"},
		{"stat", corpus + "hand/v3-amd64.sframe"}, {"stat", "--format", "json", corpus + "hand/v3-amd64.sframe"},
		{"consumers"}, {"consumers", corpus + "hand/v3-amd64.sframe"},
		{"--format", "html", "--select", "SF1003", corpus + "hand/v3-amd64.sframe"},
		{"rules"}, {"rules", "--format", "json"}, {"explain", "SF1003"}, {"--version"},
	} {
		var errs bytes.Buffer
		assert.Equal(t, program.ExitFailed, Main(args, nil, broken{}, &errs), args)
		assert.Equal(t, "sframe-lint: no space left\n", errs.String(), args)
	}
}

// Workers and the walk must not wait for a reader who has gone.
func TestOutputFailsEarly(t *testing.T) {
	var errs bytes.Buffer
	done := make(chan int)
	go func() {
		done <- Main([]string{"-j", "3", "--select", "SF1", corpus}, nil, broken{}, &errs)
	}()
	select {
	case status := <-done:
		assert.Equal(t, program.ExitFailed, status)
	case <-time.After(time.Minute):
		t.Fatal("still running")
	}
}

func TestProgress(t *testing.T) {
	var b bytes.Buffer
	a := app{progress: program.Progress{W: &b}}
	a.progress.Clear()
	a.showProgress(0, "a\x1b.o")
	a.showProgress(7, "a\x1b.o")
	a.progress.Clear()
	a.progress.Clear()
	assert.Equal(t, "0 done, now a\\x1b.o\r\x1b[K7 done, now a\\x1b.o\r\x1b[K", b.String())
}

func TestColour(t *testing.T) {
	for _, name := range []string{"NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"} {
		t.Setenv(name, "")
	}
	a := &app{color: "auto"}
	assert.False(t, a.useColor(io.Discard))
	t.Setenv("CLICOLOR_FORCE", "1")
	assert.True(t, a.useColor(io.Discard))
	t.Setenv("CLICOLOR", "0")
	assert.True(t, a.useColor(io.Discard), "force is stronger")
	t.Setenv("NO_COLOR", "1")
	assert.False(t, a.useColor(io.Discard))
	a.color = "always"
	assert.True(t, a.useColor(io.Discard), "the flag is stronger")
	a.color = "never"
	t.Setenv("NO_COLOR", "")
	assert.False(t, a.useColor(io.Discard))
}
