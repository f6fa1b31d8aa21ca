package proof

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// inRow judges a row of code that is a function, from one offset to another.
func inRow(t *testing.T, abi model.ABIInfo, code string, row model.Row, from, to uint64) (out []string) {
	b := unhex(t, code)
	scanProgram(t, abi, b, nil, func(o *reader.Object) {
		tr, err := New(o, []Range{{Start: codeAt, End: codeAt + uint64(len(b))}}, nil, nil)
		require.NoError(t, err)
		tr.facts[0].evidence |= Called
		require.NoError(t, tr.Run(1, func(f *Function) {
			f.Check([]Row{{Row: row, Start: codeAt + from, End: codeAt + to}}, func(c Contradiction) {
				out = append(out, fmt.Sprintf("%v from %#x to %#x: %s", c.Kind, c.Start-codeAt, c.End-codeAt, c.Got.Format(abi)))
			})
		}))
	})
	return out
}

// TestVaryingSP: after a variable number of bytes has been reserved, no CFA that counts from SP is right. GCC's
// code for alloca(n), without and with -fstack-clash-protection, and rows from the first instruction at which SP
// is certainly not always the same.
func TestVaryingSP(t *testing.T) {
	for _, c := range []struct {
		name     string
		abi      model.ABI
		code     string
		from, to uint64
		fp, ra   model.Recovery
		cfa      [2]uint32 // the right one: a register and an offset
	}{
		{"AMD64", model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, "55 488d4717 4889fe 4883e0f0 4889e5 4154 53 4889fb 4829c4 4c8d64240f 4983e4f0 4c89e7 e800000000 4889d8 48c1e83f 4801d8 48d1f8 490fbe0404 488d65f0 5b 415c 5d c3",
			0x18, 0x3f, slotAt(-16), slotAt(-8), [2]uint32{6, 16}},
		{"AMD64, probed", model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, "55 488d4717 4889c2 482500f0ffff 4883e2f0 4889e5 4154 53 4889fb 4889e1 4829c1 4839cc 7415 4881ec00100000 48838c24f80f000000 4839cc 75eb 81e2ff0f0000 4829d4 4885d2 7537 4c8d64240f 4889de 4983e4f0 4c89e7 e800000000 4889d8 48c1e83f 4801d8 48d1f8 490fbe0404 488d65f0 5b 415c 5d c3 0f1f840000000000 48834c14f800 ebc1",
			0x3b, 0x73, slotAt(-16), slotAt(-8), [2]uint32{6, 16}},
		{"AArch64", model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE, "fd7bbea9 fd030091 f35301a9 f30300aa 003c0091 e10313aa 00ec7c92 73fe538b ff6320cb f4030091 73fe4193 e00314aa 00000094 806a7338 bf030091 f35341a9 fd7bc2a8 c0035fd6",
			0x24, 0x3c, slotAt(-32), slotAt(-24), [2]uint32{29, 32}},
		{"AArch64, probed", model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE, "fd7bbea9 fd030091 f35301a9 f30300aa 003c0091 01bc7092 ff4300d1 e16321cb 00ec7c92 ff6321eb a0000054 ff4340d1 ff0302f9 ff6321eb a1ffff54 003c4092 ff6320cb ff0300f9 1f0010f1 82010054 e10313aa 73fe538b f4430091 73fe4193 e00314aa 00000094 806a7338 bf030091 f35341a9 fd7bc2a8 c0035fd6 ff0302f9 f4ffff17",
			0x3c, 0x70, slotAt(-32), slotAt(-24), [2]uint32{29, 32}},
		{"s390x", model.SFRAME_ABI_S390X_ENDIAN_BIG, "ec12000700d9 a517fff8 b9040032 eb9ff0480024 b90400a2 e3f0ff60ff71 b90400bf b90900f1 4190f0a0 b9040029 c0e500000000 eb1a003f000c b908001a eb110001000a e321f0a00090 eb9fb0e80004 07fe",
			0x26, 0x50, slotAt(-72), slotAt(-48), [2]uint32{11, 320}},
		{"s390x, probed", model.SFRAME_ABI_S390X_ENDIAN_BIG, "eb9ff0480024 ec12000700d9 b90400a2 ec2100b30055 a517fff8 e3f0ff60ff71 b9e9202f b90400bf b92000f2 a784000c e3f0f000ff71 e300fff80020 b92000f2 a774fff8 ec1134bf0055 b90900f1 b9020011 a774001a 4190f0a0 b904003a b9040029 c0e500000000 eb1a003f000c b908001a eb110001000a e321f0a00090 eb9fb0e80004 07fe e301fff8ff20 a7f4ffe5",
			0x44, 0x84, slotAt(-72), slotAt(-48), [2]uint32{11, 320}},
	} {
		t.Run(c.name, func(t *testing.T) {
			abi := model.LookupABI(c.abi)
			row := model.Row{CFA: model.Recovery{Kind: model.InRegister, Reg: c.cfa[0], Offset: int64(c.cfa[1])}, RA: c.ra, FP: c.fp}
			require.Empty(t, inRow(t, abi, c.code, row, c.from, c.to))
			row.CFA.Reg = abi.SP
			want := fmt.Sprintf("CFA from %#x to %#x: an address in the stack that varies", c.from, c.to)
			require.Equal(t, []string{want}, inRow(t, abi, c.code, row, c.from, c.to))
		})
	}
}

