package consumers_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/consumers"
	"github.com/sframe-lint/sframe-lint/internal/tool/asked"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// unmet is a file of the corpus, edited, that does not meet a demand.
type unmet struct {
	demand consumers.Demand
	arg    consumers.Arg
	file   string // below corpus/files/hand
	edit   string // "OFFSET:HEX ..." in the file, "" for none; "-N" cuts it to N bytes; "+HEX" appends
	want   string // OFFSET+LENGTH, "file " before it for bytes of the file
}

func max64(n int64) consumers.Arg { return consumers.Arg{Max: n} }

const (
	v3amd = "v3-amd64.sframe"
	v2amd = "v2-amd64.sframe"
	v3arm = "v3-aarch64.sframe"
)

var unmets = []unmet{
	{"understanding", consumers.Arg{}, v3amd, "", "0x0+4"},
	{"named", consumers.Arg{}, "segment-alone.elf", "", "0x0+4"},
	{"first-of-name", consumers.Arg{}, "regressions/two-sections-of-a-name.elf", "", "file 0x12e0+4"},
	{"section-type", consumers.Arg{}, "progbits.o", "", "file 0x234+4"},
	{"allocated", consumers.Arg{}, "object-not-allocated.o", "", "file 0x180+8"},
	{"in-segment", consumers.Arg{}, "segment-elsewhere.elf", "", "file 0x78+56"},
	{"not-empty", consumers.Arg{}, v3amd, "-0", "0x0+0"},
	{"native-order", consumers.Arg{}, "byte-order.o", "", "0x0+2"},
	{"native-order", consumers.Arg{}, v3amd, "0x4:01", "0x0+2"},
	{"abi-of-machine", consumers.Arg{}, "machine.o", "", "0x4+1"},

	{"eh-frame-abi", consumers.Arg{ABIs: []model.ABI{3, 4}}, "binutils-2.47/aarch64/static.elf", "", "file 0x12+2"},
	{"eh-frame-hdr", consumers.Arg{}, "v3-amd64.elf", "", "file 0x0+0"},
	{"eh-frame-hdr", consumers.Arg{}, "field/eh-frame.elf", "0xf4:02", "file 0xf4+1"},
	{"eh-frame-table", consumers.Arg{}, "field/eh-frame-unsorted.elf", "", "file 0xce+8"},
	{"eh-frame-tabled", consumers.Arg{}, "field/eh-frame.elf", "0xfc:01", "file 0x13c+32"},
	{"eh-frame-entries", consumers.Arg{}, "regressions/tombstone-mold-3-amd64.elf", "", "file 0x2b0+8"},
	{"eh-frame-simple", consumers.Arg{}, "field/eh-frame-nested.elf", "", "file 0x19e+1"},
	{"eh-frame-followed", consumers.Arg{}, "field/eh-frame-refused.elf", "", "file 0x1a6+5"},

	{"whole-header", consumers.Arg{}, v3amd, "-27", "0x0+27"},
	{"magic", consumers.Arg{}, v3amd, "0x1:df", "0x0+2"},
	{"version", consumers.Arg{Accept: []model.Version{1, 2}}, v3amd, "", "0x2+1"},
	{"flags-known", consumers.Arg{Flags: 3}, v3amd, "", "0x3+1"},
	{"flags-set", consumers.Arg{Flags: 5}, v3amd, "0x3:04", "0x3+1"},
	{"flags-clear", consumers.Arg{Flags: 4}, v3amd, "", "0x3+1"},
	{"abi", consumers.Arg{ABIs: []model.ABI{1, 2}}, v3amd, "", "0x4+1"},
	{"not-abi", consumers.Arg{ABIs: []model.ABI{3}}, v3amd, "", "0x4+1"},
	{"abi-not-zero", consumers.Arg{}, v3amd, "0x4:00", "0x4+1"},
	{"fixed-ra", consumers.Arg{}, v3amd, "0x6:00", "0x6+1"},
	{"fixed-ra", consumers.Arg{}, v3arm, "0x6:f8", "0x6+1"},
	{"fixed-fp", consumers.Arg{}, v3amd, "0x5:f0", "0x87+1"},
	{"fixed-fp", consumers.Arg{}, v3arm, "0x5:f0", "0x68+1"},
	{"no-fixed-fp", consumers.Arg{}, v3amd, "0x5:f0", "0x5+1"},
	{"offsets-of-abi", consumers.Arg{}, v3amd, "0x5:f0", "0x5+1"},
	{"offsets-of-abi", consumers.Arg{}, v3amd, "0x6:f0", "0x6+1"},
	{"no-aux-header", consumers.Arg{}, "v3-amd64-auxhdr.sframe", "", "0x7+1"},
	{"has-fdes", consumers.Arg{}, "v3-amd64-no-functions.sframe", "", "0x8+4"},
	{"has-fres", consumers.Arg{}, v3amd, "0xc:00", "0xc+4"},
	{"few-fdes", max64(6), v3amd, "", "0x8+4"},

	{"header-inside", consumers.Arg{}, v3amd, "0x7:ff", "0x7+1"},
	{"offsets-ordered", consumers.Arg{}, v3amd, "0x14:61", "0x14+4"},
	{"fdeoff-zero", consumers.Arg{}, v3amd, "0x14:10", "0x14+4"},
	{"fdeoff-zero", consumers.Arg{Flags: 4}, v3amd, "0x14:10", "0x14+4"},
	{"fres-follow-fdes", consumers.Arg{}, v3amd, "0x18:68", "0x18+4"},
	{"fdes-inside", consumers.Arg{}, v3amd, "0x9:01", "0x8+4"},
	{"fres-inside", consumers.Arg{}, v3amd, "0x10:4d", "0x10+4"},
	{"fres-behind-fdes", consumers.Arg{}, v3amd, "0x18:5f", "0x18+4"},
	{"counts-agree", consumers.Arg{}, v3amd, "0xc:0d", "0xc+4"},
	{"bytes-add", consumers.Arg{}, v3amd, "+00", "0x0+201"},
	{"zero-tail", consumers.Arg{}, v3amd, "+0001", "0xc8+2"},
	{"zero-tail", consumers.Arg{}, v3amd, "0x38:00", "0x10+4"}, // leaf shares the rows of pushes: 79 bytes of 76
	{"one-header", consumers.Arg{}, "v3-amd64-concatenated.sframe", "", "0xc8+52"},

	{"whole-section", consumers.Arg{}, "object.o", "0x19a:01", "file 0x190+16"},
	{"relocations-in-file", consumers.Arg{}, "object.o", "0x1d9:06", "file 0x1d0+16"},
	{"relocations-in-file", consumers.Arg{}, "object.o", "0x1d0:f8ffffffffffffff", "file 0x1d0+16"},
	{"relocations-whole", consumers.Arg{}, "object.o", "0x1d8:1f", "file 0x1d8+8"},
	{"relocation-size", consumers.Arg{}, "object.o", "0x1f0:10", "file 0x1f0+8"},
	{"relocation-size", consumers.Arg{}, "object.o", "0x1bc:09", "file 0x1f0+8"},
	{"relocation-addends", consumers.Arg{}, "object.o", "0x1bc:09", "file 0x1bc+4"},
	{"relocations-linked", consumers.Arg{}, "object.o", "0x1e0:05", "file 0x1e0+4"},
	{"relocations-linked", consumers.Arg{}, "object.o", "0x1e3:ff", "file 0x1e0+4"},
	{"symbols-exist", consumers.Arg{}, "object.o", "0x94:02", "file 0x88+24"},
	{"relocated", consumers.Arg{}, "object.o", "0x1bc:01", "file 0x17c+4"},

	{"relocated", consumers.Arg{}, "not-allocated.o", "", "file 0x234+4"},
	{"one-relocation-each", consumers.Arg{}, "reloc-missing.o", "", "file 0x5bc+4"},
	{"spare-relocations-none", consumers.Arg{}, "reloc-double.o", "", "file 0x440+24"},
	{"relocations-on-starts", consumers.Arg{}, "reloc-misplaced.o", "", "0x2c+8"},
	{"relocations-on-starts", consumers.Arg{}, "reloc-order.o", "", "0x2c+8"},
	{"relocations-in-order", consumers.Arg{}, "reloc-order.o", "", "file 0x3e0+24"},
	{"relocation-types", consumers.Arg{}, "reloc-absolute.o", "", "file 0x3c8+24"},
	{"relocations-nowhere-else", consumers.Arg{}, "reloc-stale.o", "", "file 0x440+24"},
	{"functions-defined", consumers.Arg{}, "reloc-undefined.o", "", "file 0x3e8+24"},
	{"narrow-relocations", consumers.Arg{ABIs: []model.ABI{3}}, "reloc-relocated.o", "", "file 0x3b0+24"},
	{"functions-ungrouped", consumers.Arg{}, "binutils-2.47/amd64/comdat-0.o", "", "0x1c+8"},
	{"start-symbol", consumers.Arg{}, "v3-amd64.elf", "", "file 0x2278+4"},
	{"one-text-segment", consumers.Arg{}, "field/bolted.elf", "0x201c:e4df3f0000000000", "0x2c+8"},

	{"return-addresses", consumers.Arg{}, "regressions/last-call-amd64.so", "", "0x3c+8"},
	{"flexible-by-sp-fp", consumers.Arg{}, "regressions/kernel-flexible-aarch64.elf", "", "0x6c+4"},

	{"rows-found", consumers.Arg{}, v3amd, "0x79:10", "0x78+4"},
	{"rows-found", consumers.Arg{}, v3amd, "0xba:03", "0xc8+0"},
	{"rows-in-section", consumers.Arg{}, v3amd, "0x79:10", "0x78+4"},
	{"fre-type", consumers.Arg{}, v3amd, "0x7e:03", "0x7e+1"},
	{"fde-type", consumers.Arg{}, v3amd, "0x7f:02", "0x7f+1"},
	{"rep-size", consumers.Arg{}, v3amd, "0xac:00", "0xac+1"},
	{"starts-ascend", consumers.Arg{}, v3amd, "0x2c:d4", "0x2c+8"}, // leaf at 0x1000 too
	{"near-functions", consumers.Arg{Max: 32}, v3amd, "0x6c:24f0ffff01000000", "0x6c+8"},
	{"near-functions", consumers.Arg{Max: 8}, v3amd, "", "0x6c+8"},
	{"in-text", consumers.Arg{}, "v3-amd64-outside-text.elf", "", "0x6c+8"},
	{"some-rows", consumers.Arg{}, v3amd, "0x8c:00", "0x8c+2"},
	{"near-cfa", consumers.Arg{}, "binutils-2.47/s390x/far-cfa.o", "", "0x36+4"},
	{"rows-unshared", consumers.Arg{}, v3amd, "0x38:00", "0x38+4"},

	{"rows-in-function", consumers.Arg{}, v3amd, "0x88:21", "0x88+1"},
	{"rows-before-end", consumers.Arg{}, v3amd, "0x88:20", "0x88+1"},
	{"rows-ascend", consumers.Arg{}, v3amd, "0x88:01", "0x88+1"},
	{"word-size", consumers.Arg{}, v3amd, "0x89:64", "0x89+1"},
	{"bare-word-size", consumers.Arg{}, v3amd, "0xb9:60", "0xb9+1"},
	{"some-words", consumers.Arg{}, v3amd, "", "0xb9+1"},
	{"word-count", max64(4), v3amd, "", "0xa2+1"},
	{"word-bytes", max64(4), v3amd, "", "0xa3+5"},
	{"words-used", consumers.Arg{}, v3amd, "0x89:06", "0x8c+1"},
	{"plain-ra", consumers.Arg{}, v3arm, "", "0x77+1"},
	{"info-bits", consumers.Arg{}, v3amd, "", "0x7e+1"},
	{"own-rows", consumers.Arg{}, v3amd, "0x7e:01 0x8e:01 0x96:01 0xaa:11 0xb5:01 0xbc:01", "0x7c+76"},
	{"own-cfa", consumers.Arg{}, v2amd, "0x6d:04 0x6e:00000001", "0x6c+10"},
	{"sp-without-fp", consumers.Arg{}, v3amd, "", "0x85+1"},
	{"one-stub-row", consumers.Arg{}, v3amd, "", "0xa8+2"},
	{"no-overlap", consumers.Arg{}, v3amd, "0x18:5f", "0x18+4"},
	{"cfa-aligned", consumers.Arg{}, v3amd, "0x86:11", "0x86+1"},
	{"cfa-aligned", consumers.Arg{}, v3amd, "0x9c:09", "0x9c+1"},
	{"cfa-above-sp", consumers.Arg{}, v3amd, "0x86:f0", "0x84+4"},
	{"no-zero-slots", consumers.Arg{}, v3amd, "0x87:00", "0x87+1"},

	{"flexible-cfa", consumers.Arg{}, v3amd, "0x9a:02", "0x99+3"},
	{"flexible-pairs", consumers.Arg{}, v3amd, "0xa2:08", "0xa1+6"},
	{"flexible-cfa-register", consumers.Arg{}, v3amd, "0x9b:38", "0x9b+1"},
	{"flexible-words-used", consumers.Arg{}, v3amd, "0x9a:06", "0x99+5"},
	{"flexible-known-abi", consumers.Arg{}, v3amd, "0x4:09", "0x99+4"},
	{"flexible-no-padding", consumers.Arg{}, v3amd, "", "0xa1+7"},
	{"flexible-cfa-plain", consumers.Arg{}, v3amd, "", "0xa1+7"},
	{"flexible-slots", consumers.Arg{}, v3amd, "0xa6:08", "0xa1+7"},
}

