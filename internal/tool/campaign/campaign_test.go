//go:build unix

package campaign

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/internal/base/regular"
)

// fake is a target whose verdict depends on the size of the file alone.
const fake = `n=$(wc -c <"$1")
case $((n % 11)) in
0) kill -SEGV $$ ;;
1) echo "fake: src/fake.c:12: f: Assertion 'n > $n' failed." >&2; kill -ABRT $$ ;;
2) echo "fake: $1: error: bad section at 0x$n" >&2; exit 1 ;;
3) echo "warning: odd" ;;
esac
`

// campaignEnv makes the test binary run a campaign; its value are the options.
const campaignEnv = "SFRAME_TEST_CAMPAIGN"

func TestMain(m *testing.M) {
	if name := filepath.Base(os.Args[0]); strings.HasSuffix(name, "-objdump") {
		fakeObjdump(strings.TrimSuffix(name, "-objdump"), os.Args[len(os.Args)-1])
		os.Exit(0)
	}
	if dir := os.Getenv(campaignEnv); dir != "" {
		if _, err := Run(context.Background(), fakeOptions(dir, filepath.Join(filepath.Dir(dir), "fake.sh"), 0, 1)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func script(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o700))
	return path
}

func newTarget(t *testing.T, line string) *Target {
	t.Helper()
	target, err := NewTarget(line, Limits{Timeout: 10 * time.Second})
	require.NoError(t, err)
	return target
}

func fakeOptions(dir, path string, shard, shards int) Setup {
	t, err := NewTarget("fake=sh "+path+" @@", Limits{Timeout: 10 * time.Second})
	if err != nil {
		panic(err)
	}
	return Setup{Dir: dir, Targets: []*Target{t}, Seed: 7, Count: 3*batchSize - 5, Jobs: 2, Shard: shard, Shards: shards}
}

// state is what a campaign has found, without times.
type state struct {
	Inputs  map[Class]int
	Runs    map[string]tally
	Breaks  map[string]map[string]tally
	Batches []int64
	Hits    map[string]hit
	Finds   []string
}

func journalOf(t *testing.T, dir string) *journal {
	t.Helper()
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	j, err := loadJournal(root)
	require.NoError(t, err)
	return j
}

func stateOf(t *testing.T, dir string) state {
	t.Helper()
	j := journalOf(t, dir)
	s := state{Inputs: j.total.Inputs, Runs: j.total.Runs, Breaks: j.total.Breaks, Batches: slices.Sorted(maps.Keys(j.done)), Hits: map[string]hit{}}
	for _, h := range j.hits() {
		s.Hits[h.ID()] = *h
	}
	assert.Len(t, j.batches, len(s.Batches), "a batch is written twice")
	entries, err := os.ReadDir(filepath.Join(dir, findsName))
	require.NoError(t, err)
	for _, e := range entries {
		s.Finds = append(s.Finds, e.Name())
		for _, name := range []string{"report.json", "report.md", "annotated.txt", "input.elf", "original.elf"} {
			assert.FileExists(t, filepath.Join(dir, findsName, e.Name(), name))
		}
	}
	return s
}

// TestKilled kills a campaign 20 times at random moments: nothing is lost, nothing is doubled.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a while")
	}
	t.Parallel()
	root := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, "fake.sh"), []byte(fake), 0o600))
	whole, killed := filepath.Join(root, "whole"), filepath.Join(root, "killed")
	begun := time.Now()
	_, err := Run(t.Context(), fakeOptions(whole, filepath.Join(root, "fake.sh"), 0, 1))
	require.NoError(t, err)
	took := time.Since(begun) // so that all kills come while there is work to do, on any machine
	rnd := rand.New(rand.NewPCG(1, uint64(time.Now().UnixNano())))
	for range 20 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), campaignEnv+"="+killed)
		require.NoError(t, cmd.Start())
		kill := time.AfterFunc(time.Duration(rnd.Int64N(int64(took/4))), func() { _ = cmd.Process.Kill() }) // it may have ended
		err := cmd.Wait()
		if kill.Stop(); err == nil {
			break // nothing is left to do
		}
	}
	assert.NotEmpty(t, journalOf(t, killed).done, "no kill came after a batch")
	_, err = Run(t.Context(), fakeOptions(killed, filepath.Join(root, "fake.sh"), 0, 1))
	require.NoError(t, err)
	want := stateOf(t, whole)
	assert.NotEmpty(t, want.Finds)
	assert.Equal(t, want, stateOf(t, killed))
}

