//go:build linux

package hostile

import (
	"bytes"
	"fmt"
	"strings"
)

// profileModes are the modes that take the text of a profiler.
var profileModes = []string{"trace perf", "trace perf json"}

// profileInputs are texts of perf script and bpftrace with more of something than those of programs have.
func profileInputs() []input {
	return []input{
		perf("perf: a line of 60 MB", 1, func(b *bytes.Buffer) {
			b.WriteString("prog 5 1.5: cycles:\n\t119a ")
			b.WriteString(strings.Repeat("f", 60<<20))
			b.WriteString("\n\n")
		}),
		perf("perf: a stack of 2,000,000 frames", 1, func(b *bytes.Buffer) {
			b.WriteString("prog 5 1.5: cycles:\n")
			for i := range 2_000_000 {
				fmt.Fprintf(b, "\t%x f+0x1 (/nowhere)\n", i)
			}
		}),
		perf("perf: 200,000 stacks of processes of their own", 200_000, func(b *bytes.Buffer) {
			for i := range 200_000 {
				mmap(b, i+1, 0x1000, fmt.Sprintf("/nowhere/%d", i))
				sample(b, i+1, 0x1800)
			}
		}),
		perf("perf: a mapping before each of 20,000 stacks", 20_000, func(b *bytes.Buffer) {
			for i := range 24_000 {
				mmap(b, 5, uint64(i+1)<<12, "/nowhere")
				if i >= 4_000 {
					sample(b, 5, 0x1800)
				}
			}
		}),
		perf("perf: 100,000 forks of a process of 4,000 mappings", 1, func(b *bytes.Buffer) {
			for i := range 4_000 {
				mmap(b, 5, uint64(i+1)<<12, strings.Repeat("/nowhere", 500))
			}
			for i := range 100_000 {
				fmt.Fprintf(b, "1 0x1 [0x2]: PERF_RECORD_FORK(%d:%[1]d):(5:5)\n", i+6)
			}
			sample(b, 5, 0x1800)
		}),
		perf("perf: a record of 40 MB", 1, func(b *bytes.Buffer) {
			b.WriteString("1 0x1 [0x2]: PERF_RECORD_SAMPLE(IP, 0x2): 5/5: 0x1800 period: 1 addr: 0\n. ... raw event: size 16777216 bytes\n")
			for i := range 40 << 20 / 64 {
				fmt.Fprintf(b, ".  %04x:  00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f\n", i*16)
			}
			b.WriteString("... ustack: size 18446744073709551615, offset 0xffffffffffffffff\n\t1800 f (/nowhere)\n\n")
		}),
		perf("bpftrace: a map with a key of 2,000,000 lines", 1, func(b *bytes.Buffer) {
			b.WriteString("@[\n")
			b.WriteString(strings.Repeat("    f+10\n", 2_000_000))
			b.WriteString("]: 9223372036854775807\n")
		}),
	}
}

// perf returns an input that is the text of a profiler, of which so many stacks may be written.
func perf(name string, stacks int, fill func(b *bytes.Buffer)) input {
	in := file(name, 0, func() []byte {
		b := &bytes.Buffer{}
		fill(b)
		return b.Bytes()
	})
	in.modes, in.frames = profileModes, stacks
	return in
}

// mmap adds a mapping of 4 KiB in a process.
func mmap(b *bytes.Buffer, pid int, at uint64, path string) {
	fmt.Fprintf(b, "1 0x1 [0x2]: PERF_RECORD_MMAP2 %d/%[1]d: [0x%x(0x1000) @ 0x%[2]x fe:00 1 2]: r-xp %s\n", pid, at, path)
}

// sample adds a stack of one frame, with registers and a part of the stack that is empty.
func sample(b *bytes.Buffer, pid int, pc uint64) {
	fmt.Fprintf(b, "1 0x1 [0x2]: PERF_RECORD_SAMPLE(IP, 0x2): %d/%[1]d: 0x%x period: 1 addr: 0\n... user regs: mask 0xff ABI 64-bit\n.... SP    0x0000000000001000\n.... IP    0x%016[2]x\n"+
		"prog %[1]d 1.5: cycles:\n\t%[2]x f (/nowhere)\n\n", pid, pc)
}
