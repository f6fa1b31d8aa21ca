package fuzz_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/fuzz"
	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

func section(t *testing.T, c generator.Config) []byte {
	t.Helper()
	p, err := generator.Generate(c)
	require.NoError(t, err)
	b, err := generator.Encode(p)
	require.NoError(t, err)
	return b
}

// changes are the ways to change bytes.
var changes = map[string]func(*fuzz.Mutator, []byte, int) []byte{
	"blind":   (*fuzz.Mutator).Blind,
	"section": (*fuzz.Mutator).Section,
	"file":    (*fuzz.Mutator).File,
}

func TestSameSeedSameBytes(t *testing.T) {
	b := section(t, generator.Default())
	was := bytes.Clone(b)
	for name, change := range changes {
		seen := map[string]bool{}
		for seed := range uint64(200) {
			m, n := fuzz.New(seed), fuzz.New(seed)
			got := change(m, b, 6)
			assert.Equal(t, got, change(n, b, 6), "%s, seed %d", name, seed)
			assert.Equal(t, m.Log(), n.Log())
			assert.NotEmpty(t, m.Log())
			assert.NotEqual(t, b, got, "%s, seed %d changes nothing", name, seed)
			seen[string(got)] = true
		}
		assert.Greater(t, len(seen), 150, name)
	}
	assert.Equal(t, was, b, "the input is left alone")
}

func TestSmallAndLargeInputs(t *testing.T) {
	big := section(t, func() generator.Config { c := generator.Default(); c.Funcs = 40; return c }())
	for name, change := range changes {
		m := fuzz.New(7)
		m.Max = len(big) + 10
		for _, b := range [][]byte{nil, {}, {0xe2}, {0xe2, 0xde}, make([]byte, 28), big} {
			for range 300 {
				assert.LessOrEqual(t, len(change(m, b, 8)), m.Max, name)
			}
		}
	}
}

// TestSectionsStaySections is what the aware changes are for: many results
// can be read to the end, but few of the blind ones.
func TestSectionsStaySections(t *testing.T) {
	whole := map[string]int{}
	const tries = 500
	for seed := range uint64(tries) {
		c := generator.Default()
		c.Seed, c.Version = int64(seed), model.Version(1+seed%3)
		b := section(t, c)
		for name, change := range changes {
			s, _ := reader.DecodeSection(change(fuzz.New(seed), b, 6), reader.SectionOptions{})
			if s == nil {
				continue
			}
			if _, err := generator.FromModel(s); err == nil {
				whole[name]++
			}
		}
	}
	t.Logf("of %d: %v", tries, whole)
	assert.Greater(t, whole["section"], 2*whole["blind"])
	assert.NotZero(t, whole["blind"])
}

// TestChangesReachEverything checks that the aware changes come to every field
// and to all versions, ABIs, byte orders and kinds of functions and FREs.
func TestChangesReachEverything(t *testing.T) {
	base := section(t, generator.Default())
	s, _ := reader.DecodeSection(base, reader.SectionOptions{})
	changed, seen := map[model.HeaderField]bool{}, map[any]bool{}
	fdes, fres := map[int]bool{}, map[int]bool{}
	for seed := range uint64(4000) {
		u, _ := reader.DecodeSection(fuzz.New(seed).Section(base, 1), reader.SectionOptions{})
		if u == nil {
			continue
		}
		fdes[u.NumFDEs()-s.NumFDEs()] = true
		fres[u.NumFREs()-s.NumFREs()] = true
		for h := range model.NumHeaderFields {
			if !bytes.Equal(s.Bytes(h.Span()), u.Bytes(h.Span())) {
				changed[h] = true
			}
		}
		if _, err := generator.FromModel(u); err != nil {
			continue // what only some bytes claim does not count
		}
		seen[u.Version()], seen[u.Header().ABI], seen[u.BigEndian()] = true, true, true
		for i := range u.NumFDEs() {
			f := u.FDE(i)
			seen[f.Type()], seen[f.PCType()], seen[f.PauthKey()], seen[f.FREType()] = true, true, true, true
			for r := range f.FREs() {
				seen[r.WordSize()] = true
				seen[fmt.Sprintf("%d words", r.NumWords())] = true
			}
		}
	}
	assert.Len(t, changed, int(model.NumHeaderFields))
	assert.True(t, fdes[1] && fdes[-1] && fres[1] && fres[-1])
	assert.True(t, fdes[64] && fres[64], "sections grow")
	for _, v := range []any{
		model.SFRAME_VERSION_1, model.SFRAME_VERSION_2, model.SFRAME_VERSION_3, true, false,
		model.SFRAME_ABI_AARCH64_ENDIAN_BIG, model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE,
		model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, model.SFRAME_ABI_S390X_ENDIAN_BIG,
		model.SFRAME_FDE_TYPE_DEFAULT, model.SFRAME_FDE_TYPE_FLEX,
		model.SFRAME_FDE_PCTYPE_INC, model.SFRAME_FDE_PCTYPE_MASK,
		model.SFRAME_AARCH64_PAUTH_KEY_A, model.SFRAME_AARCH64_PAUTH_KEY_B,
		model.SFRAME_FRE_TYPE_ADDR1, model.SFRAME_FRE_TYPE_ADDR2, model.SFRAME_FRE_TYPE_ADDR4,
		model.SFRAME_FRE_DATAWORD_1B, model.SFRAME_FRE_DATAWORD_2B, model.SFRAME_FRE_DATAWORD_4B,
		"0 words", "1 words", "2 words", "3 words", "4 words", "5 words", "6 words",
	} {
		assert.True(t, seen[v], "%T %v", v, v)
	}
}

