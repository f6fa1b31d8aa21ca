package fuzzcmd

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/internal/testkit"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/internal/testkit/outputtest"
	"github.com/sframe-lint/sframe-lint/internal/tool/campaign"
	"github.com/sframe-lint/sframe-lint/internal/tool/plain"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
)

// decoderEnv makes the test binary a decoder; its value is its fault.
const decoderEnv = "SFRAME_TEST_DECODER"

func TestMain(m *testing.M) {
	if fault := os.Getenv(decoderEnv); fault != "" {
		decode(fault)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// decode answers requests with the plain decoder, with a fault.
func decode(fault string) {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		if fault == "no" {
			os.Stdout.WriteString(`{"error": "no"}` + "\n")
			continue
		}
		var q struct{ Section, Address string }
		_ = json.Unmarshal(lines.Bytes(), &q) // the fields are empty, which is refused
		b, _ := hex.DecodeString(q.Section)
		addr, _ := strconv.ParseUint(q.Address, 0, 64)
		s, err := plain.Decode(b, addr)
		var answer any = s
		switch {
		case err != nil && fault == "takes":
			answer = struct{}{}
		case err != nil:
			answer = map[string]string{"error": err.Error()}
		default:
			for i := range s.Functions {
				f := &s.Functions[i]
				switch {
				case fault == "cut":
					f.Rows = f.Rows[:len(f.Rows)%4]
				case fault == "panics" && len(f.Rows) > 5:
					_ = f.Rows[:5][len(f.Rows)]
				case fault == "hangs" && len(f.Rows) > 5:
					time.Sleep(time.Hour)
				}
			}
			if fault == "refuses" && s.Version == 3 && len(s.Functions) > 4 {
				answer = map[string]string{"error": "there are " + strconv.Itoa(len(s.Functions)) + " functions"}
			}
		}
		text, _ := json.Marshal(answer)
		os.Stdout.Write(append(text, '\n'))
	}
}

// TestDecoder: a campaign finds each fault of a decoder, by a key that does not depend on the input, and nothing in one
// without a fault.
func TestDecoder(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	for fault, want := range map[string]struct {
		count, key string
		kind       campaign.Outcome
	}{
		"none":    {"500", "", ""},
		"cut":     {"60", "functions.rows", campaign.Misreads},
		"panics":  {"60", "panic runtime error: index out of range [N] with length N", campaign.Crash},
		"hangs":   {"20", "timeout", campaign.Hang},
		"refuses": {"60", "there are N functions", campaign.RejectsValid},
		"takes":   {"200", "SF1002", campaign.Silent},
	} {
		t.Run(fault, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "out")
			var out, complaints bytes.Buffer
			status := Main([]string{"run", "--decoder", "own=" + self, "--env", decoderEnv + "=" + fault, "--count", want.count,
				"--format", "json", "--out", dir}, nil, &out, &complaints)
			var s campaign.Summary
			require.NoError(t, json.Unmarshal(out.Bytes(), &s), complaints.String())
			if fault == "none" {
				assert.Zero(t, status)
				assert.Empty(t, s.Finds)
				return
			}
			assert.Equal(t, 1, status)
			keys := map[string]campaign.Outcome{}
			for _, f := range s.Finds {
				key, _, _ := strings.Cut(f.Key, " fuzzcmd_test.go")
				keys[key] = f.Kind
				input, err := filepath.Glob(filepath.Join(dir, "finds", f.ID, "input.*"))
				require.NoError(t, err)
				out.Reset()
				assert.Equal(t, 1, Main([]string{"run", "--decoder", "own=" + self, "--env", decoderEnv + "=" + fault, input[0]}, nil, &out, &complaints))
				assert.Contains(t, out.String(), ": own: "+string(f.Kind)+": "+f.Key)
			}
			assert.Equal(t, want.kind, keys[want.key], keys)
		})
	}
	var out, complaints bytes.Buffer
	assert.Equal(t, 2, Main([]string{"run", "--decoder", "nosuch", "--out", t.TempDir()}, nil, &out, &complaints))
	assert.Equal(t, "sframe-fuzz: --decoder: nosuch: no such program\n", complaints.String())
}

