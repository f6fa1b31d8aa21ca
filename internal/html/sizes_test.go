package html

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/rewrite"
)

// sizesPage returns a page on two sections whose names would be markup.
func sizesPage(t *testing.T) string {
	t.Helper()
	const evil = `"><script>document.title="owned"</script>` + "\x1b\xff"
	s := &rewrite.Size{Path: evil, Version: 3, ABI: "AMD64", Bytes: 1000, FDEs: 3, FREs: 9, EHFrame: 900, Parts: rewrite.Parts{Header: 28, Words: 972},
		Least: 900, Costs: rewrite.Costs{Shared: 90, Starts: 10}}
	for i := range 40 {
		s.Functions = append(s.Functions, rewrite.FunctionSize{Name: evil, Start: "0x1", Bytes: int64(20 - i/4)})
	}
	all := rewrite.NewSizes()
	all.Sections = append(all.Sections, s, &rewrite.Size{Path: "b", Member: evil, Bytes: 28, Least: 28, Reason: evil})
	all.Finish()
	all.Unattributed = 28
	all.Libraries = []*rewrite.LibrarySize{
		{ObjectSize: rewrite.ObjectSize{Name: evil, Bytes: 900}, Count: 2, Objects: []rewrite.ObjectSize{{Name: evil, Bytes: 800}}},
		{ObjectSize: rewrite.ObjectSize{Bytes: 100}, Count: 1, Objects: []rewrite.ObjectSize{{Name: "main.o", Bytes: 100}}},
	}
	var b bytes.Buffer
	require.NoError(t, WriteSizes(&b, tool, all))
	assert.Error(t, WriteSizes(fullDisk{}, tool, all))
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
