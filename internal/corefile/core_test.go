package corefile

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/budget"
	"github.com/sframe-lint/sframe-lint/internal/testkit/alloc"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/unwind"
)

func amd64() model.ABIInfo { return model.LookupABI(model.SFRAME_ABI_AMD64_ENDIAN_LITTLE) }

// TestRegisters reads registers by the names that the kernel's headers give to
// the words of elf_gregset_t.
func TestRegisters(t *testing.T) {
	for _, abi := range model.ABIs() {
		m := &image{abi: abi}
		m.thread(77, 11)
		fprs := m.words(0)
		for i := range uint64(16) {
			fprs = append(fprs, m.words(100+i)...)
		}
		m.note("CORE", ntFPREGSET, fprs)
		m.thread(78, 0)
		c, err := open(m.bytes(t))
		require.NoError(t, err)
		require.Len(t, c.Threads, 2)
		assert.Equal(t, abi.ID, c.ABI.ID)
		assert.Equal(t, []int{77, 78, 11}, []int{c.Threads[0].ID, c.Threads[1].ID, c.Signal})
		get := func(n uint32) int {
			v, ok := c.Threads[0].Register(n)
			require.True(t, ok, n)
			return int(v)
		}
		pc, sp, fp := int(c.Threads[0].PC()), get(abi.SP), get(abi.FP)
		switch abi.Machine {
		case elf.EM_X86_64:
			assert.Equal(t, []int{16, 19, 4}, []int{pc, sp, fp})
			assert.Equal(t, []int{10, 12, 11, 5, 13, 14, 9, 0}, []int{get(0), get(1), get(2), get(3), get(4), get(5), get(8), get(15)})
			_, ok := c.Threads[0].Register(16)
			assert.False(t, ok)
		case elf.EM_AARCH64:
			assert.Equal(t, []int{32, 31, 29, 30, 0}, []int{pc, sp, fp, get(abi.RA), get(0)})
		case elf.EM_S390:
			assert.Equal(t, []int{1, 17, 13, 16, 2}, []int{pc, sp, fp, get(abi.RA), get(0)})
			assert.Equal(t, []int{100, 102, 101, 115}, []int{get(16), get(17), get(20), get(31)}, "f0 f2 f1 f15")
		}
		_, ok := c.Threads[0].Register(200)
		assert.False(t, ok)
	}
}

func TestMemory(t *testing.T) {
	m := &image{abi: amd64(), loads: []part{{0x2000, []byte("world")}, {0x1000, []byte("hello")}, {0x1005, []byte(", ")}}}
	m.thread(1, 0)
	c, err := open(m.bytes(t))
	require.NoError(t, err)
	b := make([]byte, 7)
	require.NoError(t, c.ReadMemory(0x1000, b))
	assert.Equal(t, "hello, ", string(b), "across segments")
	assert.EqualError(t, c.ReadMemory(0x1001, b), "address 0x1007 is not in the core")
	assert.Error(t, c.ReadMemory(0xfff, b[:1]))
	assert.Error(t, c.ReadMemory(0x2005, b[:1]), "not dumped")
	assert.Error(t, c.ReadMemory(^uint64(0), b))
}

// TestDamaged: cores with counts and sizes that do not fit.
func TestDamaged(t *testing.T) {
	good := &image{abi: amd64(), loads: []part{{0x1000, make([]byte, 64)}}}
	good.thread(1, 0)
	b := good.bytes(t)
	_, err := open(b)
	require.NoError(t, err)

	_, err = open([]byte("plain text"))
	assert.ErrorIs(t, err, ErrNotCore)
	program, err := os.ReadFile("../../corpus/files/binutils-2.47/amd64/program.elf")
	require.NoError(t, err)
	_, err = open(program)
	assert.ErrorIs(t, err, ErrNotCore)
	empty := &image{abi: amd64()}
	_, err = open(empty.bytes(t))
	assert.ErrorContains(t, err, "no registers of a thread")

	note := 64 + 2*56
	for name, edit := range map[string]func([]byte){
		"name":   func(b []byte) { binary.LittleEndian.PutUint32(b[note:], 1<<31) },
		"desc":   func(b []byte) { binary.LittleEndian.PutUint32(b[note+4:], ^uint32(0)) },
		"short":  func(b []byte) { binary.LittleEndian.PutUint32(b[note+4:], 8) },
		"offset": func(b []byte) { binary.LittleEndian.PutUint64(b[64+8:], 1<<63) },
	} {
		bad := append([]byte(nil), b...)
		edit(bad)
		_, err = open(bad)
		assert.Error(t, err, name)
	}

	for desc, says := range map[string]string{
		"":                              "unexpected EOF",
		string(good.words(1, 4096)):     "1 mappings in 0 bytes",
		string(good.words(1<<60, 4096)): "mappings in 0 bytes",
		string(good.words(1, 4096, 1, 2, 3)) + "x": "unexpected EOF",
	} {
		m := &image{abi: amd64()}
		m.thread(1, 0)
		m.note("CORE", ntFILE, []byte(desc))
		_, err := open(m.bytes(t))
		assert.ErrorContains(t, err, says)
	}
}

