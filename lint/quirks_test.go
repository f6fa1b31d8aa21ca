package lint

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/rules"
)

// TestZeroOptions: without options, a run judges as the command does. GNU ld writes the .plt.got of
// each PIE wrongly, which is a note that is not shown.
func TestZeroOptions(t *testing.T) {
	const file = "../corpus/files/binutils-2.47/amd64/pltgot.elf"
	shown := func(o Options) (out []string) {
		files, _ := run(t, o, file)
		require.Len(t, files, 1)
		for _, x := range files[0].Objects {
			for _, f := range x.Findings {
				out = append(out, f.Rule.ID+" "+f.Severity.String())
			}
		}
		return out
	}
	assert.Empty(t, shown(Options{}))
	assert.Equal(t, []string{"SF6018 error"}, shown(Options{Profile: "toolchain", Show: rules.Error}))
	_, err := New(Options{Profile: "nosuch"})
	assert.ErrorContains(t, err, "profile: ")
}

// TestKernelProfile: an object file with a function that has CFI and no FDE fails in profile kernel only.
func TestKernelProfile(t *testing.T) {
	for profile, want := range map[string][]string{"kernel": {"SF6025"}, "app": nil, "strict": nil} {
		files, _ := run(t, Options{Profile: profile, Show: rules.Error}, "../corpus/files/field/object-lost.o")
		var got []string
		for _, o := range files[0].Objects {
			for _, f := range o.Findings {
				got = append(got, f.Rule.ID)
			}
		}
		assert.Equal(t, want, got, profile)
	}
}
