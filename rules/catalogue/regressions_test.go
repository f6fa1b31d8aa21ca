package catalogue_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// lint runs all rules that are on by default over a raw section.
func lint(t *testing.T, data []byte, addr uint64) (found []string) {
	t.Helper()
	d := &rules.Driver{Rules: catalogue.Default()}
	err := reader.ScanReader("section", bytes.NewReader(data), int64(len(data)), reader.Options{Raw: true, RawAddress: addr},
		func(o *reader.Object) error {
			r := d.Run(o)
			assert.Empty(t, r.Failures)
			for _, f := range r.Findings {
				if f.Severity > rules.Note {
					found = append(found, fmt.Sprintf("%s 0x%x+%d", f.Rule.ID, f.Span.Off, f.Span.Len))
				}
			}
			return nil
		})
	require.NoError(t, err)
	return found
}

// TestRegressions: sections that were judged wrongly once, each named after what
// was judged.
func TestRegressions(t *testing.T) {
	for _, test := range []struct {
		name string
		addr uint64
		hex  string
		want []string
	}{
		{
			"functions on both sides of a section without an address, out of order", 0x0,
			"e2de02010300f8000200000002000000060000000000000028000000001000004000000000000000010000000000000000f0" +
				"ffff40000000030000000100000000000000000308000308",
			[]string{"SF2010 0x30+4"},
		},
		{
			"the same, three of them", 0x0,
			"e2de02010300f800030000000300000009000000000000003c00000000f0ffff400000000000000001000000000000000020" +
				"0000400000000300000001000000000000000010000040000000060000000100000000000000000308000308000308",
			[]string{"SF2010 0x44+4"},
		},
		{
			"rows of its own after those that are shared too often", 0x400000,
			"e2de02010300f800070000000e0000000c000000000000008c00000000100000400000000000000002000000000000004010" +
				"0000400000000000000002000000000000008010000040000000000000000200000000000000c01000004000000000000000" +
				"0200000000000000001100004000000000000000020000000000000040110000400000000000000002000000000000000020" +
				"000010000000060000000200000000000000000308010310000308300310",
			[]string{"SF3010 0x38+4", "SF3010 0x4c+4", "SF3010 0x60+4", "SF3013 0x74+4", "SF3013 0x88+4", "SF3007 0xb1+1"},
		},
		{
			"row after one that starts at the function's end", 0x400000,
			"e2de02050300f800010000000300000009000000000000001400000000100000400000000000000003000000000000000003" +
				"08400310200318",
			[]string{"SF3006 0x33+1", "SF3005 0x36+1"},
		},
		{
			"row that starts at the function's end twice", 0x400000,
			"e2de02050300f800010000000300000009000000000000001400000000100000400000000000000003000000000000000003" +
				"08400310400318",
			[]string{"SF3006 0x33+1", "SF3005 0x36+1", "SF3006 0x36+1"},
		},
		{
			"attribute at the end of the sub-section", 0x400000,
			"e2de03050300f80002000000050000000d000000000000002000000000100000000000004000000000000000002000000000" +
				"0000400000000800000001000000000003080400000000",
			[]string{"SF3002 0x49+0"},
		},
		{
			"RA below SP on AMD64, FP saved", 0x400000,
			"e2de02010300f800010000000100000006000000000000001400000000100000400000000000000001000000000000000025" +
				"78fff0ff",
			[]string{"SF3101 0x32+2", "SF3103 0x32+2"},
		},
		{
			"flexible FDE without rows", 0x400000,
			"e2de03050300f8000100000000000000050000000000000010000000001000000000000040000000000000000000000100",
			[]string{"SF2018 0x2c+2"},
		},
		{
			"FREs without bytes before the FDEs", 0x400000,
			"e2de02010300f80001000000000000000000000000000000000000000010000040000000000000000000000000000000",
			[]string{"SF1014 0x18+4", "SF2018 0x28+4"},
		},
		{
			"nothing at all", 0x400000,
			"",
			[]string{"SF1002 0x0+0"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			b, err := hex.DecodeString(test.hex)
			require.NoError(t, err)
			assert.Equal(t, test.want, lint(t, b, test.addr))
		})
	}
}

// manyRows makes a V2 section for AMD64 of FDEs with n rows each, MASK ones where
// a stub has a size.
func manyRows(fdes, n int, rep, freType byte, row func(i int) []byte) []byte {
	le := binary.LittleEndian
	var rows []byte
	for i := range n {
		rows = append(rows, row(i)...)
	}
	b := append(le.AppendUint16(nil, 0xdee2), 2, 1, 3, 0, 0xf8, 0)
	for _, v := range []int{fdes, fdes * n, fdes * len(rows), 0, fdes * 20} {
		b = le.AppendUint32(b, uint32(v))
	}
	info := freType
	if rep > 0 {
		info |= 1 << 4
	}
	for k := range fdes {
		for _, v := range []int{0x1000 + 0x20*k, 0x20, k * len(rows), n} {
			b = le.AppendUint32(b, uint32(v))
		}
		b = append(b, info, rep, 0, 0)
	}
	for range fdes {
		b = append(b, rows...)
	}
	return b
}

// TestHostileCounts ends soon where the work grows with the rows, and in hours
// where it grows with their square.
func TestHostileCounts(t *testing.T) {
	found := lint(t, manyRows(2, 200_000, 16, 0, func(int) []byte { return []byte{0, 1} }), 0x400000)
	assert.NotEmpty(t, found)
	const good = 1_000_000
	found = lint(t, manyRows(1, good+2000, 0, 2, func(i int) []byte {
		if i < good {
			return []byte{byte(i), byte(i >> 8), byte(i >> 16), 0, 3, 8}
		}
		return []byte{0, 0, 0, 0, 0x83, 7} // the mangled bit on AMD64, CFA not aligned
	}), 0x400000)
	assert.Greater(t, len(found), 2000)
}
