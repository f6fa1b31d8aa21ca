package main

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sframe-lint/sframe-lint/internal/tool/campaign"
)

// TestLike: failures at one place are of one fault, and so are bad reads anywhere that go by one repair.
func TestLike(t *testing.T) {
	crash := func(key string, repairs ...string) campaign.Failing {
		x := campaign.Failing{Group: "ld", Kind: campaign.Crash, Key: key}
		x.Depends(repairs, false)
		return x
	}
	a := crash("SIGSEGV at a", "sfh_fre_len", "sfh_freoff")
	assert.True(t, like(a, crash("SIGSEGV at b", "sfh_freoff")))
	assert.True(t, like(a, crash("SIGSEGV at a")))
	assert.False(t, like(a, crash("SIGSEGV at b", "sfp_version")))
	assert.False(t, like(a, crash("SIGSEGV at b")))
	assert.False(t, like(a, crash("assertion f.c:1 x", "sfh_freoff")))
	other := a
	other.Group = "mold"
	assert.False(t, like(a, other))
}