// TestMerge: two shards have the same finds as the whole.
func TestMerge(t *testing.T) {
	t.Parallel()
	path := script(t, "fake.sh", fake)
	root := t.TempDir()
	dir := func(name string) string { return filepath.Join(root, name) }
	for i, name := range []string{"whole", "shard0", "shard1"} {
		o := fakeOptions(dir(name), path, max(i-1, 0), min(i+1, 2))
		if i == 0 {
			o.Shards = 1
		}
		o.Count = 2 * batchSize
		_, err := Run(t.Context(), o)
		require.NoError(t, err)
	}
	whole, err := Merge(dir("copy"), []string{dir("whole"), dir("whole")})
	require.NoError(t, err)
	merged, err := Merge(dir("merged"), []string{dir("shard0"), dir("shard1")})
	require.NoError(t, err)
	assert.Equal(t, whole.Inputs, merged.Inputs)
	assert.Equal(t, whole.Breaks, merged.Breaks)
	require.Len(t, merged.Finds, len(whole.Finds))
	assert.NotEmpty(t, merged.Targets[0].Compared)
	assert.Equal(t, whole.Targets[0].Compared, merged.Targets[0].Compared)
	assert.Equal(t, 2*batchSize, merged.Runs)
	for i := range whole.Finds {
		assert.Equal(t, whole.Finds[i].Bucket, merged.Finds[i].Bucket)
		assert.DirExists(t, filepath.Join(dir("merged"), findsName, merged.Finds[i].ID))
	}
}

// TestKnown: known finds are not new, and only a campaign of the same command is continued.
func TestKnown(t *testing.T) {
	path := script(t, "fake.sh", fake)
	o := fakeOptions(t.TempDir(), path, 0, 1)
	o.Count = 2 * batchSize
	s, err := Run(t.Context(), o)
	require.NoError(t, err)
	require.NotZero(t, s.New)
	known, err := os.ReadFile(filepath.Join(o.Dir, SummaryName))
	require.NoError(t, err)
	o.Known, err = ReadKnown(known)
	require.NoError(t, err)
	s, err = Run(t.Context(), o)
	require.NoError(t, err)
	assert.Zero(t, s.New)
	assert.NotEmpty(t, s.Finds)
	o.Seed = 8
	_, err = Run(t.Context(), o)
	assert.ErrorContains(t, err, "another campaign")
	_, err = ReadKnown([]byte(`{"a": 1}`))
	assert.Error(t, err)
}

// TestPlantedFIFO: a FIFO in the place of the journal is an error.
func TestPlantedFIFO(t *testing.T) {
	t.Parallel()
	o := fakeOptions(t.TempDir(), script(t, "fake.sh", fake), 0, 1)
	require.NoError(t, exec.Command("mkfifo", filepath.Join(o.Dir, journalName)).Run())
	_, err := Run(t.Context(), o)
	require.ErrorIs(t, err, regular.ErrNotRegular)
	root, err := os.OpenRoot(o.Dir)
	require.NoError(t, err)
	defer root.Close()
	_, err = loadJournal(root)
	assert.ErrorIs(t, err, regular.ErrNotRegular)
}

