//go:build mutator

package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

func section(t *testing.T, seed int64) []byte {
	t.Helper()
	c := generator.Default()
	c.Seed, c.Aux = seed, 4
	p, err := generator.Generate(c)
	require.NoError(t, err)
	b, err := generator.Encode(p)
	require.NoError(t, err)
	return b
}

func TestFuzz(t *testing.T) {
	data, other := section(t, 1), section(t, 2)
	u, v := newMutator(3), newMutator(3)
	seen := map[string]bool{}
	for range 300 {
		got := u.fuzz(data, other, 400)
		assert.Equal(t, got, v.fuzz(data, other, 400), "the same seed, the same inputs")
		assert.True(t, len(got) > 0 && len(got) <= 400)
		assert.NotEqual(t, data, got)
		seen[string(got)] = true
		assert.Regexp(t, `^[A-Za-z0-9_-]{1,20}$`, u.describe(20))
		was := bytes.Clone(got)
		u.fuzz(data, other, 400)
		v.fuzz(data, other, 400)
		assert.Equal(t, was, got, "what was handed out stays as it is")
	}
	assert.Greater(t, len(seen), 250)
	assert.Equal(t, section(t, 1), data)
	assert.Empty(t, u.describe(-1))
}

func TestHardlyAnyInput(t *testing.T) {
	u := newMutator(1)
	for _, data := range [][]byte{nil, {0xe2}, {0xe2, 0xde, 3}} {
		for range 200 {
			assert.Len(t, u.fuzz(data, nil, 1), 1)
			assert.NotEmpty(t, u.fuzz(data, nil, 4))
		}
	}
}

// trimmed does what AFL++ does: it tries candidates until the last step, and
// reports which ones it keeps.
func trimmed(t *testing.T, u *trimmer, data []byte, keep func([]byte) bool) ([]byte, int) {
	t.Helper()
	n := 0
	for at, steps := 0, u.begin(data); at < steps; n++ {
		require.NotEmpty(t, u.ready)
		require.Less(t, len(u.ready), len(data))
		took := keep(u.ready)
		if took {
			data = u.ready
		}
		at = u.report(took)
		require.Less(t, n, 10000)
	}
	return data, n
}

func TestTrim(t *testing.T) {
	data := section(t, 1)
	whole := func(b []byte) *model.Section {
		s, faults := reader.DecodeSection(b, reader.SectionOptions{})
		if s == nil || len(faults) > 0 {
			return nil
		}
		return s
	}
	u := &trimmer{}
	got, n := trimmed(t, u, data, func(b []byte) bool { s := whole(b); return s != nil && s.NumFREs() > 2 })
	assert.Equal(t, 3, whole(got).NumFREs())
	assert.LessOrEqual(t, n, trimSteps)
	assert.Empty(t, whole(got).Aux())

	got, n = trimmed(t, u, data, func([]byte) bool { return false })
	assert.Equal(t, data, got)
	assert.LessOrEqual(t, n, trimSteps)

	assert.Zero(t, u.begin([]byte("no section")))
	assert.Zero(t, u.begin(nil))

	// Another input before the last one is done.
	assert.NotZero(t, u.begin(data))
	_, n = trimmed(t, u, data, func([]byte) bool { return true })
	assert.Positive(t, n)
	u.begin(data)
	u.end()
}

// TestCross takes over functions of another section.
func TestCross(t *testing.T) {
	c := generator.Default()
	var inputs [2][]byte
	for i := range inputs {
		c.Seed, c.Funcs = int64(i), 3
		p, err := generator.Generate(c)
		require.NoError(t, err)
		inputs[i], err = generator.Encode(p)
		require.NoError(t, err)
	}
	more := 0
	for seed := range uint64(50) {
		b := newMutator(seed).cross(inputs[0], inputs[1], 1<<16)
		if s, _ := reader.DecodeSection(b, reader.SectionOptions{}); s != nil && s.NumFDEs() > 3 {
			more++
		}
		assert.NotEmpty(t, newMutator(seed).cross([]byte{1}, inputs[1], 1))
	}
	assert.Greater(t, more, 40)
}
