package shard_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/internal/tool/shard"
)

// runEnv makes a process a run over the files of a directory.
const runEnv = "SHARD_TEST_RUN"

func TestMain(m *testing.M) {
	if path, _, ok := shard.Working(); ok {
		debug.SetTraceback("crash") // as the programs do: a panic does not end in the exit status of usage
		os.Exit(work(path))
	}
	if dir := os.Getenv(runEnv); dir != "" {
		_, err := shard.Run(context.Background(), options(dir))
		fmt.Println(err)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// work does what the name of a unit says.
func work(path string) int {
	log, err := os.OpenFile(filepath.Join(filepath.Dir(path), "..", "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return 3
	}
	fmt.Fprintln(log, filepath.Base(path))
	fmt.Println(`{"input":{}}`)
	switch name := filepath.Base(path); {
	case strings.HasPrefix(name, "crash"):
		fmt.Fprintln(os.Stderr, "about to crash")
		panic("crash")
	case strings.HasPrefix(name, "hang"):
		select {}
	case strings.HasPrefix(name, "slow"):
		time.Sleep(20 * time.Millisecond)
	case strings.HasPrefix(name, "memory"):
		b := make([]byte, 16<<30)
		fmt.Println(len(b))
	case strings.HasPrefix(name, "half"):
		return 0
	case strings.HasPrefix(name, "usage"):
		fmt.Fprintln(os.Stderr, "no such flag")
		return 2
	case strings.HasPrefix(name, "leaves"):
		c := exec.Command("sleep", "3")
		c.Stderr = os.Stderr
		if c.Start() != nil {
			return 3
		}
		fmt.Println(`{"summary":{}}`)
		return 0
	case strings.HasPrefix(name, "grows"):
		_ = os.WriteFile(path, []byte("other bytes"), 0o666)
	case strings.HasPrefix(name, "once"):
		if marker := filepath.Join(filepath.Dir(path), "..", "marker"); os.Mkdir(marker, 0o777) == nil {
			return 1<<7 | 9
		}
	}
	fmt.Println(`{"summary":{}}`)
	return 1
}

// inputs makes files with these names in a directory.
func inputs(t *testing.T, names ...string) string {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "in"), 0o777))
	for _, name := range names {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "in", name), []byte(name), 0o666))
	}
	return dir
}

// options are those of a run over inputs.
func options(dir string) shard.Options {
	o := shard.Options{
		Dir: filepath.Join(dir, "out"), Setup: "setup", Timeout: time.Minute, Jobs: 2,
		Worker: shard.Worker{Path: os.Args[0], Args: os.Args[:1], Usage: 2, Done: []int{1, 3},
			Whole: func(last []byte) bool { return string(last) == `{"summary":{}}` }},
	}
	names, _ := filepath.Glob(filepath.Join(dir, "in", "*"))
	for _, name := range names {
		o.Units = append(o.Units, shard.Unit{Path: name, Size: 1})
	}
	return o
}

// started returns how often a worker was started for each unit since the last call.
func started(t *testing.T, dir string) map[string]int {
	n := map[string]int{}
	b, err := os.ReadFile(filepath.Join(dir, "log"))
	if !os.IsNotExist(err) {
		require.NoError(t, err)
	}
	for name := range strings.FieldsSeq(string(b)) {
		n[name]++
	}
	_ = os.Remove(filepath.Join(dir, "log"))
	return n
}

func failed(t *testing.T, o *shard.Options) map[string]string {
	out := map[string]string{}
	for i := range o.Units {
		r, err := shard.Open(o.Dir, &o.Units[i])
		require.NoError(t, err, o.Units[i].Path)
		if r.Failed != "" {
			out[filepath.Base(r.Path)] = r.Failed
		}
		require.NoError(t, r.Close())
	}
	return out
}

// TestStandardErrorStaysOpen takes the result of a worker whose standard error could not be read to its end in time: another
// process has it open, or the machine stood still. It ended the run.
func TestStandardErrorStaysOpen(t *testing.T) {
	if _, err := exec.LookPath("sleep"); err != nil {
		t.Skip(err)
	}
	o := options(inputs(t, "leaves", "a"))
	_, err := shard.Run(t.Context(), o)
	require.NoError(t, err)
	assert.Empty(t, failed(t, &o))
}