// TestSharedNotes: segments that share notes are read once.
func TestSharedNotes(t *testing.T) {
	m := &image{abi: amd64(), loads: make([]part, 1000)}
	m.thread(1, 0)
	b := m.bytes(t)
	for i := range m.loads {
		copy(b[64+56*(i+1):], b[64:64+56])
	}
	c, err := open(b)
	if err == nil {
		assert.Less(t, len(c.Threads), len(b)/300)
	}
}

// Of large notes, only what is used is held.
func TestLargeNotes(t *testing.T) {
	m := &image{abi: amd64(), loads: []part{{0x1000, make([]byte, 64)}}}
	m.thread(1, 0)
	m.note("CORE", ntPRSTATUS, make([]byte, 16<<20))
	m.note("CORE", ntAUXV, bytes.Repeat(m.words(7, 7), 1<<20))
	m.note("CORE", ntFILE, m.mappings(Mapping{Start: 0x1000, End: 0x2000, Path: "/" + strings.Repeat("x", 16<<20)}, Mapping{Start: 0x3000, End: 0x4000, Path: "/y"}))
	b := m.bytes(t)
	var c *Core
	used := alloc.Bytes(func() {
		var err error
		c, err = open(b)
		require.NoError(t, err)
	})
	assert.Less(t, used, uint64(1<<20))
	assert.Len(t, c.Threads, 2)
	assert.Len(t, c.Files[0].Path, maxPath)
	assert.Equal(t, "/y", c.Files[1].Path)
	v, _ := c.Auxv(7)
	assert.EqualValues(t, 7, v)
	assert.False(t, c.Truncated)

	m = &image{abi: amd64()}
	m.thread(1, 0)
	m.note("CORE", ntFILE, m.mappings(make([]Mapping, 2000)...))
	b = m.bytes(t)
	limits := budget.New(t.Context(), budget.Limits{budget.Memory: 2000*mappingBytes - 1})
	_, err := Open(bytes.NewReader(b), int64(len(b)), reader.Options{Budget: limits})
	var over *budget.Exceeded
	assert.ErrorAs(t, err, &over)
}

// A core that ends where a thread's notes would begin lacks threads.
func TestTruncatedNotes(t *testing.T) {
	m := &image{abi: amd64()}
	m.thread(1, 0)
	n := len(m.notes)
	m.thread(2, 0)
	b := m.bytes(t)
	c, err := open(b)
	require.NoError(t, err)
	assert.False(t, c.Truncated)
	c, err = open(b[:len(b)-len(m.notes)+n])
	require.NoError(t, err)
	assert.Len(t, c.Threads, 1)
	assert.True(t, c.Truncated)
}

// TestModules places a shared object with ASLR, one that is not there, and a
// vDSO.
func TestModules(t *testing.T) {
	p, err := generator.Generate(generator.Default())
	require.NoError(t, err)
	lib, err := generator.WrapShared(p)
	require.NoError(t, err)
	path := t.TempDir() + "/lib.so"
	require.NoError(t, os.WriteFile(path, lib.Bytes, 0o666))
	m := &image{abi: p.ABIInfo()}
	m.thread(1, 0)
	probe, err := open(m.bytes(t))
	require.NoError(t, err)
	f := NewModules(probe, Options{}).open(path)
	require.NoError(t, f.Err)
	code := -1
	for i, s := range f.segments {
		if s.Type == elf.PT_LOAD && s.Flags&elf.PF_X != 0 {
			code = i
		}
	}
	require.GreaterOrEqual(t, code, 0)
	s := f.segments[code]
	down := s.Offset &^ 4095
	const at = 0x7f12_3456_7000
	end := at + (s.Offset - down + s.Filesz)
	m.note("CORE", ntFILE, m.mappings(Mapping{Start: at, End: end, Offset: down, Path: "/usr/lib/lib.so"},
		Mapping{Start: 0x1000, End: 0x2000, Path: "/gone/\x1b[31m"}))
	m.note("CORE", ntAUXV, m.words(atEntry, at+1, atSysinfoEHDR, 0x7fff_0000_0000, 0, 0))
	m.loads = []part{{0x7fff_0000_0000, lib.Bytes}}
	c, err := open(m.bytes(t))
	require.NoError(t, err)

	mods := NewModules(c, Options{Exe: path})
	x, ok := mods.At(at + 1)
	require.True(t, ok)
	require.NoError(t, x.Err)
	assert.Equal(t, at+(s.Offset-down)-s.Vaddr, x.Bias, "the first byte of the segment")
	assert.Equal(t, "/usr/lib/lib.so", x.Name)
	fn := &p.Funcs[0]
	name, off, ok := x.Symbol(fn.Start + x.Bias + 1)
	assert.True(t, ok)
	assert.Equal(t, fn.Name, name)
	assert.Equal(t, uint64(1), off)
	u, ok := mods.Module(at + 1)
	assert.True(t, ok)
	_, found := u.Sections[0].Find(fn.Start)
	assert.True(t, found)

	v, ok := mods.At(0x7fff_0000_0001)
	require.True(t, ok)
	require.NoError(t, v.Err)
	assert.Equal(t, "[vdso]", v.Name)
	assert.Len(t, v.Sections, 1)

	gone, ok := mods.At(0x1fff)
	require.True(t, ok)
	assert.Error(t, gone.Err)
	assert.Empty(t, gone.Sections)
	_, _, ok = gone.Symbol(0x1fff)
	assert.False(t, ok)
	_, ok = mods.At(0x2000)
	assert.False(t, ok)
	assert.Len(t, mods.All(), 3)

	// Below a sysroot, dots lead nowhere else.
	mods = NewModules(c, Options{Sysroot: "/sysroot"})
	assert.Equal(t, "/sysroot/usr/lib/lib.so", mods.path("/usr/lib/lib.so"))
	assert.Equal(t, "/sysroot/etc/x", mods.path("../../etc/x"))
}

