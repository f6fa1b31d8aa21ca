package consumers_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/consumers"
	"github.com/sframe-lint/sframe-lint/internal/tool/asked"
	"github.com/sframe-lint/sframe-lint/reader"
)

// outcomes is what comes of a section, by consumer: kind, demand, place.
func outcomes(o *reader.Object, f *reader.SFrame) map[string]string {
	out := map[string]string{}
	for _, r := range consumers.Matrix(o, f, asked.Of(o)) {
		v := r.Verdicts[0]
		text := string(v.Outcome)
		if v.Maybe {
			text = "may be " + text
		}
		if v.Check != "" {
			file := ""
			if v.InFile {
				file = "file "
			}
			text += fmt.Sprintf(" %s %s0x%x+%d", v.Check, file, v.Span.Off, v.Span.Len)
		}
		out[r.Consumer.Name] = text
	}
	return out
}

func TestJudge(t *testing.T) {
	na := "n/a"
	for _, c := range []struct {
		file, edit string
		want       map[string]string // those that differ from the first case's
	}{
		{v3amd, "", map[string]string{
			"libsframe-2.40": "rejects version 0x2+1", "libsframe-2.44": "rejects version 0x2+1", "libsframe-2.47": "reads",
			"libsframe-api-2.47": "misreads flexible-no-padding 0xa1+7",
			"gnu-ld-2.40":        "rejects version 0x2+1", "gnu-ld-2.44": "rejects version 0x2+1", "gnu-ld-2.45": "rejects version 0x2+1",
			"gnu-ld-2.46": "reads", "mold-2.41": "ignores understanding 0x0+4", "mold-2.42": "reads", "mold-2.42.1": "reads", "mold-3": "reads", "lld-23": "ignores understanding 0x0+4",
			"wild": "ignores version 0x2+1", "llvm-23": "rejects version 0x2+1", "linux-user": "rejects flexible-cfa-plain 0xa1+7",
			"glibc-2.42": "rejects version 0x2+1", "java-profiler": "rejects version 0x2+1",
			"zig-0.16": "ignores understanding 0x0+4", "go-1.26": "ignores understanding 0x0+4", "tcc": "ignores understanding 0x0+4",
			"eld": "rejects version 0x2+1", "linux-vmlinux": na, "linux-module": na, "linux-eh-frame": na,
			"nframe": "misreads version 0x2+1", "simple-frame-rs-0.3": "misreads one-stub-row 0xa8+2",
		}},
		{v2amd, "", map[string]string{
			"libsframe-2.44": "rejects flags-known 0x3+1", "gnu-ld-2.44": "rejects flags-known 0x3+1", "gnu-ld-2.45": "reads",
			"gnu-ld-2.46": "rejects version 0x2+1", "mold-2.42": "ignores version 0x2+1", "mold-2.42.1": "ignores version 0x2+1", "mold-3": "ignores version 0x2+1",
			"wild": "reads", "llvm-23": "reads", "linux-user": "rejects version 0x2+1", "glibc-2.42": "reads",
			"java-profiler": "rejects flags-clear 0x3+1", "libsframe-api-2.47": "reads", "eld": "misreads understanding 0x0+4",
			"nframe": "misreads sp-without-fp 0x70+1", "simple-frame-rs-0.3": "misreads one-stub-row 0x50+4",
		}},
		{"v3-amd64.elf", "", map[string]string{
			"gnu-ld-2.40": na, "gnu-ld-2.44": na, "gnu-ld-2.45": na, "gnu-ld-2.46": na,
			"mold-2.41": na, "mold-2.42": na, "mold-2.42.1": na, "mold-3": na, "lld-23": na, "wild": na, "zig-0.16": na, "go-1.26": na, "tcc": na, "eld": na, "linux-eh-frame": "rejects eh-frame-hdr file 0x0+0",
		}},
		{"object-riscv.o", "", map[string]string{
			"gnu-ld-2.40": na, "gnu-ld-2.44": na, "gnu-ld-2.45": na, "gnu-ld-2.46": na, "mold-2.41": na, "mold-2.42": na, "mold-2.42.1": na, "mold-3": na,
			"lld-23": na, "wild": na, "zig-0.16": na, "go-1.26": na, "tcc": na, "eld": na, "linux-user": na, "glibc-2.42": na, "java-profiler": na, "libsframe-api-2.47": na, "nframe": na, "simple-frame-rs-0.3": na,
		}},
		{"reloc-relocated.o", "", map[string]string{
			"linux-user": na, "glibc-2.42": na, "java-profiler": na, "libsframe-api-2.47": na, "nframe": na, "simple-frame-rs-0.3": na, "lld-23": "ignores understanding file 0x5d4+4", "mold-2.41": "ignores understanding file 0x5d4+4",
			"go-1.26": "ignores understanding file 0x5d4+4", "tcc": "ignores understanding file 0x5d4+4", "zig-0.16": "rejects narrow-relocations file 0x3b0+24",
		}},
		// A header that ends the reading leaves later faults moot.
		{v3amd, "0x2:01 0x7e:03", map[string]string{
			"libsframe-2.40": "rejects flags-known 0x3+1", "libsframe-2.44": "rejects flags-known 0x3+1",
			"libsframe-2.47": "rejects version 0x2+1", "gnu-ld-2.40": "rejects flags-known 0x3+1", "gnu-ld-2.44": "rejects flags-known 0x3+1",
			"gnu-ld-2.45": "rejects version 0x2+1", "gnu-ld-2.46": "rejects version 0x2+1", "mold-2.42": "ignores version 0x2+1", "mold-2.42.1": "ignores version 0x2+1",
			"mold-3": "ignores version 0x2+1", "linux-user": "rejects version 0x2+1", "libsframe-api-2.47": "rejects version 0x2+1", "simple-frame-rs-0.3": "rejects flags-known 0x3+1",
		}},
		{v3amd, "0xac:00", map[string]string{"linux-user": "may be crashes rep-size 0xac+1", "libsframe-api-2.47": "crashes rep-size 0xac+1", "simple-frame-rs-0.3": "rejects rep-size 0xac+1"}},
		{v3amd, "0x7e:03", map[string]string{
			"libsframe-2.47": "crashes fre-type 0x7e+1", "libsframe-api-2.47": "crashes fre-type 0x7e+1", "gnu-ld-2.46": "crashes fre-type 0x7e+1", "linux-user": "rejects fre-type 0x7e+1",
			"mold-2.42": "may be misreads fre-type 0x7e+1", "mold-2.42.1": "may be misreads fre-type 0x7e+1", "mold-3": "may be misreads fre-type 0x7e+1", "simple-frame-rs-0.3": "rejects fre-type 0x7e+1",
		}},
	} {
		t.Run(c.file+" "+c.edit, func(t *testing.T) {
			want := map[string]string{}
			o, f := handMade(t, v3amd, "")
			for name, text := range outcomes(o, f) {
				want[name] = text
			}
			for name, text := range c.want {
				require.Contains(t, want, name)
				want[name] = text
			}
			o, f = handMade(t, c.file, c.edit)
			require.Equal(t, want, outcomes(o, f))
		})
	}
}