// TestTornLine: a line that was not written completely is dropped.
func TestTornLine(t *testing.T) {
	t.Parallel()
	path := script(t, "fake.sh", fake)
	o := fakeOptions(t.TempDir(), path, 0, 1)
	o.Count = 2 * batchSize
	_, err := Run(t.Context(), o)
	require.NoError(t, err)
	want := stateOf(t, o.Dir)
	journal := filepath.Join(o.Dir, journalName)
	b, err := os.ReadFile(journal)
	require.NoError(t, err)
	for _, cut := range []int{1, 20, len(b) - 10, len(b)} {
		require.NoError(t, os.WriteFile(journal, b[:len(b)-cut], 0o600))
		_, err = Run(t.Context(), o)
		require.NoError(t, err, cut)
		assert.Equal(t, want, stateOf(t, o.Dir), cut)
	}
}

// TestVerdicts runs targets that end in every way.
func TestVerdicts(t *testing.T) {
	in, err := maker{seed: 1}.input(0, shape{kind: breaks.Exec})
	require.NoError(t, err)
	for name, x := range map[string]struct{ text, kind, key string }{
		"fine":      {`exit 0`, "accepts", ""},
		"message":   {`echo "x: warning: 12 odd FDEs"`, "notices", ""},
		"no entry":  {`echo "ld: warning: cannot find entry symbol _start; not setting start address" >&2`, "accepts", ""},
		"refuses":   {`echo "x: $1: bad" >&2; exit 1`, "rejects", ""},
		"assertion": {`echo "prog: ../lib/a.c:12: f: Assertion 'x < 3' failed." >&2; kill -ABRT $$`, "crash", "assertion a.c:12 x < 3"},
		"asan __":   {"printf '==1==ERROR: AddressSanitizer: SEGV on unknown address 0x5\\n #0 0x4a in __asan_memcpy /x/asan.cpp:1\\n #1 0x4b in __sframe_decode /src/lib/b.c:77:3\\n' >&2; exit 1", "crash", "asan access b.c:77"},
		"asan fpe":  {"printf '==1==ERROR: AddressSanitizer: FPE on unknown address 0x5\\n #1 0x4b in read_it /src/lib/b.c:77:3\\n' >&2; exit 1", "crash", "asan FPE b.c:77"},
		"bfd":       {`echo "BFD (GNU Binutils) 2.4 assertion fail ../../bfd/elf-sframe.c:597" >&2`, "crash", "BFD assertion elf-sframe.c:597"},
		"msan":      {"printf '==1==WARNING: MemorySanitizer: use-of-uninitialized-value\n #0 0x4b in sum /src/b.c:9:3\n' >&2; exit 1", "crash", "MemorySanitizer use-of-uninitialized-value b.c:9"},
		"exception": {`printf "terminate called after throwing an instance of 'std::out_of_range'\n  what():  at 77\n" >&2; kill -ABRT $$`, "crash", "exception std::out_of_range at N"},
		"hang":      {`sleep 60`, "hang", "timeout"},
	} {
		target := newTarget(t, "fake=sh "+script(t, "fake.sh", x.text)+" @@")
		target.limits.Timeout = 10 * time.Second
		if name == "hang" {
			target.limits.Timeout = 200 * time.Millisecond
		}
		target.probed = probe{rss: 1 << 40, time: time.Hour, hung: new(atomic.Bool)}
		_, v, _, err := scratch{dir: t.TempDir()}.try(t.Context(), target, in)
		require.NoError(t, err, name)
		assert.Equal(t, Outcome(x.kind), v.outcome, name)
		assert.Equal(t, x.key, v.key, name)
	}
}