// TestInterrupted reads the registers of a signal's frame.
func TestInterrupted(t *testing.T) {
	for _, abi := range model.ABIs() {
		m := &image{abi: abi}
		m.thread(1, 0)
		var stack []byte
		for i := range uint64(80) {
			stack = append(stack, m.words(i)...)
		}
		m.loads = []part{{0x1000, stack}}
		c, err := open(m.bytes(t))
		require.NoError(t, err)
		r, ok := c.Interrupted(unwind.Frame{SP: 0x1000})
		require.True(t, ok)
		sp, _ := r.Register(abi.SP)
		fp, _ := r.Register(abi.FP)
		want := map[elf.Machine][]uint64{elf.EM_X86_64: {21, 20, 15}, elf.EM_AARCH64: {71, 70, 68}, elf.EM_S390: {43, 59, 55}}
		assert.Equal(t, want[abi.Machine], []uint64{r.PC(), sp, fp})
		_, ok = c.Interrupted(unwind.Frame{SP: 0x1270})
		assert.False(t, ok, "cut off")
	}

	// Without SA_SIGINFO, s390x has a pointer to the registers.
	m := &image{abi: model.LookupABI(model.SFRAME_ABI_S390X_ENDIAN_BIG)}
	m.thread(1, 0)
	m.loads = []part{{0x1000, append(make([]byte, 168), m.words(0x1000+176, 1, 0x1234, 2, 3)...)}, {0x10d0, make([]byte, 200)}}
	c, err := open(m.bytes(t))
	require.NoError(t, err)
	r, ok := c.Interrupted(unwind.Frame{SP: 0x1000})
	require.True(t, ok)
	assert.Equal(t, uint64(0x1234), r.PC())
	r1, _ := r.Register(1)
	assert.Equal(t, uint64(3), r1)
}

// FuzzOpen opens cores of arbitrary bytes and reads what they have. Memory has a bound.
func FuzzOpen(f *testing.F) {
	for _, abi := range model.ABIs() {
		m := &image{abi: abi, loads: []part{{0x1000, make([]byte, 64)}}}
		m.thread(1, 11)
		m.note("CORE", ntFILE, m.mappings(Mapping{Start: 0x1000, End: 0x2000, Path: "/none"}))
		m.note("CORE", ntAUXV, m.words(atPHDR, 0x1040, atSysinfoEHDR, 0x1000, 0, 0))
		m.note("LINUX", ntARMPacMask, m.words(0, 0x7f<<48))
		f.Add(m.bytes(f))
		f.Add(dynamicCore(abi, "/lib/x.so", 0x7000, 0x7e70).bytes(f))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		used := alloc.Bytes(func() { openAndTrace(t, b) })
		require.LessOrEqual(t, used, uint64(4<<20+400*len(b)))
	})
}

func openAndTrace(t *testing.T, b []byte) {
	c, err := open(b)
	if err != nil {
		require.LessOrEqual(t, len(err.Error()), 1<<10)
		return
	}
	if n := len(c.Threads) + len(c.Files); n > len(b)/24 {
		t.Fatalf("%d threads and mappings of %d bytes", n, len(b))
	}
	mods := NewModules(c, Options{Sysroot: "/nonexistent"})
	frames := 0
	for _, th := range c.Threads[:min(len(c.Threads), 4)] {
		u := unwind.New(c.ABI, th, c, mods, unwind.Options{MaxFrames: 50, Interrupted: c.Interrupted})
		for u.Step() == nil {
			frames++
		}
		mods.At(u.Frame().PC)
	}
	if frames > 4*50 {
		t.Fatal(frames)
	}
}