// edited applies an edit to a section's bytes.
func edited(t *testing.T, data []byte, edit string) []byte {
	t.Helper()
	data = bytes.Clone(data)
	for word := range strings.FieldsSeq(edit) {
		var at, n int
		switch {
		case word[0] == '-':
			fmt.Sscanf(word, "-%d", &n)
			data = data[:n]
		case word[0] == '+':
			b, err := hex.DecodeString(word[1:])
			require.NoError(t, err)
			data = append(data, b...)
		default:
			off, text, _ := strings.Cut(word, ":")
			b, err := hex.DecodeString(text)
			require.NoError(t, err)
			fmt.Sscanf(off, "0x%x", &at)
			copy(data[at:], b)
		}
	}
	return data
}

// handMade returns a hand-made file of the corpus with its last SFrame
// section, edited.
func handMade(t *testing.T, name, edit string) (*reader.Object, *reader.SFrame) {
	t.Helper()
	if strings.HasPrefix(name, "regressions/") {
		var out *reader.Object
		require.NoError(t, reader.Scan("../../../corpus/"+name, reader.Options{}, func(o *reader.Object) error {
			out = o
			return nil
		}))
		return out, out.SFrames[len(out.SFrames)-1]
	}
	all := corpus(t)
	i := slices.IndexFunc(all, func(e manifestEntry) bool { return e.File == "files/hand/"+name || e.File == "files/"+name })
	require.GreaterOrEqual(t, i, 0, "no such file in the corpus")
	if all[i].Kind == "raw" {
		f := decode(edited(t, all[i].rawSection(t).Data, edit), all[i].address(t))
		return &reader.Object{Path: name, Status: reader.StatusOK, SFrames: []*reader.SFrame{f}}, f
	}
	s := all[i].subjects(t, false)[0]
	s.file = edited(t, s.file, edit)
	o := s.read(t)
	require.NotEmpty(t, o.SFrames)
	return o, o.SFrames[len(o.SFrames)-1]
}

