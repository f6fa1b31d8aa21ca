//go:build unix

package campaign

import (
	"slices"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/internal/evidence/clauses"
	"github.com/sframe-lint/sframe-lint/model"
)

// TestSameAccess: a bad access is one bucket, whatever signal or sanitizer's class it has.
func TestSameAccess(t *testing.T) {
	assert.Equal(t, signalKey(int(syscall.SIGSEGV)), signalKey(int(syscall.SIGBUS)))
	assert.NotEqual(t, signalKey(int(syscall.SIGSEGV)), signalKey(int(syscall.SIGFPE)))
	keys := map[string]string{}
	for _, kind := range []string{"SEGV", "heap-buffer-overflow", "stack-buffer-underflow", "FPE", "allocation-size-too-big"} {
		text := "==1==ERROR: AddressSanitizer: " + kind + " on address 0x5\nWRITE of size 4 at 0x5\n    #0 0x4a in f /src/a.c:7:1\n"
		v, _ := internalFailure([]byte(text))
		keys[kind] = v.key
		assert.Equal(t, kind+", WRITE of size 4", crashMessage([]byte(text)))
	}
	assert.Equal(t, map[string]string{"SEGV": "asan write a.c:7", "heap-buffer-overflow": "asan write a.c:7", "stack-buffer-underflow": "asan write a.c:7",
		"FPE": "asan FPE a.c:7", "allocation-size-too-big": "asan allocation-size-too-big a.c:7"}, keys)
}

// TestClauses: the clauses are those of the version and of the faults that come nearest to the cause.
func TestClauses(t *testing.T) {
	for _, x := range []struct {
		rules   []string
		broken  string
		version model.Version
		want    []string
	}{
		{[]string{"SF1004", "SF1012"}, "", 1, []string{"C-ALL-HDR-13"}},
		{[]string{"SF1006", "SF1008", "SF1012"}, "", 3, []string{"C-ALL-HDR-13"}},
		{[]string{"SF1006", "SF1008"}, "", 2, []string{"C-ALL-HDR-08", "C-ALL-HDR-10"}},
		{[]string{"SF1012", "SF5016"}, "lost-relocation", 2, []string{"C-V12-FDE-07"}},
		{[]string{"SF1012"}, "lost-relocation", 3, []string{"C-ALL-HDR-13"}},
		{[]string{"SF5016"}, "", 1, []string{"C-V12-FDE-07"}},
		{nil, "", 3, nil},
		{[]string{"SF1004"}, "", 1, []string{"C-ALL-VER-04"}},
		{[]string{"SF3003"}, "", 3, []string{"C-V3-IDX-08"}},
		{[]string{"SF3003"}, "", 2, []string{"C-V12-FDE-10"}},
	} {
		f := Find{Rules: x.rules}
		if x.broken != "" {
			f.Recipe = &breaks.Recipe{Breaks: []breaks.Step{{Name: x.broken}}}
		}
		f.cite(x.version)
		var got []string
		for _, c := range f.Clauses {
			got = append(got, c.ID)
		}
		assert.Equal(t, x.want, got, "%v", x.rules)
	}
}

// TestLikeness: minimizing adds no fault to a section, nor to the file around a valid one.
func TestLikeness(t *testing.T) {
	in, err := maker{seed: 1}.input(0, shape{kind: breaks.Raw})
	require.NoError(t, err)
	like := newLikeness(in)
	assert.True(t, like.keeps(in.Data))
	for at, why := range map[int]string{4: "ABI", 2: "version", 0: "magic"} {
		data := slices.Clone(in.Data)
		data[at] = 77
		assert.False(t, like.keeps(data), why)
		assert.True(t, newLikeness(&Input{Class: Mutated, Data: data}).keeps(data), why)
	}
	file, err := maker{seed: 1}.input(0, shape{kind: breaks.Exec})
	require.NoError(t, err)
	like = newLikeness(file)
	small := wrap(file.ABI, breaks.Exec, object(file.Data).SFrames[0].Data, 0x400000)
	assert.True(t, like.keeps(small), "the smallest file")
	assert.False(t, like.keeps(small[:len(small)-1]), "a truncated file")
	file.Class = Mutated
	assert.True(t, newLikeness(file).keeps(small[:len(small)-1]))
}

// TestAbsolute: a target that reads version 2 without PCREL alone gets such sections.
func TestAbsolute(t *testing.T) {
	flags := func(in *Input) (pcrel bool) {
		return object(in.Data).SFrames[0].Section.Header().Flags&model.SFRAME_F_FDE_FUNC_START_PCREL != 0
	}
	plain := 0
	for i := range int64(200) {
		in, err := maker{seed: 1}.input(i, shape{breaks.Raw, true})
		require.NoError(t, err)
		if in.Class == Valid && in.Version == model.SFRAME_VERSION_2 && i/int64(len(classes))%2 == 0 {
			assert.False(t, flags(in))
			plain++
		}
	}
	assert.Greater(t, plain, 5)
	// Byte 3 has the flags, after the magic and version 2. The file is searched as it is.
	old := script(t, "old.sh", `LC_ALL=C grep -qaP '\xe2\xde\x02[\x00-\x03]' "$1" || { echo "error: bad flags" >&2; exit 1; }`+"\n")
	target := newTarget(t, "old=sh "+old+" @@")
	require.NoError(t, scratch{dir: t.TempDir()}.probe(t.Context(), target))
	assert.True(t, target.shape().absolute)
	assert.Contains(t, target.Compared(), "V2 amd64")
	assert.NotContains(t, target.Compared(), "V3 amd64")
	any := newTarget(t, "any=sh "+script(t, "any.sh", "exit 0\n")+" @@")
	require.NoError(t, scratch{dir: t.TempDir()}.probe(t.Context(), any))
	assert.False(t, any.shape().absolute)

	c := &campaign{Setup: Setup{Targets: []*Target{target, any}}, maker: maker{seed: 1}}
	same := 0
	for i := range int64(100) {
		require.True(t, c.shape(target, i).absolute)
		if c.shape(any, i) == c.shape(target, i) {
			same++
		}
	}
	assert.InDelta(t, 50, same, 15, "half of what the older program gets is compared")
	c.Targets = c.Targets[1:]
	assert.False(t, c.shape(any, 0).absolute || c.shape(any, 1).absolute || c.shape(any, 2).absolute)
}

// TestUnreadable: the clauses that are named are those of their rules.
func TestUnreadable(t *testing.T) {
	for rule, ids := range unreadable {
		var all []string
		for _, c := range clauses.Of(rule) {
			all = append(all, c.ID)
		}
		assert.NotEmpty(t, all, rule)
		assert.Subset(t, all, ids, rule)
	}
}