// TestCheck: a check of a decoder without faults compares everything, one of a decoder that refuses everything nothing, and with
// --first a fault ends it.
func TestCheck(t *testing.T) {
	if testing.Short() {
		t.Skip("asks some thousand cases: run without -short")
	}
	defer func(pattern string, n int) { suite, randomCases = pattern, n }(suite, randomCases)
	suite, randomCases = "[hlv]?[^r]*", 200 // hand, limit, lookup, valid
	self, err := os.Executable()
	require.NoError(t, err)
	check := func(fault string, more ...string) (status int, r outcome) {
		var out, complaints bytes.Buffer
		status = Main(append([]string{"check", "--decoder", "own=" + self, "--env", decoderEnv + "=" + fault, "--format", "json", "--out", t.TempDir()}, more...), nil, &out, &complaints)
		require.NoError(t, json.Unmarshal(out.Bytes(), &r), complaints.String())
		return status, r
	}
	status, r := check("none", "--time", "1s")
	assert.Zero(t, status)
	require.Len(t, r.Parts, 3)
	for _, p := range r.Parts {
		assert.Empty(t, p.Finds, p.Part)
		assert.NotEmpty(t, p.Compared, p.Part)
	}
	require.Len(t, r.Parts[0].NotCompared, 1)
	assert.Equal(t, "the answer states nothing that is compared", r.Parts[0].NotCompared[0].Why, "this decoder answers no look-ups")
	status, r = check("no", "--time", "1ms")
	assert.Equal(t, 3, status)
	for _, p := range r.Parts {
		assert.Empty(t, p.Compared, p.Part)
		assert.Contains(t, p.NotCompared[0].Why, "no", p.Part)
	}
	status, r = check("panics", "--first")
	assert.Equal(t, 1, status)
	require.Len(t, r.Parts, 1)
	assert.Len(t, r.Parts[0].Finds, 1)
	assert.Equal(t, r.Parts[0].Inputs, r.First.Inputs)
}

// TestBesidesWithoutCode draws clean sections, in whose code no rule finds anything: it need not be followed.
func TestBesidesWithoutCode(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	require.Zero(t, Main([]string{"break", "--count", "150", "--seed", "77", "--out", dir}, nil, os.Stdout, os.Stderr))
	b := must.Get(os.ReadFile(filepath.Join(dir, manifestName)))(t)
	var rows []manifestEntry
	require.NoError(t, json.Unmarshal(b, &rows))
	require.Len(t, rows, 150)
	for _, r := range rows {
		healthy := must.Get(breaks.Recipe{Config: r.Recipe.Config, Container: r.Recipe.Container}.Subject())(t)
		assert.Equal(t, r.Besides, besides(healthy, false)[:len(r.Besides):len(r.Besides)], r.File)
		assert.Len(t, besides(healthy, false), len(r.Besides), r.File)
	}
}

// TestSilent: a run that ends with the first finding tells the same sections apart.
func TestSilent(t *testing.T) {
	rnd, all := rand.New(rand.NewPCG(1, 2)), 0
	for i := range 60 {
		c := generator.Swarm(rnd).Clean()
		c.Seed = int64(i)
		s, err := breaks.Recipe{Config: c, Container: breaks.Containers()[i%len(breaks.Containers())]}.Subject()
		if err != nil {
			continue
		}
		is := hasNoFindings(s)
		assert.Equal(t, len(besides(s, true)) == 0, is, "%+v", c)
		if is {
			all++
		}
	}
	assert.Positive(t, all)
	assert.Less(t, all, 50)
}

