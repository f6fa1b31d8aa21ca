package generator_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
)

// TestKnobTable checks that each knob has a field of its own and a default in
// its range, and that its values survive a flag.
func TestKnobTable(t *testing.T) {
	var c generator.Config
	for _, k := range generator.Knobs() {
		require.NoError(t, k.Put(&c, k.Default), k.Name)
		assert.Same(t, k, generator.LookupKnob(k.Name))
		assert.NotEmpty(t, k.Doc)
		for _, v := range []int64{k.Min, k.Default, k.Max} {
			back, err := k.Parse(k.Format(v))
			require.NoError(t, err, k.Name)
			assert.Equal(t, v, back, k.Name)
		}
		if k.Max < 1<<63-1 {
			assert.Error(t, k.Put(&c, k.Max+1), k.Name)
		}
	}
	// Turning one knob must leave all others as they are.
	for _, k := range generator.Knobs() {
		c := generator.Default()
		require.NoError(t, k.Put(&c, k.Max))
		for _, other := range generator.Knobs() {
			if other != k {
				assert.Equal(t, other.Default, other.Get(&c), "%s turns %s", k.Name, other.Name)
			}
		}
	}
	assert.Nil(t, generator.LookupKnob("no-such-knob"))
}

func TestSet(t *testing.T) {
	c := generator.Default()
	for _, text := range []string{"abi=s390x", "version=2", "reverse", "sorted=false", "addr=0x7f0000000000", "distance=-4096"} {
		_, err := c.Set(text)
		require.NoError(t, err)
	}
	want := generator.Default()
	want.ABI, want.Version, want.Reverse, want.Sorted, want.Addr, want.Distance = 4, 2, true, false, 0x7f0000000000, -4096
	assert.Equal(t, want, c)

	for _, bad := range []string{"abi=vax", "funcs=-1", "fp=101", "sorted=perhaps", "rows=many", "rows", "no-such-knob=1", ""} {
		_, err := c.Set(bad)
		assert.Error(t, err, bad)
	}
	assert.Error(t, generator.Config{}.Check())
	v1 := generator.Default()
	v1.Version, v1.ABI = 1, 4
	_, err := generator.Generate(v1)
	assert.ErrorContains(t, err, "V1 does not support s390x")
}

// TestFormat writes drawn configurations as text and reads them back.
func TestFormat(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		want := generator.Swarm(rnd)
		var got generator.Config
		for _, k := range generator.Knobs() {
			set, err := got.Set(k.Name + "=" + k.Format(k.Get(&want)))
			require.NoError(t, err)
			require.Equal(t, k, set)
		}
		require.Equal(t, want, got)
	}
}
