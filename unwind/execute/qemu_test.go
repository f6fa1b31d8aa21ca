package execute

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestParseDump(t *testing.T) {
	var r Regs
	assert.True(t, parseDump([]byte(` PC=0000000000400180 X00=0000000000000008 X01=0000000000000001
X02=0000000000400190 X03=0000000000000000 X04=0000000000000000
X29=00000055008005e0 X30=00000000004001a4  SP=00000055008005d0
PSTATE=40000000 -Z-- EL0t  SVCR=00000000 --  BTYPE=0`), &r))
	assert.Equal(t, uint64(0x400180), r.PC())
	want := map[uint32]uint64{0: 8, 1: 1, 2: 0x400190, 3: 0, 4: 0, 29: 0x55008005e0, 30: 0x4001a4, 31: 0x55008005d0}
	assert.Equal(t, want, known(&r))

	assert.True(t, parseDump([]byte(`PSW=mask 0000000180000000 addr 000000000100015c cc 00
R00=0000000000000001 R01=0000000000000000 R02=0000000000000000 R15=0000004000800820
V00=11111111111111112222222222222222 V01=33333333333333334444444444444444
V15=55555555555555556666666666666666 V16=77777777777777778888888888888888
`), &r))
	assert.Equal(t, uint64(0x100015c), r.PC())
	want = map[uint32]uint64{0: 1, 1: 0, 2: 0, 15: 0x4000800820, 16: 0x1111111111111111, 20: 0x3333333333333333, 31: 0x5555555555555555}
	assert.Equal(t, want, known(&r))

	for _, text := range []string{"", " PC", "PSW=mask", "guest_base  0x0", "R00=0000000000000001"} {
		assert.False(t, parseDump([]byte(text), &r))
	}
}

func known(r *Regs) map[uint32]uint64 {
	m := map[uint32]uint64{}
	for n := range uint32(len(r.Value)) {
		if v, ok := r.Register(n); ok {
			m[n] = v
		}
	}
	return m
}