// FuzzRecipes reads whatever comes as recipes or a manifest: what is accepted is
// written and read again unchanged, makes a file or an error, and memory has a bound.
func FuzzRecipes(f *testing.F) {
	f.Add([]byte(`{"container":"raw","breaks":[{"name":"magic","seed":1}]}`))
	f.Add([]byte(`[{"file":"a","recipe":{"container":"exec","knobs":{"funcs":3}}},{"file":"b"}]`))
	f.Add([]byte(`{"knobs":{"funcs":1000000000,"rows":1000000000}}`))
	f.Add([]byte(`{"file":"a","changes":["x"],"recipe":{}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		used := testkit.Allocated(func() {
			all, err := parseRecipes(data)
			if err != nil || len(all) == 0 {
				return
			}
			written := must.Get(json.Marshal(all))(t)
			again := must.Get(parseRecipes(written))(t)
			require.Equal(t, all, again)
			for i := range min(len(all), 2) {
				_, _ = all[i].Subject() // an error is as good
			}
		})
		require.LessOrEqual(t, used, uint64(64<<20+1000*len(data)))
	})
}

// TestManualPages makes the manual pages; each flag is described in the documentation.
func TestManualPages(t *testing.T) {
	outputtest.Man(t, (&app{stdout: io.Discard, stderr: io.Discard}).command(), "../../../docs", map[string][]string{
		"sframe-fuzz":             {"fuzzing.md", "knobs.md", "limits.md"},
		"sframe-fuzz-conformance": {"conformance.md"},
	})
}

// TestFewFlags: what several commands share are settings of one flag.
func TestFewFlags(t *testing.T) {
	n := 0
	var count func(c *cobra.Command)
	count = func(c *cobra.Command) {
		c.LocalFlags().VisitAll(func(*pflag.Flag) { n++ })
		for _, sub := range c.Commands() {
			count(sub)
		}
	}
	count((&app{stdout: io.Discard, stderr: io.Discard}).command())
	require.LessOrEqual(t, n, 110)
}

func TestInOrder(t *testing.T) {
	for _, j := range []jobs{0, 1, 3, 50, math.MaxInt} {
		var got []int
		err := inOrder(t.Context(), j, 200, func(i int) int { return i * i }, func(i, v int) error {
			assert.Equal(t, i*i, v)
			got = append(got, i)
			return nil
		})
		require.NoError(t, err)
		require.Len(t, got, 200)
		assert.IsIncreasing(t, got)
	}
	assert.NoError(t, inOrder(t.Context(), 2, 0, func(int) int { panic("nothing to do") }, func(int, int) error { return nil }))
}

// TestInOrderEnds: after an error hardly anything more is done.
func TestInOrderEnds(t *testing.T) {
	var worked atomic.Int32
	enough := errors.New("enough")
	taken := 0
	err := inOrder(t.Context(), 2, 1_000_000, func(i int) int { worked.Add(1); return i }, func(i, _ int) error {
		taken++
		if i == 10 {
			return enough
		}
		return nil
	})
	assert.ErrorIs(t, err, enough)
	assert.Equal(t, 11, taken)
	assert.Less(t, worked.Load(), int32(200))
}

// TestInOrderPanics: a panic of the work is an error, after the results before it.
func TestInOrderPanics(t *testing.T) {
	taken := 0
	err := inOrder(t.Context(), 3, 100, func(i int) int {
		if i >= 7 {
			panic("no more")
		}
		return i
	}, func(int, int) error { taken++; return nil })
	var ours *program.InternalError
	require.ErrorAs(t, err, &ours)
	assert.Equal(t, "internal error: number 7: no more", err.Error())
	assert.Contains(t, string(ours.Stack), "fuzzcmd_test.go")
	assert.Equal(t, 7, taken)
}

func TestInOrderIsInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	taken := 0
	err := inOrder(ctx, 2, 1_000_000, func(i int) int { return i }, func(i, _ int) error {
		if taken++; i == 10 {
			stop()
		}
		return nil
	})
	assert.ErrorIs(t, err, program.ErrInterrupted)
	assert.Equal(t, 11, taken)
}
