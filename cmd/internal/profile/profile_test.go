package profile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/budget"
	"github.com/sframe-lint/sframe-lint/internal/corefile"
	"github.com/sframe-lint/sframe-lint/model"
)

func readAll(t *testing.T, text string) (all []*Sample) {
	t.Helper()
	r := NewReader(strings.NewReader(text), nil)
	for {
		s, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		require.NoError(t, err)
		all = append(all, s)
	}
}

func file(t *testing.T, name string) string {
	b, err := os.ReadFile("testdata/" + name)
	require.NoError(t, err)
	return string(b)
}

// TestPerf reads what perf 6.1 has written of a program of C: with the bytes of its records, and
// with registers alone.
func TestPerf(t *testing.T) {
	const libc = "/usr/lib/x86_64-linux-gnu/libc.so.6"
	frames := []Frame{
		{IP: 0x119a, HasIP: true, Symbol: "leaf", Offset: 10, HasOffset: true, File: "/usr/bin/prog"},
		{IP: 0x11c4, HasIP: true, Symbol: "mid", Offset: 20, HasOffset: true, File: "/usr/bin/prog"},
		{IP: 0x1074, HasIP: true, Symbol: "main", Offset: 36, HasOffset: true, File: "/usr/bin/prog"},
		{IP: 0x27249, HasIP: true, Symbol: "__libc_start_call_main", Offset: 0x79, HasOffset: true, File: libc},
	}
	maps := []Mapping{
		{Mapping: corefile.Mapping{Start: 0x5596e326a000, End: 0x5596e326b000, Offset: 0x1000, Path: "/usr/bin/prog"}},
		{Mapping: corefile.Mapping{Start: 0x7f29bc068000, End: 0x7f29bc1be000, Offset: 0x26000, Path: libc}},
		{Mapping: corefile.Mapping{Start: 0x7f29bc239000, End: 0x7f29bc25f000, Offset: 0x1000, Path: "/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2"}},
	}
	for name, stack := range map[string]bool{"perf-dump.txt": true, "perf-uregs.txt": false} {
		t.Run(name, func(t *testing.T) {
			all := readAll(t, file(t, name))
			require.Len(t, all, 2)
			s := all[0]
			assert.Equal(t, "t 15360 82020.318069", s.Title)
			assert.Equal(t, 15360, s.Thread)
			assert.Equal(t, frames, s.Frames)
			assert.Equal(t, maps, s.Process.Maps)
			assert.Equal(t, model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, s.ABI)
			assert.True(t, s.HasRegs)
			assert.Equal(t, uint64(0x5596e326a19a), s.Regs.PC())
			for reg, want := range map[uint32]uint64{0: 0x9b03, 3: 0x7ffcdc2233f8, 6: 1, 7: 0x7ffcdc2232c0} {
				v, ok := s.Regs.Register(reg)
				assert.True(t, ok)
				assert.Equal(t, want, v, reg)
			}
			assert.Equal(t, stack, s.HasStack)
			if stack {
				assert.Len(t, s.Stack, 128)
				assert.Equal(t, []byte{0xc5, 0xa1, 0x26, 0xe3, 0x96, 0x55, 0, 0}, s.Stack[:8], "the return address into mid")
			}
		})
	}
}

// TestBpftrace reads the forms in which bpftrace prints stacks.
func TestBpftrace(t *testing.T) {
	const id = "0123456789abcdef0123456789abcdef01234567"
	all := readAll(t, `Attaching 1 probe...

@[
	5649feec4090 readline+0 (/usr/bin/bash)
	ffffffff81000010 entry+16 ([kernel.kallsyms])
	5649fee2bfa6 yy_get+451 (/usr/bin/bash)
]: 12
@[bash, 7,
    readline+0
    0x7f2c8014e0d0
, 3]: 1
@[
    `+id+` + 0x119a
    `+id+`+4520
]: 2

	55e79dd4264a lele+0 (/home/a b/main)
	7f92eda4bb97 start+231 (/lib/libc.so.6)


	55e79dd4264b lele+1 (/home/a b/main)
`)
	require.Len(t, all, 5)
	assert.Equal(t, []Frame{
		{IP: 0x5649feec4090, HasIP: true, Symbol: "readline", HasOffset: true, File: "/usr/bin/bash"},
		{IP: 0x5649fee2bfa6, HasIP: true, Symbol: "yy_get", Offset: 451, HasOffset: true, File: "/usr/bin/bash"},
	}, all[0].Frames)
	assert.Equal(t, int64(12), all[0].Count)
	assert.Equal(t, []Frame{{Symbol: "readline", HasOffset: true}, {IP: 0x7f2c8014e0d0, HasIP: true}}, all[1].Frames)
	assert.Equal(t, "@[bash, 7", all[1].Title)
	assert.Equal(t, []Frame{{IP: 0x119a, HasIP: true, BuildID: id}, {IP: 0x4520, HasIP: true, BuildID: id}}, all[2].Frames)
	assert.Equal(t, int64(2), all[2].Count)
	assert.Equal(t, "/home/a b/main", all[3].Frames[0].File)
	assert.Len(t, all[4].Frames, 1)
}