func TestDemands(t *testing.T) {
	tested := map[consumers.Demand]bool{}
	for _, c := range unmets {
		t.Run(string(c.demand)+"/"+c.file+c.edit, func(t *testing.T) {
			tested[c.demand] = true
			o, f := handMade(t, c.file, c.edit)
			sp, inFile, found := consumers.Unmet(c.demand, c.arg, o, f, asked.Of(o))
			require.True(t, found)
			got := fmt.Sprintf("0x%x+%d", sp.Off, sp.Len)
			if inFile {
				got = "file " + got
			}
			require.Equal(t, c.want, got)
		})
	}
	for _, d := range consumers.Vocabulary() {
		require.True(t, tested[d], "no test of %q", d)
	}
}

// neverMet are demands that good sections do not meet, as they depend on the
// parameter or on what consumers lack.
var neverMet = []consumers.Demand{"understanding", "start-symbol", "info-bits", "sp-without-fp", "one-stub-row", "flexible-cfa-plain", "flexible-by-sp-fp", "flexible-no-padding", "eh-frame-hdr"}

// A good section meets every demand whose parameter it fits.
func TestDemandsMet(t *testing.T) {
	fits := consumers.Arg{Accept: []model.Version{2, 3}, ABIs: []model.ABI{2, 3}, Flags: 5, Max: 32}
	special := map[consumers.Demand]consumers.Arg{
		"flags-clear": {Flags: 2},
		"not-abi":     {ABIs: []model.ABI{4}},

		"narrow-relocations": {ABIs: []model.ABI{4}},
	}
	for _, name := range []string{"v3-amd64.elf", "v2-amd64.elf", "reloc-relocated.o"} {
		o, f := handMade(t, name, "")
		for _, d := range consumers.Vocabulary() {
			arg, ok := special[d]
			if !ok {
				arg = fits
			}
			if slices.Contains(neverMet, d) || d == "in-segment" && o.ELF.Relocatable() ||
				d == "flags-set" && o.ELF.Relocatable() || d == "some-words" {
				continue
			}
			_, _, found := consumers.Unmet(d, arg, o, f, asked.Of(o))
			require.False(t, found, "%s: %s", name, d)
		}
	}
}

// The tables of a file are not searched for any number of sections.
func TestManySections(t *testing.T) {
	o, f := handMade(t, "segment-elsewhere.elf", "")
	last := *f
	for len(o.SFrames) < 16 {
		o.SFrames = append(o.SFrames, &last)
	}
	_, _, found := consumers.Unmet("in-segment", consumers.Arg{}, o, &last, nil)
	require.True(t, found)
	last = *f
	o.SFrames = append(slices.Repeat([]*reader.SFrame{f}, 16), &last)
	_, _, found = consumers.Unmet("in-segment", consumers.Arg{}, o, f, nil)
	require.True(t, found)
	_, _, found = consumers.Unmet("in-segment", consumers.Arg{}, o, &last, nil)
	require.False(t, found)
}
