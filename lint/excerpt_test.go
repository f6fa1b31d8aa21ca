package lint

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

func TestCutOut(t *testing.T) {
	data := make([]byte, 1000)
	for i := range data {
		data[i] = byte(i)
	}
	for _, x := range []struct {
		at       model.Span
		from, to int64
	}{
		{model.Span{Off: 0, Len: 1}, 0, 32},
		{model.Span{Off: 100, Len: 4}, 80, 128},
		{model.Span{Off: 96, Len: 16}, 80, 128},
		{model.Span{Off: 90, Len: 8}, 64, 128},
		{model.Span{Off: 990, Len: 10}, 960, 1000},
		{model.Span{Off: 999, Len: 50}, 976, 1000},
		{model.Span{Off: 100, Len: 800}, 80, 80 + maxExcerpt},
		{model.Span{Off: 100}, 80, 128},
		{model.Span{Off: 5000, Len: 1}, 4976, 4976},
		{model.Span{Off: -20, Len: 1}, 0, 0},
	} {
		e := cutOut(bytes.NewReader(data), int64(len(data)), x.at)
		assert.Equal(t, x.from, e.Off, "%+v", x.at)
		assert.Equal(t, x.to-x.from, int64(len(e.Data)), "%+v", x.at)
		assert.Equal(t, x.at, e.Mark)
		if len(e.Data) > 0 {
			assert.Equal(t, byte(x.from), e.Data[0])
		}
	}
}

// The bytes of every finding are those that the file has there.
func TestExcerpts(t *testing.T) {
	for _, name := range []string{"hand/twice.o", "binutils-2.44/amd64/archives/static.a", "hand/segment-alone.elf", "hand/v3-amd64-trailing-bytes.sframe"} {
		path := corpus + name
		file, err := os.ReadFile(path)
		require.NoError(t, err)
		d := rules.Driver{Rules: catalogue.Rules()}
		n := 0
		require.NoError(t, reader.Scan(path, reader.Options{}, func(o *reader.Object) error {
			found := d.Run(o).Findings
			all := excerpts(o, path, found)
			for i := range found {
				f := &found[i]
				e, ok := all[ExcerptKeyOf(f)]
				if !ok {
					assert.Zero(t, f.Span.End(), "%s: %s", name, f.Message)
					continue
				}
				n++
				// Of the marked bytes, those that are in the excerpt.
				shown := e.Data[e.Mark.Off-e.Off : min(e.Mark.End()-e.Off, int64(len(e.Data)))]
				assert.Equal(t, file[f.FileOffset:f.FileOffset+int64(len(shown))], shown, "%s: %s", name, f.Message)
			}
			return nil
		}))
		assert.NotZero(t, n, name)
	}
}
