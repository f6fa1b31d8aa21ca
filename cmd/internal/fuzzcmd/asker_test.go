package fuzzcmd

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/tool/campaign"
	"github.com/sframe-lint/sframe-lint/internal/tool/plain"
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
				key, _, _ := strings.Cut(f.Key, " asker_test.go")
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