// TestHangs: when one hang is confirmed, others do not take the whole time limit.
func TestHangs(t *testing.T) {
	in, err := maker{seed: 1}.input(0, shape{kind: breaks.Exec})
	require.NoError(t, err)
	runs := filepath.Join(t.TempDir(), "runs")
	target := newTarget(t, "fake=sh "+script(t, "fake.sh", "echo x >>"+runs+"; exec sleep 60")+" @@")
	target.limits.Timeout = 300 * time.Millisecond
	target.probed = probe{rss: 1 << 40, hung: new(atomic.Bool)}
	s := scratch{dir: t.TempDir()}
	for range 3 {
		_, v, _, err := s.try(t.Context(), target, in)
		require.NoError(t, err)
		assert.Equal(t, Hang, v.outcome)
	}
	b, err := os.ReadFile(runs)
	require.NoError(t, err)
	assert.Len(t, strings.Fields(string(b)), 4, "the first is run twice")
	target.limits.Timeout = time.Minute
	assert.Equal(t, hungTimeout, target.timeout())
}

// TestLeaks: a target in which each valid section ends with a leak is refused, with the option that helps.
func TestLeaks(t *testing.T) {
	leaks := newTarget(t, "leaks=sh "+script(t, "leaks.sh", `echo "ERROR: LeakSanitizer: detected memory leaks" >&2; exit 23`)+" @@")
	assert.ErrorContains(t, scratch{dir: t.TempDir()}.probe(t.Context(), leaks), "detect_leaks=0")
}

func TestNormal(t *testing.T) {
	assert.Equal(t, "input.o: error at N of N: sframe.c:12 N", normal("ld: /tmp/d/input.o: error at 0x12 of 77: ../x/sframe.c:12 deadbeef\n", "/tmp/d"))
	assert.LessOrEqual(t, len(normal(strings.Repeat("long ", 1000), "")), maxKey)
}

func TestNewTarget(t *testing.T) {
	ld := newTarget(t, "mine=sh ld")
	assert.False(t, ld.Linker)
	assert.Equal(t, "mine", ld.Name)
	assert.True(t, newTarget(t, "sh -c 'x' @@ @out").Linker)
	for name, linker := range map[string]bool{"ld": true, "x86_64-linux-gnu-ld": true, "sid-mold": true, "ld.lld-23": true, "objdump": false, "sold": false} {
		assert.Equal(t, linker, linkers.MatchString(name), name)
	}
	assert.Nil(t, (&Target{lib: &Library{}}).adapter())
	for _, line := range []string{"", "a | b", "/no/such/program", "a b=c"} {
		_, err := NewTarget(line, Limits{})
		assert.Error(t, err, line)
	}
}

// TestInputs: the same index gives the same bytes, and each break is made within some rounds.
func TestInputs(t *testing.T) {
	seen, different := map[string]bool{}, false
	for i := range int64(8 * len(breaks.All()) / 3) {
		a, err := maker{seed: 3}.input(i, shape{kind: breaks.Rel})
		require.NoError(t, err)
		if i < 100 {
			b, err := maker{seed: 3}.input(i, shape{kind: breaks.Rel})
			require.NoError(t, err)
			assert.Equal(t, a, b)
			c, err := maker{seed: 4}.input(i, shape{kind: breaks.Rel})
			require.NoError(t, err)
			different = different || !slices.Equal(a.Data, c.Data)
		}
		if a.Class == Broken {
			require.NotEmpty(t, a.Break)
			_, err := a.Recipe.Replay()
			require.NoError(t, err)
			seen[a.Break] = true
		}
	}
	assert.True(t, different, "the seed matters")
	assert.Greater(t, len(seen), len(breaks.All())*7/10)
}

// TestReport: a find's report names the bucket, the command and the clause.
func TestReport(t *testing.T) {
	path := script(t, "fake.sh", fake)
	o := fakeOptions(t.TempDir(), path, 0, 1)
	o.Count = batchSize
	s, err := Run(t.Context(), o)
	require.NoError(t, err)
	require.NotEmpty(t, s.Finds)
	for _, x := range s.Finds {
		dir := filepath.Join(o.Dir, findsName, x.ID)
		b, err := os.ReadFile(filepath.Join(dir, "report.json"))
		require.NoError(t, err)
		var f Find
		require.NoError(t, json.Unmarshal(b, &f))
		assert.Equal(t, x.Bucket, f.Bucket)
		assert.NotZero(t, f.Size)
		text, err := os.ReadFile(filepath.Join(dir, "report.md"))
		require.NoError(t, err)
		assert.Contains(t, string(text), x.Key)
		assert.Contains(t, string(text), "Is the input valid?")
	}
}

