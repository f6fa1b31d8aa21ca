package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
)

var (
	lines = flag.Int("lines", 12, "run the commands of this `NUMBER` of finds")
	seed  = flag.Uint64("seed", 29, "`SEED` of the choice")
)

// TestLines runs the commands of finds that docs/found.md gives, drawn at random, and holds what they print against the row.
func TestLines(t *testing.T) {
	bin := toolchain.Bin(t)
	failed, n, err := replayLines("../..", filepath.Dir(bin), *lines, *seed)
	require.NoError(t, err)
	assert.Equal(t, *lines, n)
	assert.Empty(t, failed)
}

// TestRows makes the commands of finds, and sees output of another kind or place.
func TestRows(t *testing.T) {
	all := rows(&corpus.Consumers{
		Targets: []corpus.ConsumerTarget{{Name: "a-1", Command: "a @@"}, {Name: "b-2", Command: "b @@"}, {Name: "c", Command: "c=tree"}},
		Finds: []corpus.ConsumerFind{
			{Kind: "crash", Key: "k|m", Target: "a-1", File: "x.elf"}, {Kind: "disagree", Key: "l", Target: "a-1", With: "b-2", File: "y.elf"},
			{Kind: "silent", Key: "SF1012", Target: "c", File: "z.sframe"}, {Kind: "quadratic", Target: "a-1", File: "q.json"},
		},
	}, corpus.Replays{"x.elf": {Varies: []string{"a-1"}}})
	assert.Equal(t, []find{
		{"crash", "k|m", "sframe-fuzz run --target 'a @@' consumers/x.elf", true},
		{"disagree", "l", "sframe-fuzz run --target 'a-1=a @@' --target 'b-2=b @@' consumers/y.elf", false},
		{"silent", "SF1012", "sframe-fuzz run --library c=tree consumers/z.sframe", false},
	}, all)
	x := find{kind: "crash", key: "SIGSEGV at a.so f+0x1"}
	assert.True(t, shows([]byte("x.elf: p: crash: SIGSEGV at a.so f+0x1\n"), x))
	assert.False(t, shows([]byte("x.elf: p: crash: SIGSEGV at b.so f+0x1\n"), x))
	assert.False(t, shows([]byte("x.elf: p: accepts\n"), x))
}

// find is a find of a campaign, and the command that docs/found.md gives for it.
type find struct {
	kind, key, command string
	varies             bool // the program does not always fail at the place
}

// mostRuns is how often the command of a row that varies is run.
const mostRuns = 10

// rows returns the finds whose commands run targets. A series, which takes its time, is not one.
func rows(c *corpus.Consumers, replays corpus.Replays) (all []find) {
	for _, f := range c.Finds {
		if filepath.Ext(f.File) == ".json" {
			continue
		}
		line := "sframe-fuzz run"
		for _, t := range c.Targets {
			switch {
			case t.Name != f.Target && t.Name != f.With:
			case !strings.Contains(t.Command, "@@"):
				line += " --library " + t.Command
			case f.With != "": // names keep targets apart
				line += fmt.Sprintf(" --target '%s=%s'", t.Name, t.Command)
			default:
				line += fmt.Sprintf(" --target '%s'", t.Command)
			}
		}
		r := replays[f.File]
		all = append(all, find{f.Kind, f.Key, line + " " + path.Join(corpus.ConsumersDir, f.File), r != nil && slices.Contains(r.Varies, f.Target)})
	}
	return all
}

// ours are the names of what commands refer to, beside the tools: what they are in a directory of tools, or the variable that
// names a source tree.
var ours = map[string]string{"libsframe.so.3": "sid/usr/lib/x86_64-linux-gnu/libsframe.so.3", "tree": "SFRAME_BINUTILS", "linuxsf": "SFRAME_LINUX", "glibctree": "SFRAME_GLIBC"}

// replayLines runs the commands of n rows, drawn at random, as a reader of the page does, in a directory with the inputs. A
// row whose place varies has several runs to show it.
// It returns what does not show its row, and how many commands were run: those of trees that are not at hand are not.
func replayLines(root, tools string, n int, seed uint64) (failed []string, ran int, err error) {
	c, err := corpus.LoadConsumers(filepath.Join(root, "corpus"))
	if err != nil {
		return nil, 0, err
	}
	replays, err := corpus.LoadReplays(filepath.Join(root, "corpus"))
	if err != nil {
		return nil, 0, err
	}
	if root, err = filepath.Abs(root); err != nil {
		return nil, 0, err
	}
	dir, err := os.MkdirTemp("", "replay-")
	if err != nil {
		return nil, 0, err
	}
	defer os.RemoveAll(dir)
	inputs := filepath.Join(dir, corpus.ConsumersDir)
	if err := errors.Join(os.Mkdir(inputs, 0o777), corpus.UnpackConsumers(filepath.Join(root, "corpus"), inputs)); err != nil {
		return nil, 0, err
	}
	missing := []string{}
	for name, from := range ours {
		path := filepath.Join(tools, from)
		if strings.HasPrefix(from, "SFRAME_") {
			path = os.Getenv(from)
		}
		if path == "" || os.Symlink(path, filepath.Join(dir, name)) != nil {
			missing = append(missing, "="+name+" ")
		}
	}
	fuzz := filepath.Join(dir, "sframe-fuzz")
	build := exec.Command("go", "build", "-o", fuzz, "./cmd/sframe-fuzz")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return nil, 0, fmt.Errorf("%w: %s", err, out)
	}
	all := rows(c, replays)
	for _, i := range rand.New(rand.NewPCG(seed, 0)).Perm(len(all)) {
		x := all[i]
		if ran == n {
			break
		}
		if containsAny(x.command, missing) {
			continue
		}
		ran++
		var out []byte
		for run := 0; run == 0 || x.varies && run < mostRuns && !shows(out, x); run++ {
			c := exec.Command("sh", "-c", x.command)
			c.Dir, c.Env = dir, append(os.Environ(), "PATH="+dir+":"+filepath.Join(tools, "bin")+":"+os.Getenv("PATH"))
			out, _ = c.CombinedOutput() // the status says only whether a target fails
		}
		if !shows(out, x) {
			failed = append(failed, fmt.Sprintf("%s %s\n  %s\n  prints: %s", x.kind, x.key, x.command, bytes.TrimSpace(out)))
		}
	}
	return failed, ran, nil
}

// shows reports whether the output of a command has the kind and the key of its row.
func shows(out []byte, x find) bool {
	text := string(out)
	if x.kind == "disagree" { // its line has the difference instead of the key
		return strings.Contains(text, ": disagree")
	}
	return strings.Contains(text, ": "+x.kind+": "+x.key)
}

func containsAny(text string, parts []string) bool {
	for _, p := range parts {
		if strings.Contains(text, p) {
			return true
		}
	}
	return false
}