func TestManifest(t *testing.T) {
	units := must.Get(shard.ReadManifest(strings.NewReader("a.deb\t12\n\nb c.deb\n./a.deb\t13\nx\ty\t5\n")))(t)
	assert.Equal(t, []shard.Unit{{Path: "a.deb", Size: 12}, {Path: "b c.deb"}, {Path: "x\ty", Size: 5}}, units)
	for _, wrong := range []string{"", "\n", "a\tb\n", "a\t-1\n", "a\t99999999999999999999\n", strings.Repeat("a", 1<<17)} {
		_, err := shard.ReadManifest(strings.NewReader(wrong))
		assert.Error(t, err)
	}
	for wrong, want := range map[string]string{"a\n\nb\x00c\n": "line 3: it has a NUL byte", "\ufeffa\n": "line 1: it begins with a byte order mark", "a\n\x7fELF": "line 2: it is an ELF file"} {
		_, err := shard.ReadManifest(strings.NewReader(wrong))
		assert.ErrorContains(t, err, want)
	}
	for _, wrong := range []string{"", "1", "1/1", "-1/2", "a/b", "0/0", "0/2/3", "0/1000000000"} {
		_, err := shard.ParsePart(wrong)
		assert.Error(t, err, wrong)
	}
}

// TestSlice: the parts of a list have each unit once, whatever the order of its lines, and about as many bytes.
func TestSlice(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var units []shard.Unit
	for i := range 1000 {
		units = append(units, shard.Unit{Path: fmt.Sprint(i), Size: int64(1) << r.IntN(24)})
	}
	other := slices.Clone(units)
	r.Shuffle(len(other), func(i, k int) { other[i], other[k] = other[k], other[i] })
	var all []shard.Unit
	var least, most int64 = 1 << 62, 0
	for i := range 7 {
		part := shard.Part{Index: i, Of: 7}.Slice(units)
		assert.Equal(t, part, shard.Part{Index: i, Of: 7}.Slice(other))
		all = append(all, part...)
		var sum int64
		for _, u := range part {
			sum += u.Size
		}
		least, most = min(least, sum), max(most, sum)
	}
	assert.ElementsMatch(t, units, all)
	assert.LessOrEqual(t, most-least, int64(1)<<20)
}

func TestDigest(t *testing.T) {
	dir := inputs(t, "a", "b")
	in := filepath.Join(dir, "in")
	a, n := shard.Digest(filepath.Join(in, "a"))
	assert.EqualValues(t, 1, n)
	b, _ := shard.Digest(filepath.Join(in, "b"))
	all, n := shard.Digest(in)
	assert.EqualValues(t, 2, n)
	assert.NotEqual(t, a, b)
	require.NoError(t, os.Rename(filepath.Join(in, "b"), filepath.Join(in, "c")))
	renamed, _ := shard.Digest(in)
	assert.NotEqual(t, all, renamed)
	require.NoError(t, os.WriteFile(filepath.Join(in, "a"), []byte("!<thin>\nmore"), 0o666))
	for _, path := range []string{filepath.Join(in, "a"), in, filepath.Join(in, "none")} {
		sum, _ := shard.Digest(path)
		assert.Empty(t, sum, path)
	}
}

// TestDigestFollowsLinks: a unit that is a link to a directory has the digest of what it leads to, and what links in a
// directory lead to counts.
func TestDigestFollowsLinks(t *testing.T) {
	dir := inputs(t, "a")
	in, link := filepath.Join(dir, "in"), filepath.Join(dir, "link")
	if err := os.Symlink("in", link); err != nil {
		t.Skip(err)
	}
	var sums []string
	sum := func() {
		direct, n := shard.Digest(in)
		linked, m := shard.Digest(link)
		assert.Equal(t, direct, linked)
		assert.Equal(t, n, m)
		assert.NotContains(t, sums, linked)
		sums = append(sums, linked)
	}
	sum()
	require.NoError(t, os.WriteFile(filepath.Join(in, "a"), []byte("b"), 0o666))
	sum()
	for _, to := range []string{"a", "b"} {
		_ = os.Remove(filepath.Join(in, "to"))
		require.NoError(t, os.Symlink(to, filepath.Join(in, "to")))
		sum()
	}
}

// TestTwice: two runs of the same part at the same time do no harm, whichever is first with a unit.
func TestTwice(t *testing.T) {
	var names []string
	for i := range 60 {
		names = append(names, fmt.Sprintf("at-once%02d", i))
	}
	o := options(inputs(t, names...))
	o.Jobs = 4
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			s, err := shard.Run(t.Context(), o)
			assert.NoError(t, err)
			assert.Equal(t, len(names), s.Done)
		})
	}
	wg.Wait()
	assert.Empty(t, failed(t, &o))
	onlyResults(t, &o)
}

// onlyResults checks that a run has left nothing but results.
func onlyResults(t *testing.T, o *shard.Options) {
	var left, want []string
	for i := range o.Units {
		want = append(want, o.Units[i].ID()+".jsonl")
	}
	require.NoError(t, filepath.WalkDir(filepath.Join(o.Dir, "units"), func(_ string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			left = append(left, d.Name())
		}
		return err
	}))
	assert.ElementsMatch(t, want, left)
}