// TestHeaders reads the first lines of samples, with blanks before and in the command, processor
// and process.
func TestHeaders(t *testing.T) {
	for line, title := range map[string]string{
		"t 15360 82020.318069:    5000000 cpu-clock: ":                     "t 15360 82020.318069",
		"            bash  1234/15360 [001]   20.318069: cycles:ppp: ":     "bash 1234/15360 [001] 20.318069",
		"Web Content 15360 [000] 82020.318069: 1 cycles:u: 119a f+0x1 (a)": "Web Content 15360 [000] 82020.318069",
	} {
		got, thread, _, ok := parseHeader(line)
		assert.True(t, ok, line)
		assert.Equal(t, title, got)
		assert.Equal(t, 15360, thread)
	}
	all := readAll(t, "prog 1 2.5: 1 cycles:u:      119a f+0x1 (/a)\nprog 1 2.6: 1 cycles:u:      119b f+0x2 (/a)\n")
	require.Len(t, all, 2)
	assert.Equal(t, Frame{IP: 0x119b, HasIP: true, Symbol: "f", Offset: 2, HasOffset: true, File: "/a"}, all[1].Frames[0])
}

// TestMappings: a mapping replaces what was there, a process that forks has those of its parent,
// and one that executes a program has none.
func TestMappings(t *testing.T) {
	record := func(s string) string { return "x 1 2.0: PERF_RECORD_" + s + "\n" }
	at := func(start, end, off uint64, path, id string) Mapping {
		return Mapping{corefile.Mapping{Start: start, End: end, Offset: off, Path: path}, id}
	}
	r := NewReader(strings.NewReader(
		record("MMAP2 7/7: [0x1000(0x3000) @ 0x100 fe:00 1 2]: r-xp /a b")+
			record("MMAP2 7/7: [0x2000(0x1000) @ 0 <0ABC>]: r-xp /c")+
			record("FORK(8:8):(7:7)")+
			record("MMAP2 7/7: [0x1000(0x1800) @ 0 00:00 0 0]: rwxp //anon")+
			record("FORK(7:9):(7:7)")+
			record("MMAP 9/9: [0x1000(0x3000) @ 0]: x /d")+
			record("COMM exec: d:9/9")+
			record("MMAP2 7/7: [0xffffffffffff0000(0xffff) @ 0 00:00 0 0]: r-xp /e")), nil)
	_, err := r.Next()
	require.ErrorIs(t, err, io.EOF)
	assert.Equal(t, []Mapping{at(0x2800, 0x3000, 0x800, "/c", "0abc"), at(0x3000, 0x4000, 0x2100, "/a b", "")}, r.procs[7].Maps)
	assert.Equal(t, []Mapping{at(0x1000, 0x2000, 0x100, "/a b", ""), at(0x2000, 0x3000, 0, "/c", "0abc"), at(0x3000, 0x4000, 0x2100, "/a b", "")}, r.procs[8].Maps)
	assert.Empty(t, r.procs[9].Maps)
	assert.Equal(t, 5, r.maps)
	assert.Equal(t, 9, r.threads[9])
}

// TestProcessesEnd: a process that has ended leaves room for others, and nothing of it counts as memory.
func TestProcessesEnd(t *testing.T) {
	var text strings.Builder
	for pid := 10; pid < 10+maxMaps+2; pid++ {
		fmt.Fprintf(&text, "1 0x1: PERF_RECORD_FORK(%d:%[1]d):(7:7)\n1 0x1: PERF_RECORD_MMAP2 %[1]d/%[1]d: [0x1000(0x1000) @ 0 <0abc>]: r-xp /a\n", pid)
		if pid < 9+maxMaps+2 {
			fmt.Fprintf(&text, "1 0x1: PERF_RECORD_EXIT(%d:%[1]d):(7:7)\n", pid)
		}
	}
	b := budget.New(t.Context(), budget.Limits{})
	r := NewReader(strings.NewReader(text.String()), b)
	_, err := r.Next()
	require.ErrorIs(t, err, io.EOF)
	require.Len(t, r.procs, 1)
	assert.Len(t, r.procs[9+maxMaps+2].Maps, 1)
	assert.Equal(t, int64(2*knownBytes+mapBytes+len("/a0abc")), b.Used(budget.Memory))
}

