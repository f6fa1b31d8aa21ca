package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
)

// inputs loads the corpus's linked files of one toolchain.
func inputs(t *testing.T, folders ...string) (out []*input) {
	files, err := corpusFiles("../../corpus")
	require.NoError(t, err)
	for _, path := range files {
		for _, folder := range folders {
			if strings.Contains(filepath.ToSlash(path), "/"+folder+"/") {
				in, err := loadInput(path)
				require.NoError(t, err)
				require.NoError(t, in.vary())
				out = append(out, in)
			}
		}
	}
	require.NotEmpty(t, out)
	return out
}

// TestKinds makes every kind of fault in some file, and holds the mutants against
// what all of them must be: of another meaning, or equivalent, and nothing else changed.
func TestKinds(t *testing.T) {
	made := map[string]int{}
	all := inputs(t, "binutils-2.47", "hand")
	for _, name := range []string{"join", "loop", "shadow"} { // what no file of the corpus has
		in, err := loadInput("testdata/" + name + ".so")
		require.NoError(t, err)
		require.NoError(t, in.vary())
		all = append(all, in)
	}
	for _, in := range all {
		before := bytes.Clone(in.variants[both].data)
		o := flags{Kinds: kindsOf(sectionKinds()), Seed: 1, Count: 1}
		require.NoError(t, in.each(&o, func(m *mutant) error {
			made[m.kind.name]++
			assert.NotEmpty(t, m.Touched)
			_, _, err := in.try(&in.variants[both], m)
			return err
		}))
		assert.Equal(t, before, in.variants[both].data, "%s: a mutant stays in the file", in.Path)
	}
	for _, k := range sectionKinds() {
		assert.NotZero(t, made[k.name], "no mutant of kind %s", k.name)
	}
	assert.GreaterOrEqual(t, len(made), 45)
}

// TestEquivalent checks that the tracer takes a section for itself alone.
func TestEquivalent(t *testing.T) {
	for _, in := range inputs(t, "binutils-2.47") {
		var all Ranges
		for i := range in.plan.Funcs {
			all = append(all, Span(in.plan.Funcs[i].Start, in.plan.Funcs[i].Size))
		}
		require.NotEmpty(t, in.Points(all))
		assert.Empty(t, in.Differing(in.Base, all), in.Path)
		b := bytes.Clone(in.Base.Bytes(model.Span{Len: in.Base.Size()}))
		b[len(b)-1] ^= 0x40 // the last data word
		s, err := in.decode(b)
		require.NoError(t, err)
		assert.NotEmpty(t, in.Differing(s, all), in.Path)
	}
}

// TestFlips flips every bit of small sections of each version and ABI. Nothing may
// crash, and most flips must be flagged or change nothing that a tracer recovers.
func TestFlips(t *testing.T) {
	for _, file := range []string{
		"binutils-2.44/amd64/static.elf", "binutils-2.47/amd64/static.elf",
		"binutils-2.47/aarch64-be/static.elf", "binutils-2.47/s390x/static.elf",
	} {
		in, err := loadInput(filepath.Join("../../corpus/files", file))
		require.NoError(t, err)
		sum, err := in.flips(&flags{}, map[string]*flipped{})
		require.NoError(t, err)
		t.Logf("%-40s %+v", file, sum)
		assert.Equal(t, 8*len(in.original), sum.flips)
		assert.Equal(t, sum.flips, sum.flagged+sum.equivalent+sum.neither)
		assert.LessOrEqual(t, 100*sum.neither, 15*sum.flips, "%s: more than 15%% of the flips are neither", file)
	}
}

// unseen are the kinds of fault that CFI does not always show.
var unseen = map[string]string{
	"missing": "it is not known whether the first and the last function of a section should have an FDE",
}

// TestNothingUnseen checks that the rules find all other faults in files with .eh_frame
// and without symbols, at the right function.
func TestNothingUnseen(t *testing.T) {
	checked := 0
	for _, in := range inputs(t, "binutils-2.47") {
		x := &in.variants[frames]
		if !x.has || strings.HasSuffix(in.Path, "far.elf") { // its .eh_frame does not reach all of its code
			continue
		}
		o := flags{Kinds: kindsOf(sectionKinds()), Seed: 2, Count: 1}
		require.NoError(t, in.each(&o, func(m *mutant) error {
			if unseen[m.kind.name] != "" || len(in.Differing(m.Section, m.Touched)) == 0 {
				return nil
			}
			checked++
			got, said, err := in.try(x, m)
			assert.Equal(t, Found, got, "%s: %s at 0x%x: %v", in.Path, m.kind.name, m.Touched[0].First, said)
			return err
		}))
	}
	assert.Greater(t, checked, 1000)
}

// TestFlipsWithCFI flips some bits of files with .eh_frame: each flip is flagged or
// changes nothing.
func TestFlipsWithCFI(t *testing.T) {
	for _, abi := range []string{"amd64", "aarch64", "aarch64-be", "s390x"} {
		in, err := loadInput(filepath.Join("../../corpus/files/binutils-2.47", abi, "program.elf"))
		require.NoError(t, err)
		sum, err := in.flips(&flags{Seed: 1, Count: 1000}, map[string]*flipped{})
		require.NoError(t, err)
		assert.Equal(t, 1000, sum.flips)
		assert.Zero(t, sum.neither, abi)
	}
}
