package campaign

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/internal/evidence/consumers"
	"github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
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

// TestSimpleInputs: other valid inputs are a single function that no tool writes, as one without FREs, in a plain section: nothing else is
// in the way of what a program does with it.
func TestSimpleInputs(t *testing.T) {
	empty := map[model.Version]int{}
	for round := int64(1); round < 1600; round += 8 {
		in, err := maker{seed: 6}.input(8*round, shape{breaks.Rel, true})
		require.NoError(t, err)
		require.Equal(t, Valid, in.Class)
		o := object(in.Data)
		assert.Empty(t, errorsIn(o), round)
		s := o.SFrames[0].Section
		assert.Equal(t, 1, s.NumFDEs())
		if s.NumFREs() == 0 {
			empty[s.Version()]++
		}
	}
	assert.Positive(t, empty[model.SFRAME_VERSION_1])
	assert.Positive(t, empty[model.SFRAME_VERSION_2])
}

// TestExpected: a program that refuses a section does so for a demand that leads to that. GNU ld ignores sections without
// functions, but it refuses this one, as it is not PCREL.
func TestExpected(t *testing.T) {
	f := object(readConsumer(t, "ld-2.47-rejects-valid-09f64eca.o"))
	e := (&Target{Version: "GNU ld (GNU Binutils for Debian) 2.47.50"}).expectation(f, f.SFrames[0])
	assert.Equal(t, "gnu-ld-2.46: has-fdes", e.outcome())
	assert.Equal(t, "gnu-ld-2.46: flags-set", e.first(consumers.Rejects))
	assert.Empty(t, e.misreadDemand())
	assert.Equal(t, expectation{}, (&Target{Version: "reader 1.0"}).expectation(f, f.SFrames[0]))
}

// TestWorsens: a linker that misreads its input writes faults of any kind. The bucket is that of the misreading, if the profile
// expects it.
func TestWorsens(t *testing.T) {
	data := readConsumer(t, "ld-2.44-worsens-3ca4a5fc.o")                                // with a byte between the FDEs and the FREs
	text := data[binary.LittleEndian.Uint64(data[elf64.EhdrShoff.Off:])+elf64.ShdrSize:] // the first section, which the file has no bytes of
	binary.LittleEndian.PutUint32(text[4:], uint32(elf.SHT_PROGBITS))
	binary.LittleEndian.PutUint64(text[24:], uint64(len(data)))
	data = append(data, bytes.Repeat([]byte{0x90}, 256)...)
	in := inputOf(data)
	require.Equal(t, Valid, in.Class)
	out := bytes.Clone(in.Data)
	out[object(out).SFrames[0].Offset+model.HdrFlags.Span().Off] = 0x80
	for version, want := range map[string]string{"GNU ld 2.44": "gnu-ld-2.44: fres-follow-fdes", "LLD 23.1.4 (compatible with GNU linkers)": "SF1005"} {
		ld := &Target{Version: version, Linker: true, args: []string{"ld"}, probed: probe{reads: map[form]bool{{in.Version, in.ABI.ID}: true}}}
		v, ok := ld.disagreement(in, &run{out: out}, ending{outcome: Accepts})
		assert.True(t, ok)
		assert.Equal(t, Worsens, v.outcome)
		assert.Equal(t, want, v.key, version)
		_, ok = ld.disagreement(in, &run{out: in.Data}, ending{outcome: Accepts})
		assert.False(t, ok)
	}
}

func readConsumer(t *testing.T, name string) []byte {
	t.Helper()
	files, err := corpus.ConsumerFiles("../../../corpus")
	require.NoError(t, err)
	require.Contains(t, files, name)
	return files[name]
}