// TestBounds: processes and threads that a text makes up take memory of the budget, and a frame keeps
// no more than its part of the text.
func TestBounds(t *testing.T) {
	for _, record := range []string{"COMM exec: a:%d/%[1]d", "MMAP2 %d/%[1]d: [0x1000(0x1000) @ 0 0:0 0 0]: rw-p /a"} {
		var text strings.Builder
		for pid := 10; pid < 10000; pid++ {
			fmt.Fprintf(&text, "1 0x1: PERF_RECORD_"+record+"\n", pid)
		}
		r := NewReader(strings.NewReader(text.String()), budget.New(t.Context(), budget.Limits{budget.Memory: 1 << 20}))
		_, err := r.Next()
		var over *budget.Exceeded
		assert.ErrorAs(t, err, &over, record)
	}
	s := readAll(t, "prog 1 2.5: 1 cycles:u:\n"+strings.Repeat("\t119a "+strings.Repeat("f", 1<<15)+"+0x1 (/a)\n", 400))[0]
	assert.Len(t, s.Frames, maxHeld>>15-1)
}

// TestRegisters reads the names that perf has for registers.
func TestRegisters(t *testing.T) {
	arm := readAll(t, "a 1 2.0: 1 e:\n ABI:2 x0:0x1 x29:0x2 lr:0x3 sp:0x4 pc:0x5\n")[0]
	assert.Equal(t, model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE, arm.ABI)
	assert.Equal(t, uint64(5), arm.Regs.PC())
	assert.Equal(t, [3]uint64{2, 3, 4}, [3]uint64(arm.Regs.Value[29:32]))
	z := readAll(t, "a 1 2.0: 1 e:\n ABI:2 R0:0x1 R11:0x2 R15:0x3 FP0:0x4 FP1:0x5 MASK:0x6 PC:0x7\n")[0]
	assert.Equal(t, model.SFRAME_ABI_S390X_ENDIAN_BIG, z.ABI)
	assert.Equal(t, uint64(7), z.Regs.PC())
	assert.Equal(t, [2]uint64{2, 3}, [2]uint64{z.Regs.Value[11], z.Regs.Value[15]})
	assert.Equal(t, [2]uint64{4, 5}, [2]uint64{z.Regs.Value[16], z.Regs.Value[20]}, "f1 is DWARF register 20")
	assert.Empty(t, readAll(t, "a 1 2.0: 1 e:\n ABI:1 AX:0x1 IP:0x2\n"), "a program of 32 bits")
}

// FuzzRead: no text panics, and samples keep their bounds.
func FuzzRead(f *testing.F) {
	for _, name := range []string{"perf-dump.txt", "perf-uregs.txt"} {
		b, err := os.ReadFile("testdata/" + name)
		require.NoError(f, err)
		f.Add(string(b))
	}
	f.Add("@[\n\t5649feec4090 readline+0 (/usr/bin/bash)\n]: 12\n")
	f.Add("x 1 2.0: PERF_RECORD_FORK(8:8):(7:7)\nx 1 2.0: PERF_RECORD_MMAP2 7/7: [0x1000(0x3000) @ 0x100 <ab>]: r-xp /a\n")
	f.Fuzz(func(t *testing.T, text string) {
		r := NewReader(strings.NewReader(text), nil)
		for {
			s, err := r.Next()
			if err != nil {
				break
			}
			assert.LessOrEqual(t, len(s.Frames), strings.Count(text, "\n")+1)
			assert.LessOrEqual(t, len(s.Stack), len(text))
			assert.Positive(t, s.Count)
		}
		n := 0
		for _, p := range r.procs {
			n += len(p.Maps)
			for i := range p.Maps {
				assert.Less(t, p.Maps[i].Start, p.Maps[i].End)
				assert.True(t, i == 0 || p.Maps[i-1].End <= p.Maps[i].Start)
			}
		}
		assert.Equal(t, r.maps, n)
	})
}
