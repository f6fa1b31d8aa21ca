package html

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/rewrite"
	"github.com/sframe-lint/sframe-lint/internal/testkit/sample"
)

// sizesPage returns a page on two sections whose names are markup.
func sizesPage(t *testing.T) string {
	t.Helper()
	all := sample.HostileSizes()
	var b bytes.Buffer
	require.NoError(t, WriteSizes(&b, sample.Tool, all))
	assert.Error(t, WriteSizes(fullDisk{}, sample.Tool, all))
	return b.String()
}

func TestSizesPage(t *testing.T) {
	page := sizesPage(t)
	for _, s := range []string{"<script", "\x1b", "\xff"} {
		assert.False(t, strings.Contains(page, s), "%q", s)
	}
	for _, s := range []string{"1028 bytes in 2 sections", "<code>rewrite</code> makes it 900 bytes", "FREs that other functions have too<td>90<td>9.0%", "It can't be written anew"} {
		assert.True(t, strings.Contains(page, s), "%q", s)
	}
	assert.Equal(t, 2+40+3+4, strings.Count(page, "<rect "), "sections, functions, libraries, objects")
	assert.True(t, strings.Contains(page, "<title>all others: 100 bytes, 9.7%</title>"))
	assert.True(t, strings.Contains(page, "<title>of no object: 28 bytes, 2.7%</title>"))
	for _, name := range []string{"section", "div", "table", "figure", "svg", "g", "text"} {
		assert.Len(t, regexp.MustCompile(`<`+name+`[ >]`).FindAllString(page, -1), strings.Count(page, "</"+name+">"), name)
	}
}

// The parts of a picture fill it, in proportion to their bytes, and stay inside.
func TestSquares(t *testing.T) {
	for _, sizes := range [][]int64{{1}, {5, 1}, {600, 600, 400, 300, 200, 200, 100}, {1 << 40, 1, 1, 0, 0}} {
		var all []rewrite.Share
		sum := int64(0)
		for _, n := range sizes {
			all = append(all, rewrite.Share{Bytes: n})
			sum += n
		}
		areas := squares(all, 600, 400)
		require.Len(t, areas, len(sizes))
		for i, r := range areas {
			assert.InDelta(t, 600*400*float64(sizes[i])/float64(sum), r.w*r.h, 1e-3)
			assert.GreaterOrEqual(t, r.x, 0.0)
			assert.LessOrEqual(t, r.x+r.w, 600.001)
			assert.LessOrEqual(t, r.y+r.h, 400.001)
		}
	}
}
