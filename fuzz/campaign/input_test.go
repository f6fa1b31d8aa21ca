package campaign

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/consumers"
	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/model"
)

// TestWideInputs: of valid inputs, some have what the manual allows and no tool writes, as sections of version 3 without PCREL. They
// have no error, and code.
func TestWideInputs(t *testing.T) {
	absolute := 0
	for round := int64(3); round < 160; round += 4 {
		in, err := maker{seed: 6}.input(8*round, shape{kind: breaks.Rel})
		require.NoError(t, err)
		require.Equal(t, Valid, in.Class)
		o := object(in.Data)
		assert.Empty(t, errorsIn(o), round)
		assert.Less(t, len(in.Data), 4*mostWideCode)
		if s := o.SFrames[0].Section; s.Version() == model.SFRAME_VERSION_3 && s.Header().Flags&model.SFRAME_F_FDE_FUNC_START_PCREL == 0 {
			absolute++
		}
	}
	assert.Positive(t, absolute)
	assert.Greater(t, fingerprintInputs, 8*3, "a campaign is not resumed when these change")
}

// TestKnownRejection: a program that refuses a section does so for a demand that leads to that. GNU ld ignores sections without
// functions, but it refuses this one, as it is not PCREL.
func TestKnownRejection(t *testing.T) {
	data, err := os.ReadFile("../../corpus/consumers/ld-2.47-rejects-valid-09f64eca.o")
	require.NoError(t, err)
	o := object(data)
	target := &Target{Version: "GNU ld (GNU Binutils for Debian) 2.47.50"}
	assert.Equal(t, "gnu-ld-2.46: has-fdes", target.known(o, o.SFrames[0], ""))
	assert.Equal(t, "gnu-ld-2.46: flags-set", target.known(o, o.SFrames[0], consumers.Rejects))
}