// TestLastInput checks that the result does not depend on earlier inputs, one of
// which is kept decoded.
func TestLastInput(t *testing.T) {
	a := section(t, generator.Default())
	c := generator.Default()
	c.Seed = 9
	b := section(t, c)
	used := fuzz.New(1)
	for seed := range uint64(200) {
		used.Section([][]byte{a, b, nil, a[:30]}[seed%4], 4)
		fresh := fuzz.New(seed)
		used.Rand = fuzz.New(seed).Rand
		assert.Equal(t, fresh.Section(a, 4), used.Section(a, 4))
		assert.Equal(t, fresh.Section(a, 4), used.Section(a, 4), "again")
	}
}

// TestBreaksAndOthers checks that known faults are made, and that pieces of
// another input are used.
func TestBreaksAndOthers(t *testing.T) {
	base := section(t, generator.Default())
	c := generator.Default()
	c.Seed = 77
	other := section(t, c)
	broken, taken := 0, 0
	for seed := range uint64(1000) {
		m := fuzz.New(seed)
		m.Other = other
		m.Section(base, 1)
		for _, line := range m.Log() {
			switch {
			case strings.HasPrefix(line, "break "):
				broken++
			case strings.HasPrefix(line, "take over"):
				taken++
			}
		}
	}
	assert.Greater(t, broken, 10)
	assert.Greater(t, taken, 5)
}

func TestTokens(t *testing.T) {
	names := map[string]bool{}
	for _, k := range fuzz.Tokens() {
		assert.Regexp(t, `^[a-z0-9_]+$`, k.Name)
		assert.False(t, names[k.Name], "%s comes twice", k.Name)
		names[k.Name] = true
		assert.NotEmpty(t, k.Bytes)
		assert.LessOrEqual(t, len(k.Bytes), 32)
	}
	assert.Greater(t, len(names), 50)
}

func TestMutatorFollowsItsRand(t *testing.T) {
	m := fuzz.New(1)
	a := m.Blind([]byte("some bytes to change"), 4)
	m.Rand = fuzz.New(1).Rand
	assert.Equal(t, a, m.Blind([]byte("some bytes to change"), 4))
}

// TestCross checks that functions of another section come into a section.
func TestCross(t *testing.T) {
	c := generator.Default()
	b := section(t, c)
	before, _ := reader.DecodeSection(b, reader.SectionOptions{})
	c.Seed++
	other := section(t, c)
	more := 0
	for seed := range uint64(100) {
		m := fuzz.New(seed)
		m.Other, m.Max = other, 1<<16
		got := m.Cross(b)
		require.LessOrEqual(t, len(got), 1<<16)
		if s, _ := reader.DecodeSection(got, reader.SectionOptions{}); s != nil && s.NumFDEs() > before.NumFDEs() {
			more++
		}
	}
	assert.Greater(t, more, 40)
}