// TestTidy: a run removes what others have left, also of a unit that has its result, and whatever the directory is called.
func TestTidy(t *testing.T) {
	dir := inputs(t, "a", "b")
	o := options(dir)
	o.Dir = filepath.Join(dir, "out[1]*?")
	leave := func(u *shard.Unit) {
		folder := filepath.Join(o.Dir, "units", u.ID()[:2])
		require.NoError(t, os.MkdirAll(folder, 0o777))
		for _, name := range []string{u.ID() + ".123.tmp", u.ID() + ".tries"} {
			require.NoError(t, os.WriteFile(filepath.Join(folder, name), nil, 0o666))
		}
	}
	for range 2 { // the second time, there are results
		leave(&o.Units[0])
		_, err := shard.Run(t.Context(), o)
		require.NoError(t, err)
		onlyResults(t, &o)
	}
	assert.Equal(t, map[string]int{"a": 1, "b": 1}, started(t, dir))
}

// TestRun: what is there is not made again, whatever is changed is, and what fails three times is given up.
func TestRun(t *testing.T) {
	dir := inputs(t, "a", "b", "crash", "half", "once")
	o := options(dir)
	run := func(change func(o *shard.Options)) shard.Status {
		o := o
		if change != nil {
			change(&o)
		}
		s := must.Get(shard.Run(t.Context(), o))(t)
		assert.Equal(t, 5, s.Done)
		return s
	}
	s := run(nil)
	assert.Equal(t, map[string]int{"a": 1, "b": 1, "crash": 3, "half": 3, "once": 2}, started(t, dir))
	assert.Equal(t, 2, s.Failed)
	why := failed(t, &o)
	assert.Equal(t, "the worker ended without a result: ", why["half"])
	assert.Contains(t, why["crash"], ": about to crash")
	assert.Len(t, why, 2)

	assert.Equal(t, 5, run(nil).Reused)
	assert.Empty(t, started(t, dir))

	require.NoError(t, os.WriteFile(filepath.Join(dir, "in", "a"), []byte("other"), 0o666))
	assert.Equal(t, 4, run(nil).Reused)
	assert.Equal(t, map[string]int{"a": 1}, started(t, dir))

	run(func(o *shard.Options) { o.Timeout++ }) // other limits: what was given up gets another chance
	assert.Equal(t, map[string]int{"crash": 3, "half": 3}, started(t, dir))

	run(func(o *shard.Options) { o.Setup = "another" })
	assert.Equal(t, map[string]int{"a": 1, "b": 1, "crash": 3, "half": 3, "once": 1}, started(t, dir))

	// Results of an earlier run in another directory serve as well.
	s = run(func(o *shard.Options) { o.Setup, o.Reuse, o.Dir = "another", o.Dir, filepath.Join(dir, "new") })
	assert.Equal(t, 5, s.Reused)
	assert.Empty(t, started(t, dir))

	// A result that was cut is none.
	name := must.Get(filepath.Glob(filepath.Join(o.Dir, "units", "*", o.Units[1].ID()+".jsonl")))(t)
	whole := must.Get(os.ReadFile(name[0]))(t)
	require.NoError(t, os.WriteFile(name[0], whole[:len(whole)-1], 0o666))
	run(func(o *shard.Options) { o.Setup = "another" })
	assert.Equal(t, map[string]int{"b": 1}, started(t, dir))
}

// TestLimits: a worker that takes too long or too much memory is ended, and the others are not.
func TestLimits(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the memory of processes is bounded on Linux alone")
	}
	dir := inputs(t, "a", "memory")
	o := options(dir)
	o.Memory = 4 << 30
	_, err := shard.Run(t.Context(), o)
	require.NoError(t, err)
	assert.Equal(t, map[string]int{"a": 1, "memory": 3}, started(t, dir))
	assert.Equal(t, []string{"memory"}, slices.Sorted(maps.Keys(failed(t, &o))))

	dir = inputs(t, "hang")
	o = options(dir)
	o.Timeout = 300 * time.Millisecond
	_, err = shard.Run(t.Context(), o)
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"hang": "it took longer than 300ms"}, failed(t, &o))
}

// TestChanged: a file that is changed while it is checked is checked again.
func TestChanged(t *testing.T) {
	dir := inputs(t, "grows")
	o := options(dir)
	_, err := shard.Run(t.Context(), o)
	require.NoError(t, err)
	assert.GreaterOrEqual(t, started(t, dir)["grows"], 2)
}

