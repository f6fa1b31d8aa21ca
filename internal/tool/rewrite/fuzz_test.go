package rewrite_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/testkit"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/internal/tool/rewrite"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// seeds adds sections of the corpus.
func seeds(f *testing.F) {
	files := must.Get(filepath.Glob("../../../corpus/files/*/*/*"))(f)
	for i, file := range files {
		if i%6 != 0 {
			continue
		}
		_ = reader.Scan(file, reader.Options{NoSurvey: true}, func(o *reader.Object) error {
			for _, s := range o.SFrames {
				if n := len(s.Data); n > 0 && n < 2<<10 {
					f.Add(s.Data)
					f.Add(append(append([]byte{}, s.Data...), s.Data...))
				}
			}
			return nil
		})
	}
}

// written writes the sections in data anew, with little memory, and checks the result: it
// can be decoded, has a bounded size, and stays as it is when it is written again.
func written(t *testing.T, data []byte, relocatable bool, opts rewrite.Changes) {
	t.Helper()
	pieces, err := rewrite.Split(data, 0x1000, relocatable)
	if err != nil {
		return
	}
	opts.Relocatable = relocatable
	b := budget.New(context.Background(), budget.Limits{budget.Memory: 4 << 20, budget.Work: 1 << 20})
	opts.Budget = b
	r, err := rewrite.Build(pieces, opts)
	assert.Zero(t, b.Used(budget.Memory), "what was held is given back")
	if err != nil {
		return
	}
	fdes := 0
	for i := range pieces {
		fdes += pieces[i].NumFDEs()
	}
	if !opts.Narrow { // FREs of their own are a few bytes for each of those that FDEs share
		assert.LessOrEqual(t, r.Section.NumFDEs(), fdes)
	}
	again := must.Get(rewrite.Split(r.Data, 0x1000, relocatable))(t)
	require.Len(t, again, 1)
	opts.Budget = nil
	twice := must.Get(rewrite.Build(again, opts))(t)
	assert.Equal(t, r.Data, twice.Data, "it is written again")
}

// FuzzMerge merges whatever sections come.
func FuzzMerge(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		written(t, data, false, rewrite.Changes{})
		written(t, data, true, rewrite.Changes{})
	})
}

// FuzzRewrite writes whatever sections come in as few bytes as possible.
func FuzzRewrite(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		written(t, data, false, rewrite.Changes{Narrow: true})
		written(t, data, true, rewrite.Changes{Narrow: true})
	})
}

// FuzzConvert writes whatever sections come in both versions.
func FuzzConvert(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, v := range []model.Version{model.SFRAME_VERSION_2, model.SFRAME_VERSION_3} {
			written(t, data, false, rewrite.Changes{Version: v})
			written(t, data, false, rewrite.Changes{Version: v, Narrow: true})
			written(t, data, true, rewrite.Changes{Version: v})
		}
	})
}

// A section of very many FDEs is not written with too little memory.
func TestBuildMemory(t *testing.T) {
	data := must.Get(os.ReadFile("../../../corpus/files/binutils-2.47/amd64/program.elf"))(t)
	require.NotEmpty(t, data)
	require.NoError(t, reader.Scan("../../../corpus/files/binutils-2.47/amd64/program.elf", reader.Options{}, func(o *reader.Object) error {
		pieces, err := rewrite.Split(o.SFrames[0].Data, 0, false)
		require.NoError(t, err)
		b := budget.New(context.Background(), budget.Limits{budget.Memory: 40})
		_, err = rewrite.Build(pieces, rewrite.Changes{Budget: b})
		var over *budget.Exceeded
		assert.ErrorAs(t, err, &over)
		assert.Zero(t, b.Used(budget.Memory))
		return nil
	}))
}

// FuzzSynthesize adds a section to whatever files come. The result has one section, which can be decoded, and
// what was held for it is bounded and given back.
func FuzzSynthesize(f *testing.F) {
	for _, pattern := range []string{"../../../corpus/files/other/*", "../../../corpus/files/cfi/*/*", "../../../corpus/files/binutils-2.47/*/*"} {
		files := must.Get(filepath.Glob(pattern))(f)
		for _, file := range files {
			if data, err := os.ReadFile(file); err == nil && len(data) < 3<<10 && bytes.HasPrefix(data, []byte("\x7fELF")) {
				f.Add(data, uint8(3))
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, version uint8) {
		opts := rewrite.Addition{Version: model.Version(version%3 + 1), Flex: version < 128, Replace: true}
		var out []byte
		var fdes int
		b := budget.New(context.Background(), budget.Limits{budget.Memory: 8 << 20, budget.Work: 1 << 22, budget.Names: 1 << 20, budget.Read: 1 << 30})
		used := testkit.Allocated(func() {
			_ = reader.ScanReader("x", bytes.NewReader(data), int64(len(data)), reader.Options{NoSurvey: true, Context: b}, func(o *reader.Object) error {
				if o.Status == reader.StatusDamaged {
					return nil // the command refuses it
				}
				if x, err := rewrite.Synthesize(o, opts); err == nil {
					gap, written := int64(0), int64(0)
					for _, e := range x.Edits {
						gap, written = max(gap, e.Off-int64(len(data))), written+int64(len(e.New))
					}
					gap -= written

					assert.LessOrEqual(t, gap, int64(64<<20+1<<17))
					if gap < 1<<20 {
						out, fdes = changed(data, x.Change), x.FDEs
					}
				}
				return nil
			})
		})
		assert.LessOrEqual(t, used, uint64(64<<20+1000*len(data)))
		if out == nil {
			return
		}
		n := 0
		require.NoError(t, scanBytes(t, "x", out, func(o *reader.Object) error {
			n++
			require.Len(t, o.SFrames, 1)
			require.NotNil(t, o.SFrames[0].Section)
			assert.Empty(t, o.SFrames[0].Faults)
			assert.Equal(t, fdes, o.SFrames[0].Section.NumFDEs())
			return nil
		}))
		assert.Equal(t, 1, n)
	})
}
