package conformance_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/tool/conformance"
	"github.com/sframe-lint/sframe-lint/internal/tool/conformance/build"
	"github.com/sframe-lint/sframe-lint/internal/tool/plain"
)

// faulty is the plain decoder with a fault.
type faulty func(*plain.Section) error

func (faulty) Close() error { return nil }

func (f faulty) Ask(q conformance.Request) *conformance.Answer {
	b, _ := hex.DecodeString(q.Section)
	addr, _ := strconv.ParseUint(q.Address, 0, 64)
	s, err := plain.Decode(b, addr)
	if err == nil {
		err = f(s)
	}
	if err != nil {
		return &conformance.Answer{Error: err.Error()}
	}
	var content any = s
	if q.PC != "" {
		pc, _ := strconv.ParseUint(q.PC, 0, 64)
		content = s.Lookup(pc)
	}
	text, _ := json.Marshal(content)
	return &conformance.Answer{Content: text}
}

// TestRandom: a decoder without faults passes random cases, and one that keeps 8 bits of the number of FREs is found.
func TestRandom(t *testing.T) {
	n := 1200
	if testing.Short() {
		n = 400
	}
	r, err := conformance.RunRandom(t.Context(), "plain", faulty(func(*plain.Section) error { return nil }), 1, n, true, nil)
	require.NoError(t, err)
	assert.Zero(t, r.Failed())
	verdicts := map[conformance.Duty]int{}
	lookUps := 0
	for _, x := range r.Results {
		if verdicts[x.Case.Duty]++; x.Case.PC != "" {
			lookUps++
		}
	}
	for v, share := range map[conformance.Duty]int{conformance.Accept: 3, conformance.Reject: 20, conformance.Either: 20} {
		assert.Greater(t, verdicts[v], n/share, v)
	}
	assert.Greater(t, lookUps, n/10)

	cut := faulty(func(s *plain.Section) error {
		for i := range s.Functions {
			f := &s.Functions[i]
			f.Rows = f.Rows[:len(f.Rows)%256]
		}
		return nil
	})
	r, err = conformance.RunRandom(t.Context(), "cut", cut, 900, 100, true, nil) // one function has more than 255 FREs
	require.NoError(t, err)
	assert.Positive(t, r.Failed())
	for _, x := range r.Results {
		if x.Outcome.Failed() {
			assert.Less(t, len(x.Case.Section)/2, 256*5+64, "little more than 256 FREs are left")
			return
		}
	}
}

// TestSilentDecoder: a decoder that never answers ends the run.
func TestSilentDecoder(t *testing.T) {
	all, err := build.Cases("")
	require.NoError(t, err)
	done := 0
	d := &conformance.Process{Command: []string{"sleep", "60"}, Timeout: 10 * time.Millisecond}
	_, err = conformance.Run(t.Context(), "sleep", d, all, func(n int, _ *conformance.Result) bool { done = n; return true })
	require.ErrorIs(t, err, conformance.ErrSilent)
	assert.ErrorContains(t, err, all[1].Name)
	assert.Equal(t, 1, done)
	require.NoError(t, d.Close())
	once := &conformance.Process{Command: []string{"sh", "-c", `test -e "$0" && exec sleep 60; : >"$0"; read x; echo '{"ok":false}'; exec sleep 60`,
		filepath.Join(t.TempDir(), "once")}, Timeout: 500 * time.Millisecond}
	_, err = conformance.Run(t.Context(), "once", once, all, func(n int, _ *conformance.Result) bool { done = n; return true })
	require.ErrorIs(t, err, conformance.ErrSilent)
	assert.Equal(t, 5, done, "one answer, and four of five without")
	require.NoError(t, once.Close())
}

// TestSilentAgain: a decoder that answers some requests after each start and then no more ends the run, and one that does not
// answer few of many does not.
func TestSilentAgain(t *testing.T) {
	all, err := build.Cases("")
	require.NoError(t, err)
	all = all[:200]
	for every, want := range map[int]int{5: 49, 10: 99, 11: 0} {
		done := 0
		_, err = conformance.Run(t.Context(), "again", &sleepy{every: every}, all, func(n int, _ *conformance.Result) bool { done = n; return true })
		if want == 0 {
			require.NoError(t, err)
			assert.Len(t, all, done)
			continue
		}
		require.ErrorIs(t, err, conformance.ErrSilent)
		assert.ErrorContains(t, err, fmt.Sprintf("10 of %d requests", want+1))
		assert.Equal(t, want, done)
	}
}

// sleepy is a decoder that does not answer one request in every so many.
type sleepy struct{ every, asked int }

func (d *sleepy) Ask(conformance.Request) *conformance.Answer {
	d.asked++
	return &conformance.Answer{Unsupported: true, Silent: d.asked%d.every == 0}
}

func (d *sleepy) Close() error { return nil }

// TestRunner: the runner of the suite's release, in Python, asks the cases and finds what is wrong.
func TestRunner(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil || testing.Short() {
		t.Skip("requires python3, and takes long: run without -short")
	}
	decoder := filepath.Join(t.TempDir(), "example")
	out, err := exec.Command("go", "build", "-o", decoder, "../plain/example").CombinedOutput()
	require.NoError(t, err, "%s", out)
	some := t.TempDir()
	all, err := build.Cases("")
	require.NoError(t, err)
	files, cases := map[string][]byte{}, 0
	for i := range all {
		c := &all[i]
		if kind := c.Kind(); slices.Contains([]string{"hand", "limit", "valid"}, kind) || strings.HasPrefix(c.Name, "large/v3-rows/") {
			line, err := c.Line()
			require.NoError(t, err)
			files[kind], cases = append(files[kind], line...), cases+1
		}
	}
	for kind, b := range files {
		require.NoError(t, os.WriteFile(filepath.Join(some, kind+".jsonl"), b, 0o600))
	}
	run := func(command ...string) (string, error) {
		out, err := exec.Command(python, append([]string{"../../../conformance/run.py", some}, command...)...).CombinedOutput()
		return string(out), err
	}
	text, err := run(decoder)
	require.NoError(t, err, text)
	assert.Equal(t, fmt.Sprintf("%d cases, 0 failed\n", cases), text)
	odd := filepath.Join(t.TempDir(), "odd.py")
	require.NoError(t, os.WriteFile(odd, []byte("import sys\nfor l in sys.stdin: print('{\"version\": 9}', flush=True)\n"), 0o600))
	text, err = run(python, odd)
	require.Error(t, err)
	assert.Contains(t, text, "valid/v3-amd64/plain: .version differs")
	assert.Contains(t, text, "an answer for a section that cannot be decoded")
	require.NoError(t, os.WriteFile(odd, []byte(`import sys
for l in sys.stdin: print('{"functions":[{"rows":[{"cfa":"r6+8"}]}]}', flush=True)
`), 0o600))
	text, err = run(python, odd)
	require.Error(t, err)
	assert.Contains(t, text, "; the manual is silent: conformance.md#base-register\n")
	require.NoError(t, os.WriteFile(odd, []byte("import sys\nfor l in sys.stdin: print('{\"unsupported\": true}', flush=True)\n"), 0o600))
	text, err = run(python, odd)
	require.ErrorContains(t, err, "exit status 3")
	assert.Equal(t, fmt.Sprintf("%d cases, 0 failed, nothing compared\n", cases), text)
}