// TestInside: nothing calls the function, and it does not return, so that the state at its start is not known.
// A row that becomes wrong while it is in force is wrong in spite of that, whatever it says first.
func TestInside(t *testing.T) {
	const usage = "53 89fb e8fb010000 4883ec10 e8fb010000 0f0b" // push, mov, call, sub, call, ud2
	for _, c := range []struct {
		name string
		rows [][3]uint64 // from, to, and where the CFA is from SP on
		want []string
	}{
		{"right", [][3]uint64{{0, 1, 8}, {1, 12, 16}, {12, 19, 32}}, nil},
		{"right from another state on", [][3]uint64{{0, 1, 48}, {1, 12, 56}, {12, 19, 72}}, nil},
		{"no row after the push", [][3]uint64{{0, 12, 8}, {12, 19, 24}}, []string{"CFA from 0x1 to 0xc, by -8, truth rsp+16"}},
		{"no row after the sub", [][3]uint64{{0, 1, 8}, {1, 19, 16}}, []string{"CFA from 0xc to 0x13, by -16, truth rsp+32"}},
		{"no row after the sub, from another state on", [][3]uint64{{0, 1, 40}, {1, 19, 48}}, []string{"CFA from 0xc to 0x13, by -16, truth rsp+64"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var rows []Row
			for _, r := range c.rows {
				rows = append(rows, Row{Row: model.Row{CFA: sp(int64(r[2])), RA: slotAt(-8), FP: unchanged}, Start: codeAt + r[0], End: codeAt + r[1]})
			}
			var got []string
			abi := model.LookupABI(model.SFRAME_ABI_AMD64_ENDIAN_LITTLE)
			scanProgram(t, abi, unhex(t, usage), nil, func(o *reader.Object) {
				tr, err := New(o, []Range{{Start: codeAt, End: codeAt + 19}}, nil, nil)
				require.NoError(t, err)
				require.NoError(t, tr.Run(1, func(f *Function) {
					require.False(t, f.Anchored())
					f.Check(rows, func(c Contradiction) {
						require.True(t, c.Inside)
						got = append(got, fmt.Sprintf("%v from %#x to %#x, by %d, truth %s", c.Kind, c.Start-codeAt, c.End-codeAt, c.By, c.Truth.Format(abi)))
					})
				}))
			})
			require.Equal(t, c.want, got)
		})
	}
}

