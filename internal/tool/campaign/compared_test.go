//go:build unix

package campaign

import (
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/model"
)

// asker answers by the version and the ABI of a section.
type asker func(f form) Reply

func (a asker) Ask(data []byte, _ uint64, _ time.Duration) Reply {
	if len(data) < 5 {
		return Reply{Kind: Rejects}
	}
	return a(form{model.Version(data[2]), model.ABI(data[4])})
}

func (asker) Close() error { return nil }

// TestPlainSections: a wrong answer on a plain section is a find, and so is an ABI that is refused in one version only. What is not
// supported is listed with the reason.
func TestPlainSections(t *testing.T) {
	hole := form{model.SFRAME_VERSION_3, model.SFRAME_ABI_AARCH64_ENDIAN_BIG}
	for name, x := range map[string]struct {
		answer asker
		kind   Outcome
		why    string
	}{
		"wrong":   {func(form) Reply { return Reply{Kind: Misreads, Key: "functions"} }, Misreads, ""},
		"refuses": {func(form) Reply { return Reply{Kind: RejectsValid, Key: "no", Message: "no"} }, "", "no"},
		"hole": {func(f form) Reply {
			if f == hole {
				return Reply{Kind: RejectsValid, Key: "no", Message: "no"}
			}
			return Reply{Kind: Accepts}
		}, RejectsValid, ""},
		"unsupported": {func(f form) Reply {
			if f == hole {
				return Reply{Kind: Rejects}
			}
			return Reply{Kind: Accepts}
		}, "", unsupported},
	} {
		target, err := NewDecoder("fake=sh", Limits{Timeout: time.Minute}, func([]string) Asker { return x.answer })
		require.NoError(t, err)
		s, err := Run(t.Context(), Setup{Dir: t.TempDir(), Targets: []*Target{target}, Seed: 1, Count: 8})
		require.NoError(t, err, name)
		assert.Equal(t, name != "refuses", s.Compared(), name)
		kinds := map[Outcome]bool{}
		for _, f := range s.Finds {
			kinds[f.Kind] = true
		}
		assert.Equal(t, x.kind != "", kinds[x.kind], name)
		assert.Equal(t, x.kind != "", s.First != nil && s.First.Inputs == 0, "%s: a plain section comes before the first input", name)
		if x.why != "" {
			require.Len(t, s.Targets[0].NotCompared, 1, name)
			assert.Equal(t, x.why, s.Targets[0].NotCompared[0].Why, name)
			assert.Contains(t, s.Targets[0].NotCompared[0].Forms, "V3 aarch64-be", name)
		} else {
			assert.Empty(t, s.Targets[0].NotCompared, name)
		}
	}
}

// TestHostile: a target that puts links in the places of its files makes no later run write or read elsewhere.
func TestHostile(t *testing.T) {
	victim := filepath.Join(t.TempDir(), "victim")
	require.NoError(t, os.WriteFile(victim, []byte("contents"), 0o600))
	in, err := maker{1}.input(0, shape{kind: breaks.Rel})
	require.NoError(t, err)
	target := newTarget(t, "hostile=sh "+script(t, "hostile.sh", fmt.Sprintf("rm \"$1\"; ln -s %s \"$1\"; ln -s /dev/zero \"$2\"\n", victim))+" @@ @out")
	require.True(t, target.Linker)
	s := scratch{dir: t.TempDir()}
	for range 3 {
		r, err := s.run(t.Context(), target, in.ABI.Arch, in.Data)
		require.NoError(t, err)
		assert.Nil(t, r.out, "a device is not read")
	}
	data, err := os.ReadFile(victim)
	require.NoError(t, err)
	assert.Equal(t, "contents", string(data))
	left, err := os.ReadDir(s.dir)
	require.NoError(t, err)
	assert.Empty(t, left)
}

// TestFits: a target that reads plain sections only without the limit of memory is refused, with the flag that helps.
func TestFits(t *testing.T) {
	target := newTarget(t, "asan=sh "+script(t, "asan.sh", `[ "$(ulimit -v)" = unlimited ] || exit 1`+"\n")+" @@")
	target.limits.Memory = 1 << 30
	assert.ErrorContains(t, scratch{dir: t.TempDir()}.probe(t.Context(), target), "--memory 0")
	target.limits.Memory = 0
	assert.NoError(t, scratch{dir: t.TempDir()}.probe(t.Context(), target))
}

// TestUnsteady: a find that does not fail each time says so.
func TestUnsteady(t *testing.T) {
	var asked atomic.Int64
	target, err := NewDecoder("fake=sh", Limits{Timeout: time.Minute}, func([]string) Asker {
		return asker(func(form) Reply {
			if n := asked.Add(1); n > 20 && n%5 == 0 {
				return Reply{Kind: Crash, Key: "at times", Message: "at times"}
			}
			return Reply{Kind: Accepts}
		})
	})
	require.NoError(t, err)
	dir := t.TempDir()
	s, err := Run(t.Context(), Setup{Dir: dir, Targets: []*Target{target}, Seed: 1, Count: 8, First: true})
	require.NoError(t, err)
	require.Len(t, s.Finds, 1)
	assert.True(t, s.Finds[0].Unsteady)
	text, err := os.ReadFile(filepath.Join(dir, findsName, s.Finds[0].ID, "report.md"))
	require.NoError(t, err)
	assert.Regexp(t, "^# .*, not in each of 3 runs\n", string(text))
	assert.Contains(t, string(text), "`sframe-fuzz run --decoder fake=sh input.sframe`")
}

// TestStacks: the stack that allocated the memory is a list of its own.
func TestStacks(t *testing.T) {
	v, ok := internalFailure(readReports(t)["asan-read"])
	require.True(t, ok)
	assert.Equal(t, []string{"read_u32 a.c:5", "decode a.c:6", "main a.c:27"}, v.frames[:3])
	assert.Equal(t, []string{"main a.c:24"}, v.allocated[:1])
}
