package compare_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/testkit"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/internal/tool/compare"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

func unitOf(t *testing.T, p *generator.Plan) *compare.Unit {
	t.Helper()
	f, err := generator.WrapExec(p)
	require.NoError(t, err)
	var u *compare.Unit
	require.NoError(t, reader.ScanReader("x", bytes.NewReader(f.Bytes), int64(len(f.Bytes)), reader.Options{}, func(o *reader.Object) error {
		u, err = loader.UnitOf(o)
		return err
	}))
	return u
}

// A version says the same as another one that a plan is converted to, until
// one row of one function says something else.
func TestConvertedIsEqual(t *testing.T) {
	compared := 0
	for seed := range int64(40) {
		c := generator.Default()
		c.Seed, c.Version, c.ABI = seed, 3, 3
		c.Flexible, c.Empty, c.Signal, c.Funcs = 0, 0, 0, 5
		p := must.Get(generator.Generate(c))(t)
		q, err := generator.Convert(p, model.SFRAME_VERSION_2)
		if err != nil {
			continue // version 2 has no words for it
		}
		a := unitOf(t, p)
		require.Empty(t, compare.Diff(a, unitOf(t, q)), "seed %d", seed)
		require.Equal(t, 5, a.NumFunctions())
		compared++

		f := int(seed) % len(q.Funcs)
		if len(q.Funcs[f].Rows) == 0 {
			continue
		}
		row := &q.Funcs[f].Rows[int(seed)%len(q.Funcs[f].Rows)]
		row.Rules.CFA.Offset += 8
		row.Words = nil
		changed := compare.Diff(a, unitOf(t, q))
		if row.Rules.Outermost() {
			continue
		}
		require.NotEmpty(t, changed, "seed %d", seed)
		for _, d := range changed {
			assert.Equal(t, compare.Rules, d.Kind)
			assert.Equal(t, changed[0].Function, d.Function, "one function alone")
		}
	}
	assert.Greater(t, compared, 10)
}

// FDEs that claim very many stubs each must not take memory for all of them.
func TestStubsAreBounded(t *testing.T) {
	abi := model.LookupABI(model.SFRAME_ABI_AMD64_ENDIAN_LITTLE)
	entry := model.Row{
		CFA: model.Recovery{Kind: model.InRegister, Reg: abi.SP, Offset: 8},
		RA:  model.Recovery{Kind: model.FromCFA, Deref: true, Offset: -8},
		FP:  model.Recovery{Kind: model.Unchanged},
	}
	pushed := entry
	pushed.CFA.Offset = 16
	p := &generator.Plan{
		Version: model.SFRAME_VERSION_3, ABI: abi.ID, FixedRA: abi.FixedRA, Addr: 0x1000,
		Flags: model.SFRAME_F_FDE_FUNC_START_PCREL | model.SFRAME_F_FDE_SORTED,
	}
	for i := range 200 {
		p.Funcs = append(p.Funcs, generator.Func{
			Start: 0x100000 + uint64(i)*0x40000, Size: 0x40000, PCType: model.SFRAME_FDE_PCTYPE_MASK, RepSize: 16,
			Rows: []generator.Row{{Rules: entry}, {Start: 6, Rules: pushed}},
		})
	}
	u := unitOf(t, p)
	require.Equal(t, 200, u.NumFunctions())
	assert.Less(t, testkit.Allocated(func() { assert.Empty(t, compare.Diff(u, u)) }), uint64(64<<10))
}

// FuzzLink takes whatever comes as an input and as the output of a linker: they are
// compared as such, with each other, and in a census. A file does not differ from
// itself, reports are valid, and memory and reports are bounded by the inputs.
func FuzzLink(f *testing.F) {
	const dir = "../../../corpus/files/binutils-2.47/amd64"
	var files [][]byte
	for _, name := range []string{"signal.o", "program.elf"} {
		b := must.Get(os.ReadFile(filepath.Join(dir, name)))(f)
		files = append(files, b)
	}
	f.Add(files[0], files[1])
	f.Add(files[1], files[0])
	f.Add(files[0], files[0])
	f.Add([]byte("!<arch>\n"), []byte{0xe2, 0xde, 2})
	f.Fuzz(func(t *testing.T, a, b []byte) {
		if bytes.HasPrefix(a, []byte("!<thin>\n")) || bytes.HasPrefix(b, []byte("!<thin>\n")) {
			return
		}
		var out bytes.Buffer
		census := compare.NewStat().Census
		var loader compare.Loader
		load := func(name string, data []byte) (all []*compare.Unit) {
			err := reader.ScanReader(name, bytes.NewReader(data), int64(len(data)), reader.Options{}, func(o *reader.Object) error {
				u, err := loader.UnitOf(o)
				all = append(all, u)
				census.Add(o)
				return err
			})
			require.NoError(t, err)
			return all
		}
		most := uint64(64<<10 + 400*(len(a)+len(b)))
		used := testkit.Allocated(func() {
			as, bs := load("a", a), load("b", b)
			diff := compare.Files(compare.Side{Name: "a", Units: as}, compare.Side{Name: "b", Units: bs}, "")
			require.NoError(t, compare.WriteDiff(&out, diff))
			require.NoError(t, compare.WriteJSON(&out, diff))
			if len(bs) == 1 {
				link := compare.Link(as, bs[0])
				require.NoError(t, compare.WriteLink(&out, link, -1))
				require.NoError(t, compare.WriteJSON(&out, link))
			}
			census.Finish()
			require.NoError(t, compare.WriteCensus(&out, census))
			require.True(t, compare.Files(compare.Side{Name: "a", Units: as}, compare.Side{Name: "a", Units: as}, "").Equal)
			var b bytes.Buffer
			require.NoError(t, compare.WriteJSON(&b, diff))
			require.True(t, json.Valid(b.Bytes()))
		})
		require.LessOrEqual(t, uint64(out.Len()), most)
		require.LessOrEqual(t, used, 64*most)
		var sink bytes.Buffer
		w := escape.NewWriter(&sink, escape.Text)
		_, err := w.Write(out.Bytes())
		require.NoError(t, err)
		require.NoError(t, w.Close())
		require.NoError(t, testkit.Obeyed(sink.String()))
	})
}