// The first verdict is what ends the reading; the rest follow in the order
// of the checks, those after the end marked.
func TestVerdictOrder(t *testing.T) {
	o, f := handMade(t, v3amd, "0x5:f0 0x88:21 0x9b:38")
	var got []string
	for _, v := range profile(t, "libsframe-2.47").Judge(o, f, asked.Of(o)) {
		got = append(got, fmt.Sprintf("%s %s %v FDE %d FRE %d", v.Outcome, v.Check, v.Moot, v.FDE, v.FRE))
	}
	require.Equal(t, []string{
		"crashes rows-in-function false FDE 0 FRE 2",
		"misreads fixed-fp true FDE 0 FRE 1",
	}, got)

	o, f = handMade(t, v3amd, "0x5:f0 0xb9:60")
	v := profile(t, "libsframe-2.47").Judge(o, f, asked.Of(o))
	require.Len(t, v, 2)
	require.EqualValues(t, "bare-word-size", v[0].Check, "nothing ends the reading: the first counts")
	require.False(t, v[0].Moot || v[1].Moot)

	o, f = handMade(t, "v3-amd64-fdeoff-16.sframe", "0xbc:00")
	v = profile(t, "libsframe-api-2.47").Judge(o, f, asked.Of(o))
	require.EqualValues(t, "rep-size", v[0].Check, "what ends the reading counts, wherever it stands")
	require.EqualValues(t, "fdeoff-zero", v[1].Check)
	require.False(t, v[0].Moot || v[1].Moot)
}

// Relocations that the reader does not read are not taken for missing.
func TestJudgeRelocsUnread(t *testing.T) {
	o, f := handMade(t, "object.o", "0x1f0:10")
	require.Empty(t, f.Relocs)
	require.Equal(t, consumers.Reads, profile(t, "mold-3").Judge(o, f, asked.Of(o))[0].Outcome)
	require.EqualValues(t, "relocation-size", profile(t, "gnu-ld-2.47").Judge(o, f, asked.Of(o))[0].Check)
}

// Whatever the bytes are, a verdict comes of them, the same each time, at
// bytes that are there.
func TestHostile(t *testing.T) {
	for _, name := range []string{v3amd, v2amd, v3arm, "v1-amd64.sframe", "v2-s390x.sframe"} {
		_, good := handMade(t, name, "")
		for n := range 9 * len(good.Data) {
			data := bytes.Clone(good.Data)
			if bit := n - len(good.Data); bit >= 0 {
				data[bit/8] ^= 1 << (bit % 8)
			} else {
				data = data[:n]
			}
			f := decode(data, 0x2000)
			o := &reader.Object{SFrames: []*reader.SFrame{f}}
			first := consumers.Matrix(o, f, asked.Of(o))
			require.Equal(t, first, consumers.Matrix(o, f, asked.Of(o)))
			for _, r := range first {
				require.NotEmpty(t, r.Verdicts)
				for _, v := range r.Verdicts {
					require.NotEmpty(t, v.Why)
					require.GreaterOrEqual(t, v.Span.Len, int64(0))
					require.GreaterOrEqual(t, v.Span.Off, int64(0))
				}
			}
		}
	}
}