// TestPaths judges one row of code of AMD64.
func TestPaths(t *testing.T) {
	for _, c := range []struct {
		name, code string
		from, to   uint64
		cfa, fp    model.Recovery
		want       []string
	}{
		{"FP has what a call returned", "55 e800020000 4889c5 90 5d c3", 9, 10, sp(16), unchanged, []string{"FP from 0x9 to 0xa: another value"}},
		{"no frame is where a call returned", "55 e800020000 4889c5 90 5d c3", 9, 10, fp(16), slotAt(-16), []string{"CFA from 0x9 to 0xa: another value"}},
		{"FP has an argument", "55 4889fd 90 5d c3", 4, 5, fp(16), slotAt(-16), []string{"CFA from 0x4 to 0x5: the caller's rdi"}},
		{"FP has an argument that has become the frame", "48892e 4889f5 90 488b6d00 c3", 6, 7, fp(16), model.Recovery{Kind: model.InRegister, Deref: true, Reg: 6}, nil},
		{"a slot that nothing is stored in", "55 4883ec10 e800020000 31ed 90 4883c410 5d c3", 12, 13, sp(32), slotAt(-24), []string{"FP from 0xc to 0xd: another value"}},
		{"a slot below SP, which a call has used", "55 4883ec10 e800020000 31ed 90 4883c410 5d c3", 12, 13, sp(32), slotAt(-40), []string{"FP from 0xc to 0xd: another value"}},
		{"FP is overwritten on one path", "55 85ff 7402 31ed 90 5d c3", 7, 8, sp(16), unchanged, []string{"FP from 0x7 to 0x8: another value on one of several paths"}},
		{"FP is two frames", "55 85ff 7405 4889e5 eb05 488d6c24e0 90 5d c3", 0xf, 0x10, fp(16), slotAt(-16), []string{"CFA from 0xf to 0x10: another value on one of several paths"}},
		{"the same condition restores FP", "85ff 7405 4889e8 31ed 90 85ff 7403 4889c5 c3", 0x11, 0x12, sp(8), unchanged, nil},
		{"the path after a call that may not return", "55 e800020000 85c0 7407 31ed e800020000 90 5d c3", 0x11, 0x12, sp(16), unchanged, nil},
		{"SP is moved and moved back", "55 4889e5 4829fc 90 4801fc 90 5d c3", 11, 12, sp(16), slotAt(-16), nil},
		{"SP has been moved", "55 4889e5 4829fc 90 c9 c3", 7, 8, sp(16), slotAt(-16), []string{"CFA from 0x7 to 0x8: an address in the stack that varies"}},
		{"a constant that a probe keeps", "55 4889e5 b800100000 e800020000 4829c4 90 c9 c3", 0x11, 0x12, sp(4112), slotAt(-16), nil},
		{"a call below a moved SP", "55 4889e5 4829fc e800020000 90 c9 c3", 12, 13, fp(16), slotAt(-16), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			row := model.Row{CFA: c.cfa, RA: slotAt(-8), FP: c.fp}
			require.Equal(t, c.want, inRow(t, model.LookupABI(model.SFRAME_ABI_AMD64_ENDIAN_LITTLE), c.code, row, c.from, c.to))
		})
	}
}

// TestAssumed: what the path of a witness takes for granted is said with it.
func TestAssumed(t *testing.T) {
	code := unhex(t, "4883ec18 4885ff 7402 ffe6 e800020000 4883c418 c3") // sub, test, je, jmp *%rsi, call, add, ret
	row := func(start, end uint64, cfa int64) Row {
		return Row{Row: model.Row{CFA: sp(cfa), RA: slotAt(-8), FP: unchanged}, Start: codeAt + start, End: codeAt + end}
	}
	rows := []Row{row(0, 4, 8), row(4, 16, 32), row(16, 21, 8)}
	scanProgram(t, model.LookupABI(model.SFRAME_ABI_AMD64_ENDIAN_LITTLE), code, nil, func(o *reader.Object) {
		found, err := Of(o, Functions{Ranges: []Range{{Start: codeAt, End: codeAt + 21}}, Rows: func(int, []Row) []Row { return rows }})
		require.NoError(t, err)
		require.Len(t, found.Wrong, 1)
		w := &found.Wrong[0]
		require.Equal(t, codeAt+uint64(16), w.Start)
		require.Equal(t, codeAt+uint64(9), w.Jump)
		words := Words{ABI: model.LookupABI(model.SFRAME_ABI_AMD64_ENDIAN_LITTLE), Address: func(_ uint32, pc uint64) string { return fmt.Sprintf("%#x", pc) }}
		all := words.Witness(w)
		require.Equal(t, fmt.Sprintf("assumption: the indirect jump at %#x leads to code of the path, since nothing else does", codeAt+9), all[len(all)-1])
	})
}
