package proof

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// checkCode judges rows of a function of a linked file of an ABI, whose starts and ends count from its start,
// and requires of functions with a fault that they are not certified.
func checkCode(t *testing.T, abi model.ABI, code string, rows []Row) (out []Contradiction, repairs []Repair) {
	for i := range rows {
		rows[i].Start, rows[i].End = rows[i].Start+codeAt, rows[i].End+codeAt
	}
	scanProgram(t, model.LookupABI(abi), []byte(code), nil, func(o *reader.Object) {
		ranges := []Range{{Start: codeAt, End: codeAt + uint64(len(code))}}
		tr, err := New(o, ranges, nil, nil)
		require.NoError(t, err)
		require.NoError(t, tr.Run(1, func(f *Function) {
			require.True(t, f.Anchored())
			f.Check(rows, func(c Contradiction) { out = append(out, c) })
			repairs = f.Repairs()
		}))
		requireCertified(t, o, ranges, nil, [][]Row{rows})
	})
	return out, repairs
}

// TestRAWhileCalleeRuns: the row at a call describes the frame until the callee returns. RA is not in its
// register then, if it is saved.
func TestRAWhileCalleeRuns(t *testing.T) {
	r15 := func(off int64) model.Recovery {
		return model.Recovery{Kind: model.InRegister, Reg: 15, Offset: off}
	}
	row := func(from, to uint64, cfa int64, ra model.Recovery) Row {
		return Row{Row: model.Row{CFA: r15(cfa), RA: ra, FP: unchanged}, Start: from, End: to}
	}
	// stmg %r14,%r15,112(%r15); aghi %r15,-160; brasl %r14,.; lmg %r14,%r15,272(%r15); br %r14
	const code = "\xeb\xef\xf0\x70\x00\x24" + "\xa7\xfb\xff\x60" + "\xc0\xe5\x00\x00\x00\x40" + "\xeb\xef\xf1\x10\x00\x04" + "\x07\xfe"
	ends := row(0x16, 0x18, 160, unchanged)
	found, _ := checkCode(t, model.SFRAME_ABI_S390X_ENDIAN_BIG, code, []Row{row(0, 6, 160, unchanged), row(6, 10, 160, slotAt(-48)), row(10, 0x16, 320, slotAt(-48)), ends})
	require.Empty(t, found)
	late := []Row{row(0, 10, 160, unchanged), row(10, 0x10, 320, unchanged), row(0x10, 0x16, 320, slotAt(-48)), ends}
	found, repairs := checkCode(t, model.SFRAME_ABI_S390X_ENDIAN_BIG, code, late)
	require.Len(t, found, 1)
	require.Equal(t, WrongRA, found[0].Kind)
	require.Equal(t, uint64(codeAt+10), found[0].Start)
	require.Equal(t, slotAt(-48), found[0].Truth)
	require.Len(t, repairs, 1)
	require.Equal(t, uint64(codeAt+10), repairs[0].PC)
	require.Equal(t, slotAt(-48), repairs[0].New)
}

// TestFirstRowAgainstOthers: a CFA that is wrong at the entry contradicts the rows in which it is right. Code
// that is entered with more on the stack has the same distance in all of them.
func TestFirstRowAgainstOthers(t *testing.T) {
	const code = "\x53" + "\x90" + "\x5b" + "\xc3" // push %rbx; nop; pop %rbx; ret
	for _, c := range []struct {
		offs   [3]int64
		inside bool
	}{{[3]int64{16, 16, 8}, true}, {[3]int64{16, 24, 16}, false}} {
		var rows []Row
		for i, r := range [3][2]uint64{{0, 1}, {1, 3}, {3, 4}} {
			rows = append(rows, Row{Row: model.Row{CFA: sp(c.offs[i]), RA: slotAt(-8), FP: unchanged}, Start: r[0], End: r[1]})
		}
		found, _ := checkCode(t, model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, code, rows)
		require.Equal(t, WrongCFA, found[0].Kind)
		require.Equal(t, c.inside, found[0].Inside)
	}
}

// TestFrameOfCaller: libffi stores FP and the return address in memory that its caller has reserved, and makes
// that its frame: nothing is known of it.
func TestFrameOfCaller(t *testing.T) {
	// mov (%rsp),%r10; lea (%rdi,%rsi),%rax; mov %rbp,0x10(%rax); mov %r10,0x18(%rax); mov %rax,%rbp; nop; mov
	// 0x10(%rbp),%rbp; ret
	const code = "\x4c\x8b\x14\x24" + "\x48\x8d\x04\x37" + "\x48\x89\x68\x10" + "\x4c\x89\x50\x18" + "\x48\x89\xc5" + "\x90" + "\x48\x8b\x6d\x10" + "\xc3"
	found, _ := checkCode(t, model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, code, []Row{
		{Row: model.Row{CFA: sp(8), RA: slotAt(-8), FP: unchanged}, Start: 0, End: 0x13},
		{Row: model.Row{CFA: fp(32), RA: slotAt(-8), FP: slotAt(-16)}, Start: 0x13, End: 0x18}})
	require.Empty(t, found)
}