// TestUsage: a worker that refuses the command line ends the run.
func TestUsage(t *testing.T) {
	_, err := shard.Run(t.Context(), options(inputs(t, "usage")))
	assert.EqualError(t, err, "no such flag")
}

// TestLost: a unit during which the run itself ended ten times is given up.
func TestLost(t *testing.T) {
	dir := inputs(t, "a")
	o := options(dir)
	u := &o.Units[0]
	sum, _ := shard.Digest(u.Path)
	name := filepath.Join(o.Dir, "units", u.ID()[:2], u.ID()+".tries")
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
	line := fmt.Sprintf("{\"sha256\":%q,\"setup\":\"setup\",\"limits\":\"1m0s, 0 bytes\"}\n", sum)
	require.NoError(t, os.WriteFile(name, bytes.Repeat([]byte(line), 9), 0o666))
	_, err := shard.Run(t.Context(), o)
	require.NoError(t, err)
	assert.Empty(t, failed(t, &o))
	require.NoError(t, os.Remove(filepath.Join(o.Dir, "units", u.ID()[:2], u.ID()+".jsonl")))
	require.NoError(t, os.WriteFile(name, bytes.Repeat([]byte(line), 10), 0o666))
	_, err = shard.Run(t.Context(), o)
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"a": "the run ended 10 times while the unit was checked"}, failed(t, &o))
}

// TestKilled: a run that is killed twenty times loses nothing, makes nothing twice that was whole, and leaves nothing behind.
func TestKilled(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("workers end with their parent on Linux alone")
	}
	var names []string
	for i := range 200 {
		names = append(names, fmt.Sprintf("slow%03d", i))
	}
	dir := inputs(t, names...)
	o := options(dir)
	results := func() int {
		made := must.Get(filepath.Glob(filepath.Join(o.Dir, "units", "*", "*.jsonl")))(t)
		return len(made)
	}
	for i := range 20 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), runEnv+"="+dir)
		require.NoError(t, cmd.Start())
		// On a slow machine, a kill after a fixed time would end the same unit ten times, which then would be given up.
		for enough := results() + 2 + i%4; results() < enough; {
			time.Sleep(5 * time.Millisecond)
		}
		require.NoError(t, cmd.Process.Signal(syscall.SIGKILL))
		_ = cmd.Wait()
	}
	s := must.Get(shard.Run(t.Context(), o))(t)
	assert.Equal(t, len(names), s.Done)
	assert.Empty(t, failed(t, &o))
	n := started(t, dir)
	assert.Len(t, n, len(names))
	total := 0
	for _, k := range n {
		total += k
	}
	assert.LessOrEqual(t, total, len(names)+20*o.Jobs) // those that were under way at a kill
	onlyResults(t, &o)
}

// TestLostLine: a result that lost or changed a line is none, and neither is what is not a regular file.
func TestLostLine(t *testing.T) {
	dir := inputs(t, "a")
	o := options(dir)
	_, err := shard.Run(t.Context(), o)
	require.NoError(t, err)
	names := must.Get(filepath.Glob(filepath.Join(o.Dir, "units", "*", "*.jsonl")))(t)
	whole, err := os.ReadFile(names[0])
	require.NoError(t, err)
	lines := bytes.SplitAfter(bytes.TrimSuffix(whole, []byte("\n")), []byte("\n"))
	require.GreaterOrEqual(t, len(lines), 3)
	for _, bad := range [][]byte{
		append(slices.Clone(lines[0]), append(lines[len(lines)-1], '\n')...),
		bytes.Replace(whole, []byte(`"setup"`), []byte(`"SETUP"`), 1),
	} {
		require.NoError(t, os.WriteFile(names[0], bad, 0o666))
		_, err = shard.Open(o.Dir, &o.Units[0])
		assert.ErrorIs(t, err, os.ErrNotExist)
	}
	require.NoError(t, os.Remove(names[0]))
	require.NoError(t, os.Mkdir(names[0], 0o777))
	_, err = shard.Open(o.Dir, &o.Units[0])
	assert.Error(t, err)

	// A list and a setup that are no regular files are errors, and no reason to wait.
	for _, name := range []string{"manifest", "setup.json"} {
		require.NoError(t, shard.Save(o.Dir, []byte("a\n"), "setup"))
		require.NoError(t, os.Remove(filepath.Join(o.Dir, name)))
		if exec.Command("mkfifo", filepath.Join(o.Dir, name)).Run() != nil {
			t.Skip("there is no mkfifo")
		}
		_, err = shard.Load(o.Dir, new(any))
		assert.ErrorContains(t, err, "not a regular file")
		require.NoError(t, os.Remove(filepath.Join(o.Dir, name)))
	}
}