// TestChangedGenerator: a campaign is not continued with a generator that makes other inputs.
func TestChangedGenerator(t *testing.T) {
	path := script(t, "fake.sh", fake)
	o := fakeOptions(t.TempDir(), path, 0, 1)
	o.Count = batchSize
	_, err := Run(t.Context(), o)
	require.NoError(t, err)
	journal := filepath.Join(o.Dir, journalName)
	b, err := os.ReadFile(journal)
	require.NoError(t, err)
	now, err := maker{seed: o.Seed}.fingerprint()
	require.NoError(t, err)
	require.Contains(t, string(b), now)
	other, err := maker{seed: o.Seed + 1}.fingerprint()
	require.NoError(t, err)
	assert.NotEqual(t, now, other)
	require.NoError(t, os.WriteFile(journal, []byte(strings.Replace(string(b), now, other, 1)), 0o600))
	_, err = Run(t.Context(), o)
	assert.ErrorContains(t, err, "the generator has changed")
}

// TestWrites: the report on a write out of bounds begins with the security policy.
func TestWrites(t *testing.T) {
	for _, x := range []struct {
		version, key, message string
		writes                bool
	}{
		{"GNU ld (GNU Binutils) 2.47", "SIGSEGV at libsframe.so.3+0x20", badWrite, true},
		{"GNU ld (GNU Binutils) 2.47", "SIGSEGV at libsframe.so.3+0x20", badRead, false},
		{"GNU objdump (GNU Binutils) 2.44", "heap free(): corrupted unsorted chunks", "", true},
		{"source tree", "asan access sframe.c:12", "heap-buffer-overflow, WRITE of size 4", true},
		{"some program", "stack smashing detected", "", true},
		{"some program", "leak a.c:3", "", false},
		{"source tree", "asan write sframe.c:12", "", true},
	} {
		f := &Find{Bucket: Bucket{Target: "libsframe-asan", Kind: Crash, Key: x.key}, Version: x.version, Message: x.message}
		text := string(f.markdown(nil))
		policy, program := strings.Index(text, "ecurity policy"), strings.Index(text, "- Program:")
		assert.Equal(t, x.writes, f.writes(), "%v", x)
		assert.Equal(t, x.writes, policy < program, "%v", x)
		assert.Contains(t, text, "SECURITY.txt")
	}
}

// TestTry judges valid files as in a campaign.
func TestTry(t *testing.T) {
	in, err := maker{seed: 1}.input(0, shape{kind: breaks.Exec})
	require.NoError(t, err)
	target := newTarget(t, "odd=sh "+script(t, "odd.sh", `if grep -qa refused "$1"; then echo "error: odd" >&2; exit 1; fi`+"\n")+" @@")
	dir := t.TempDir()
	abi := bytes.Index(in.Data, object(in.Data).SFrames[0].Data) + 4
	for _, x := range []struct {
		tail  string
		valid bool
		kind  Outcome
	}{{"", true, Accepts}, {"refused", true, RejectsValid}, {"", false, Accepts}, {"refused", false, Rejects}} {
		data := append(slices.Clone(in.Data), x.tail...)
		if !x.valid {
			data[abi] = 77
		}
		path := filepath.Join(dir, "input")
		require.NoError(t, os.WriteFile(path, data, 0o600))
		all, err := Try(t.Context(), []*Target{target}, []string{path})
		require.NoError(t, err)
		assert.Equal(t, x.kind, all[0].Kind, "%v", x)
		assert.Equal(t, x.kind == RejectsValid, all[0].Failed(), "%v", x)
	}
}
