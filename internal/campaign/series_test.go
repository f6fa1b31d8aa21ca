//go:build unix

package campaign

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/model"
)

// grown returns a series with times that grow with a power of the size.
func grown(power func(float64) float64) (all []Point) {
	for n := int64(500); n <= 8000; n *= 2 {
		all = append(all, Point{n, power(float64(n))})
	}
	return all
}

func square(x float64) float64 { return x * x * 1e-8 } // 0.64 s for 8000

func TestExponent(t *testing.T) {
	assert.InDelta(t, 2, exponent(grown(square)), 1e-9)
	assert.InDelta(t, 1, exponent(grown(func(x float64) float64 { return x * 1e-4 })), 1e-9)
	assert.Zero(t, exponent(grown(square)[:2]), "too few points")
	step := grown(func(x float64) float64 { return x * 1e-5 })
	step[len(step)-1].Seconds *= 4
	assert.Less(t, exponent(step), maxExponent, "the last one alone is slow")
	assert.Zero(t, exponent(grown(func(x float64) float64 { return square(x) / 10 })), "too short")
}

// TestScales: each scale has sections of all its sizes, of a form that the target reads.
func TestScales(t *testing.T) {
	t.Parallel()
	target := &Target{probed: probe{reads: map[form]bool{
		{model.SFRAME_VERSION_2, model.SFRAME_ABI_S390X_ENDIAN_BIG}:      true,
		{model.SFRAME_VERSION_2, model.SFRAME_ABI_AMD64_ENDIAN_LITTLE}:   true,
		{model.SFRAME_VERSION_1, model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE}: true,
		{model.SFRAME_VERSION_3, model.SFRAME_ABI_AARCH64_ENDIAN_BIG}:    false,
		{model.SFRAME_VERSION_1, model.SFRAME_ABI_AMD64_ENDIAN_LITTLE}:   true,
		{model.SFRAME_VERSION_2, model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE}: true,
	}, absolute: true}}
	for i, sc := range scales {
		for _, n := range []int64{4, firstSize, lastSize} {
			if testing.Short() && n == lastSize {
				continue
			}
			r, ok := sc.recipe(target, n)
			require.True(t, ok)
			subject, err := r.Replay()
			require.NoError(t, err, "scale %d, %d", i, n)
			section := object(subject.File()).SFrames[0].Section
			assert.Equal(t, model.SFRAME_VERSION_2, section.Version())
			assert.Zero(t, section.Header().Flags&model.SFRAME_F_FDE_FUNC_START_PCREL)
			assert.Equal(t, model.ABI(model.SFRAME_ABI_AMD64_ENDIAN_LITTLE), section.ABI().ID)
			if sc.grows == "functions" {
				assert.EqualValues(t, n, section.NumFDEs())
			} else {
				assert.EqualValues(t, n, section.FDE(0).NumFREs())
			}
		}
	}
	_, ok := scales[0].recipe(&Target{}, 4)
	assert.False(t, ok)
}

// TestSeries: a series is found once, its find is a recipe, and it explains slow runs on large sections.
func TestSeries(t *testing.T) {
	path := script(t, "fake.sh", fake)
	o := fakeOptions(t.TempDir(), path, 0, 1)
	o.Count = batchSize
	_, err := Run(t.Context(), o)
	require.NoError(t, err)
	j, err := loadJournal(o.Dir)
	require.NoError(t, err)
	for k := range len(scales) {
		assert.True(t, j.done[int64(-1-k)], "scale %d", k)
	}
	target := o.Targets[0]
	c := &campaign{Options: o, begun: time.Now(), journal: j, claimed: map[string]bool{}}
	none, _, _ := c.nextSeries(t.Context())
	assert.Nil(t, none, "all are in the journal")

	h := &hit{Bucket{target.Name, Quadratic, "functions", ""}, 1, int64(-len(scales)), seriesText(grown(square), "functions"), "", grown(square)}
	require.NoError(t, c.findSeries(target, h))
	dir := filepath.Join(o.Dir, findsName, h.ID())
	text, err := os.ReadFile(filepath.Join(dir, "report.md"))
	require.NoError(t, err)
	assert.Contains(t, string(text), "| 8000 | 0.640 |")
	assert.Contains(t, string(text), "exponent of the growth is 2.0")
	data, err := os.ReadFile(filepath.Join(dir, "recipe.json"))
	require.NoError(t, err)
	var r breaks.Recipe
	require.NoError(t, r.UnmarshalJSON(data))
	assert.EqualValues(t, 4000, r.Config.Funcs, "the smallest one that takes long enough")

	r.Config.Funcs = 2000
	subject, err := r.Subject()
	require.NoError(t, err)
	in := &Input{Data: subject.File()}
	_, ok := c.quadratic(target, in, time.Second/10)
	assert.False(t, ok, "nothing is known of the target")
	j.count(&batch{Number: -100, Hits: []*hit{h}})
	v, ok := c.quadratic(target, in, time.Second/10)
	assert.True(t, ok)
	assert.Equal(t, h.Bucket, target.failure(v))
	_, ok = c.quadratic(target, in, time.Second)
	assert.False(t, ok, "2000 functions do not take that long")
}
