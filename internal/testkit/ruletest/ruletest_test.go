package ruletest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

func TestHex(t *testing.T) {
	text := "01 0203 # a comment 04\n\t00000040 @4:1000"
	require.Equal(t, []byte{1, 3, 2, 0x40, 0, 0, 0, 0xf9, 0xef, 0xff, 0xff}, Hex(t, text, false))
	require.Equal(t, []byte{1, 2, 3, 0, 0, 0, 0x40, 0xff, 0xff, 0xef, 0xf9}, Hex(t, text, true))
	require.Equal(t, []byte{0, 0, 0, 0, 0, 0, 0x10, 0}, Hex(t, "@8:3000", true))
}

// The valid sections are what the rules' tests start from: nothing may be
// wrong with them, and each must have what its description promises.
func TestBases(t *testing.T) {
	for _, b := range Bases() {
		t.Run(b.Name, func(t *testing.T) {
			f := Raw(b.Bytes(t)).SFrames[0]
			require.Empty(t, f.Faults)
			s := f.Section
			require.Empty(t, s.Gaps())
			require.Equal(t, b.ABI(), s.ABI())
			require.Equal(t, b.Big, s.BigEndian())
			require.True(t, s.ABI().InVersion(s.Version()))
			require.Equal(t, int(s.Header().NumFREs), s.NumFREs())
			require.Equal(t, int64(s.Header().FRELen), s.Size()-s.FRESubsection().Off)
			require.True(t, s.StartsAscend() && s.Disjoint())
			end := uint64(0x1000)
			for i := range s.NumFDEs() {
				fde := s.FDE(i)
				require.Equal(t, end, fde.Start())
				end = fde.End()
				checkRows(t, fde)
			}
			require.Equal(t, map[model.Version]int{1: 2, 2: 4, 3: 5}[s.Version()], s.NumFDEs())
		})
	}
}

func checkRows(t *testing.T, f model.FDE) {
	t.Helper()
	next := uint32(0)
	for r := range f.FREs() {
		require.GreaterOrEqual(t, r.Start(), next)
		require.True(t, r.Row().Valid(), "FDE %d FRE %d", f.Index(), r.Index())
		require.Zero(t, r.Start()%uint32(f.Section().ABI().MinInsn))
		next = r.Start() + 1
	}
	require.LessOrEqual(t, next, f.Extent())
}

func TestEdits(t *testing.T) {
	data := V2AMD64.Bytes(t)
	got := V2AMD64.Bytes(t, Set(2, "07"), Insert(4, "aaaa"), Delete(0, 1))
	require.Equal(t, append([]byte{0xde, 7, data[3], 0xaa, 0xaa}, data[4:]...), got)
}

func TestObjects(t *testing.T) {
	data := V3S390X.Bytes(t)
	o := Linked(data, V3S390X.ABI(), reader.Section{Name: ".data"})
	require.Equal(t, uint64(0x1000), o.SFrames[0].Section.FDE(0).Start())
	require.Equal(t, ".data", o.ELF.Sections[3].Name)
	o = Relocatable(data, V3S390X.ABI(), []model.Start{{Addr: 0x80, Place: Text, OK: true}})
	require.Equal(t, uint64(0x80), o.SFrames[0].Section.FDE(0).Start())
	require.False(t, o.SFrames[0].Section.FDE(1).Resolved())
}
