package asm_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/tool/asm"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

const leaf = ".func leaf 0x1000 0x10\n  0: cfa = rsp+8\n"

func assemble(t *testing.T, text string) *asm.Output {
	t.Helper()
	out, err := asm.Assemble([]byte(text), asm.Options{})
	require.NoError(t, err)
	return out
}

// TestDefaults: what a text does not state follows from the rest.
func TestDefaults(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"nothing", "", "e2de0305 0300f800 00000000 00000000 00000000 00000000 00000000"},
		{"a function", leaf, "e2de0305 0300f800 01000000 01000000 08000000 00000000 10000000" +
			"e40f000000000000 10000000 00000000 0100000000 000308"},
		{"version 2", ".version 2\n" + leaf, "e2de0201 0300f800 01000000 01000000 03000000 00000000 14000000" +
			"00100000 10000000 00000000 01000000 00 00 0000 000308"},
		{"version 1", ".version 1\n.flags 0\n" + leaf, "e2de0100 0300f800 01000000 01000000 03000000 00000000 11000000" +
			"00100000 10000000 00000000 01000000 00 000308"},
		{"big-endian", ".abi aarch64-be\n.func f 0x1000 8\n0: cfa = sp+0x20; ra = *(cfa-8); fp = *(cfa-16); signed",
			"dee20305 01000000 00000001 00000001 0000000a 00000000 00000010" +
				"0000000000000fe4 00000008 00000000 0001 00 00 00 00 87 20 f8 f0"},
		{"scaled", ".abi s390x\n.func f 0x1000 8\n0: cfa = r15+160", "dee20305 04000000 00000001 00000001 00000008 00000000 00000010" +
			"0000000000000fe4 00000008 00000000 0001 00 00 00 00 03 00"},
		{"not sorted", leaf + ".func 0xff0 1", "e2de0304 0300f800 02000000 01000000 0d000000 00000000 20000000" +
			"e40f000000000000 10000000 00000000 c40f000000000000 01000000 08000000 0100000000 000308 0000000000"},
		{"auxiliary header", ".aux 01 0203", "e2de0305 0300f803 00000000 00000000 00000000 00000000 00000000 010203"},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, strings.ReplaceAll(test.want, " ", ""), fmt.Sprintf("%x", assemble(t, test.text).Bytes))
		})
	}
}

// TestRows: the data of one function, without its attribute.
func TestRows(t *testing.T) {
	for _, test := range []struct{ rows, want string }{
		{"0: cfa = rsp+8", "00 03 08"},
		{"0x10: CFA = RBP + 16; fp = *(CFA - 16)", "10 04 10 f0"},
		{"1: cfa = rsp+300", "01 23 2c01"},
		{"1: cfa = rsp+8; size 4", "01 43 08000000"},
		{"256: cfa = rsp+8", "0001 03 08"},
		{"0: outermost", "00 00"},
		{"0: outermost; signed", "00 80"},
		{"0: cfa = r10", "00 04 51 00"},
		{"0: cfa = *(rbp-8); fp = *(rbp)", "00 0a 33 f8 00 33 00"},
		{"0: cfa = reg40+8", "00 24 4101 0800"},
		{"0: words 1, -2", "00 04 01 fe"},
		{"0: words 1, 2; base sp; size 2; signed", "00 a5 0100 0200"},
		{"0: words 0xff; size 1", "00 02 ff"},
		{"0: words", "00 00"},
		{"0: words 7; info 0x6f", "00 6f 07"},
		{"(1+2)*3 - -1: cfa = rsp+2*4", "0a 03 08"},
		{"0: cfa = rsp+8\n.bytes 01 ff", "00 03 08 01ff"},
		{"0: cfa = rsp+8\n.org 10\n1: cfa = rsp", "00 03 08 0000 01 03 00"},
		{".repeat 3\n i*4: cfa = rsp+8*i\n.end", "00 03 00 04 03 08 08 03 10"},
	} {
		t.Run(test.rows, func(t *testing.T) {
			b := assemble(t, ".func f 0 0x1000\n"+test.rows).Bytes
			assert.Equal(t, strings.ReplaceAll(test.want, " ", ""), fmt.Sprintf("%x", b[28+16+5:]))
		})
	}
}

// TestOverrides: each field can have any value, and that moves nothing.
func TestOverrides(t *testing.T) {
	plain := assemble(t, leaf)
	for _, test := range []struct{ text, field string }{
		{".num_fdes 7\n" + leaf, "num_fdes"},
		{".fre_len 0xffffffff\n" + leaf, "fre_len"},
		{leaf + ".freoff 9", "freoff"},
		{leaf + ".auxhdr_len 255", "auxhdr_len"},
		{leaf + ".magic 0", "magic"},
		{".func leaf 0x1000 0x10 info=0x43\n 0: cfa = rsp+8", "leaf.info"},
		{".func leaf 0x1000 0x10 num_fres=9\n 0: cfa = rsp+8", "leaf.num_fres"},
		{".func leaf 0x1000 0x10 start=-1\n 0: cfa = rsp+8", "leaf.start"},
		{".func leaf 0x1000 0x10 rep_size=3\n 0: cfa = rsp+8", "leaf.rep_size"},
		{leaf + "leaf.start_fre_off = 77", "leaf.start_fre_off"},
		{leaf + "leaf.size = 0", "leaf.size"},
		{leaf + "leaf.0.start = 255", "leaf.0.start"},
		{leaf + "leaf.0.info = 0x63", "leaf.0.info"},
		{leaf + "leaf.0.word0 = -8", "leaf.0.word0"},
	} {
		t.Run(test.field, func(t *testing.T) {
			out := assemble(t, test.text)
			sp, ok := plain.Span(test.field)
			require.True(t, ok)
			want := bytes.Clone(plain.Bytes)
			require.NotEqual(t, want, out.Bytes)
			copy(want[sp.Off:sp.End()], out.Bytes[sp.Off:sp.End()])
			assert.Equal(t, want, out.Bytes)
		})
	}
	for name, want := range map[string]model.Span{
		"version": {Off: 2, Len: 1}, "leaf.start": {Off: 28, Len: 8}, "leaf.info2": {Off: 47, Len: 1}, "leaf.0.info": {Off: 50, Len: 1},
	} {
		got, ok := plain.Span(name)
		assert.True(t, ok && got == want, name)
	}
	for _, name := range []string{"", "leaf", "leaf.", "leaf.padding2", "leaf.1.start", "leaf.0.word1", "leaf.0.nothing", "nothing.info", "leaf.-1.info"} {
		_, ok := plain.Span(name)
		assert.False(t, ok, name)
	}
}

// TestSharedWidth: a width that a function states is not that of the function whose FREs it shares.
func TestSharedWidth(t *testing.T) {
	const text = ".version 2\n.func a 0 1\n.func b 0 1 fres=a "
	assert.Equal(t, assemble(t, text+"info=1").Bytes, assemble(t, text+"addr2").Bytes)
}

// TestEdits: a text starts from another one.
func TestEdits(t *testing.T) {
	base := ".func a 0x10 4\n0: cfa = rsp+8\n.func b 0x20 4\n0: cfa = rsp+16\n"
	files := map[string]string{"dir/base.sfs": base, "top.sfs": ".include \"dir/base.sfs\"\n", "loop.sfs": ".include \"loop.sfs\"\n"}
	opts := asm.Options{Read: func(name string, off, n int64) ([]byte, int64, error) {
		if text, ok := files[name]; ok {
			return []byte(text), int64(len(text)), nil
		}
		return nil, 0, errors.New(name + ": no such file")
	}}
	for text, want := range map[string]string{
		".include \"top.sfs\"\n":                                                base,
		".include \"top.sfs\"\n.delete a\n":                                     ".func b 0x20 4\n0: cfa = rsp+16\n",
		".include \"top.sfs\"\n.replace b 0x30 8\n1: cfa = rsp+8\n":             ".func a 0x10 4\n0: cfa = rsp+8\n.func b 0x30 8\n1: cfa = rsp+8\n",
		".include \"top.sfs\"\n.delete a\n.func a 0x30 8\n.delete b\n.func 1 1": ".func a 0x30 8\n.func f1 1 1\n",
		".include \"top.sfs\"\n4: cfa = rbp\n":                                  base + "4: cfa = rbp\n",
		".include \"top.sfs\"\n.version 2\n":                                    ".version 2\n" + base,
		".func c 0 4 fres=a\n.include \"top.sfs\"\n":                            ".func c 0 4 fres=0 num_fres=1\n.num_fres 3\n" + base,
		"a.info = 3 # a comment\n.include \"top.sfs\"\n":                        base + "a.info = 3",
		".include \"top.sfs\"\n.size 100\n.at 98: 01\n.order little\n":          base + ".at 98: 01 00",
	} {
		got, err := asm.Assemble([]byte(text), opts)
		require.NoError(t, err, text)
		assert.Equal(t, assemble(t, want).Bytes, got.Bytes, text)
	}
	for text, want := range map[string]string{
		".include \"loop.sfs\"":  "nested deeper than 8",
		".include \"other.sfs\"": "text:1:10: other.sfs: no such file",
	} {
		_, err := asm.Assemble([]byte(text), opts)
		assert.ErrorContains(t, err, want)
	}
	_, err := asm.Assemble([]byte(".include \"top.sfs\""), asm.Options{})
	assert.ErrorContains(t, err, "can't name files")
}

// TestErrors: each error has its line and column, and one does not hide the next.
func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		".versio 3\n  .func a 5\n":                 "text:1:1: unknown directive \".versio\"; did you mean \".version\"?\ntext:2:12: expected a number, not the end of the line",
		".abi vax":                                 "text:1:6: unknown ABI \"vax\": expected one of aarch64-be, aarch64, amd64, s390x, or .abi_arch and a number",
		".version 256":                             "text:1:10: 256 does not fit sfp_version, which has 1 bytes",
		".flags sorted 7x":                         "text:1:15: \"7x\" is not a number of 64 bits",
		"0: cfa = rsp":                             "text:1:1: expected a directive, not \"0\"",
		leaf + "4: cfa = rxp+8":                    "text:3:10: AMD64 has no register \"rxp\"",
		leaf + "4: fp = rbp":                       "text:3:1: a row must state the CFA, words, or that it is outermost",
		leaf + "4: cfa = rsp; words 1":             "text:3:1: a row has rules, or words, or is outermost: not two of these",
		leaf + "4: cfa = rsp; cfa = rsp":           "text:3:15: cfa is given twice",
		leaf + "4: cfa = *(rsp":                    "text:3:15: expected \")\", not the end of the line",
		leaf + "4: cfa = rsp ra = rsp":             "text:3:14: expected the end of the line, not \"ra\"",
		leaf + "4: words 0x100000000":              "text:3:10: 4294967296 does not fit a data word, which has 4 bytes",
		leaf + "4: cfa = rsp+300; size 1":          "text:3:1: 300 does not fit a data word, which has 1 bytes",
		leaf + "4: cfa = rsp; size 3":              "text:3:15: the size of a word is 1, 2 or 4 bytes",
		leaf + ".func leaf 1 1":                    "text:3:1: there is a function \"leaf\" already: use .replace to change it",
		leaf + ".func x 1 0x100000000":             "text:3:11: the size of a function has 32 bits",
		leaf + ".func x 1 1 fres=nobody":           "text:3:1: there is no function \"nobody\"",
		leaf + ".func x 1 1 addr1\n256: outermost": "text:4:1: start 0x100 does not fit 1 bytes",
		leaf + "leaf.padding2 = 1":                 "text:3:1: there is no field \"leaf.padding2\"",
		leaf + "leaf.info = 256":                   "text:3:1: 256 does not fit leaf.info, which has 1 bytes",
		".version 2\n.func x 0x100000000 1":        "text:2:1: 4294967296 does not fit sfde_func_start_address, which has 4 bytes",
		".version 2\n.func x 1 1 info2=1":          "text:2:1: V2 has no field info2",
		".version 2\n.func x 1 1\n0: cfa = r10":    "text:3:1: version 2 can't express that CFA is r10: its base must be SP or FP",
		".version 9\n.func x 1 1":                  "text:2:1: version 9 has no known FDEs",
		".at 0: 0g":                                "text:1:8: expected bytes in hexadecimal, two digits each, not \"0g\"",
		".at 0: 012":                               "text:1:8: expected bytes in hexadecimal, two digits each, not \"012\"",
		".at -1: 00":                               "text:1:5: an offset must be from 0 to 67108864, not -1",
		".size 0x80000000":                         "text:1:7: the size must be from 0 to 67108864, not 2147483648",
		".bytes 00":                                "text:1:1: .bytes are a part of a function; use .at for other bytes",
		".repeat 2":                                "text:1:1: .repeat without .end",
		".end":                                     "text:1:1: .end without .repeat",
		".repeat 5\n.nope\n.end":                   "text:2:1: unknown directive \".nope\": docs/asm.md has all",
		"\"abc":                                    "text:1:1: a string without an end, or with an unknown escape",
		".size 1 ü":                                "text:1:9: unexpected character \"ü\"",
		".size 010":                                "text:1:7: \"010\" is not a number of 64 bits",
		".section x":                               "text:1:1: .section needs .elf before it",
		".elf rel\n.reloc 0 R_NOPE f":              "text:2:10: AMD64 has no relocation \"R_NOPE\"",
		".elf rel\n.symbol a 0 section=x":          "text:2:1: the text has no section \"x\"",
		".elf core":                                "text:1:6: expected rel, exec or dyn, not \"core\"",
	} {
		_, err := asm.Assemble([]byte(text), asm.Options{})
		var all asm.Errors
		if assert.ErrorAs(t, err, &all, text) {
			assert.Equal(t, want, err.Error(), text)
		}
	}
}

// TestLimits: no text chooses how much is read, executed or held.
func TestLimits(t *testing.T) {
	_, err := asm.Assemble([]byte(strings.Repeat(".nope\n", 100)), asm.Options{})
	var all asm.Errors
	require.ErrorAs(t, err, &all)
	assert.Len(t, all, 20)
	for text, want := range map[string]string{
		strings.Repeat(".repeat 200000\n", 3) + ".size 1\n" + strings.Repeat(".end\n", 3):         "text:4:1: the text takes more than 67109952 bytes",
		strings.Repeat(".repeat 2\n", 30) + strings.Repeat(".end\n", 30):                          "nested deeper than 8",
		".size " + strings.Repeat("(", 100) + "1" + strings.Repeat(")", 100):                      "too many parentheses",
		".fres_at 0x8000000\n.func a 0 0":                                                         "beyond the limit",
		".func a 0 0\n.org 0xffffffff\n.bytes 00":                                                 "beyond the limit",
		".elf exec\n.func a 0 1\n.func b 0x7fffffff 1\n":                                          "give a .section with their code",
		".elf rel\n.section .text exec\n.repeat 70\n.zero 0x100000\n.end":                         "text:4:1: the text takes more than 67109808 bytes",
		".func a 0 1\n0: words 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16":                            "at most 15 words",
		".repeat 200000\n.func i*16, 16\n0: words 1,2,3,4,5,6,7,8,9,10,11,12,13,14; size 4\n.end": "text:2:1: the text takes more than 67110208 bytes",
		".repeat 262144 " + strings.Repeat("v", 1<<16) + "\n.end\n":                               "the text takes more than",
		".repeat 262144\n.func \"" + strings.Repeat("n", 1<<16) + "\" 0 0\n.end\n":                "the text takes more than",
	} {
		_, err := asm.Assemble([]byte(text), asm.Options{})
		assert.ErrorContains(t, err, want, text[:min(len(text), 60)])
	}

	// Of a file, only the part is read that the text names. What is included is executed as a part of the text.
	var parts []int64
	read := func(name string, off, n int64) ([]byte, int64, error) {
		parts = append(parts, off, n)
		return make([]byte, min(n, 16)), 1 << 40, nil
	}
	_, err = asm.Assemble([]byte(".elf rel\n.section .x\n.incbin \"big\", 3, 16\n"), asm.Options{Read: read})
	require.NoError(t, err)
	assert.Equal(t, []int64{3, 16}, parts)
	_, err = asm.Assemble([]byte(".elf rel\n.section .x\n.incbin \"big\", 0, 0x10000000\n"), asm.Options{Read: read})
	assert.ErrorContains(t, err, "text:3:16: the text takes more than")
	read = func(string, int64, int64) ([]byte, int64, error) { return make([]byte, 1<<20), 1 << 20, nil }
	_, err = asm.Assemble([]byte(".repeat 1000\n.include \"one\"\n.end\n"), asm.Options{Read: read})
	assert.ErrorContains(t, err, "unexpected character")
	blank := func(string, int64, int64) ([]byte, int64, error) {
		return bytes.Repeat([]byte("\n"), 1<<20), 1 << 20, nil
	}
	_, err = asm.Assemble([]byte(".repeat 1000\n.include \"one\"\n.end\n"), asm.Options{Read: blank})
	assert.ErrorContains(t, err, "the text takes more than")

	// What the text does not state has the place of .elf.
	_, err = asm.Assemble([]byte("\n .elf rel\n.func a 0 180"), asm.Options{Limit: 200})
	assert.EqualError(t, err, "text:2:2: the file has more than 200 bytes")
	_, err = asm.Assemble([]byte("\n .elf dyn\n.func a 0x1000 16"), asm.Options{Limit: 200})
	assert.EqualError(t, err, "text:2:2: the file has more than 200 bytes")
}

// scan returns the only object of a file.
func scan(t *testing.T, b []byte) (found *reader.Object) {
	t.Helper()
	require.NoError(t, reader.ScanReader("file", bytes.NewReader(b), int64(len(b)), reader.Options{}, func(o *reader.Object) error {
		found = o
		return nil
	}))
	return found
}

const two = ".func f 0x1000 16\n0: cfa = rsp+8\n.func g 0x1010 16\n0: cfa = rsp+8\n"

// TestELF: the files around sections are those that the reader finds the section in.
func TestELF(t *testing.T) {
	o := scan(t, assemble(t, ".elf exec\n.address 0x2000\n"+two).Bytes)
	require.Len(t, o.SFrames, 1)
	require.Empty(t, o.SFrames[0].Faults)
	assert.Equal(t, uint64(0x1010), o.SFrames[0].Section.FDE(1).Start())
	assert.Len(t, o.ELF.Segments, 3)

	o = scan(t, assemble(t, ".elf rel\n"+strings.ReplaceAll(two, "0x10", "0x")).Bytes)
	require.Len(t, o.SFrames, 1)
	require.Empty(t, o.SFrames[0].Faults)
	assert.True(t, o.SFrames[0].Section.FDE(1).Resolved())
	assert.Equal(t, uint64(0x10), o.SFrames[0].Section.FDE(1).Start())
	assert.Len(t, o.SFrames[0].Relocs, 2)

	text := ".elf dyn\n.section .text exec addr=0x1000 align=4\n.byte 90 c3\n.zero 14\n" +
		".section .sframe type=progbits alloc addr=0x2000 align=8\n.section \".a b\" size=5 type=nobits write addr=0x3000\n" +
		".symbol here 0x1000 size=2 local object\n.symbol away 0 undefined weak notype\n" +
		".reloc 28 R_X86_64_64 here+4\n.address 0x2000\n.func h 0x1000 2\n0: cfa = rsp+8\n"
	o = scan(t, assemble(t, text).Bytes)
	require.NotNil(t, o.ELF)
	assert.Len(t, o.ELF.Segments, 4)
	assert.Equal(t, ".a b", o.ELF.Sections[3].Name)
	assert.Equal(t, 4, o.ELF.Symbols.Len())
	assert.Equal(t, uint32(1), uint32(o.ELF.Sections[2].Type))
}

func Example() {
	out, err := asm.Assemble([]byte(`
		.version 2
		.func main 0x1000 0x20
		  0: cfa = rsp+8
		  1: cfa = rsp+16; fp = *(cfa-16)
	`), asm.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%x\n", out.Bytes[28:])
	// Output: 0010000020000000000000000200000000000000000308010510f0
}

// FuzzAssemble: no text makes the assembler fail otherwise than by errors with places, and what it
// writes keeps its limit.
func FuzzAssemble(f *testing.F) {
	f.Add(leaf)
	f.Add(".elf rel\n.func a 0 16380")
	f.Add(".elf rel\n" + two)
	f.Add(".elf dyn\n.section .text exec\n.byte 90\n.symbol a 0 local\n.reloc f 1 a+2\n" + two)
	f.Add(".elf rel\n.section c type=9 align=3 size=7\n.reloc 0 1 b\n.section d\n.incbin \"x\", 1, 2\n.symbol b 0 section=c")
	f.Add(".repeat 3 k\n.func k*16 16 mask=4 flex info=3\n k: words 1, -k; size 2; base sp; signed\n.end\nf1.info = 2\n.at 3: 01ff\n.size 9")
	f.Add(".abi s390x\n.order big\n.flags pcrel 8\n.aux 00\n.fdes_at 9\n.fres_at 70\n.relocatable\n.address -5\n.func \"a b\" 0 1 fres=7\n.delete \"a b\"")
	f.Fuzz(func(t *testing.T, text string) {
		const limit = 1 << 14
		out, err := asm.Assemble([]byte(text), asm.Options{Limit: limit})
		var all asm.Errors
		switch {
		case err == nil:
			if len(out.Section) > limit || len(out.Bytes) > 16*limit {
				t.Fatalf("%d bytes, in a file of %d", len(out.Section), len(out.Bytes))
			}
		case !errors.As(err, &all) || len(all) == 0:
			t.Fatalf("%v", err)
		default:
			lines := strings.Count(text, "\n") + 1
			for _, e := range all {
				if e.Message == "" || e.Line < 1 || e.Line > lines || e.Col < 1 {
					t.Fatalf("%+v", e)
				}
			}
		}
	})
}

// TestLongMessage: a message does not repeat all of a long name, and a file is not read that is too large.
func TestLongMessage(t *testing.T) {
	f := ".func " + strings.Repeat("n", 1<<16) + " 0 1\n"
	_, err := asm.Assemble([]byte(f+f), asm.Options{})
	require.ErrorContains(t, err, "text:2:1: there is a function \"nnn")
	assert.Less(t, len(err.Error()), 5000)

	asked := int64(0)
	read := func(_ string, _, n int64) ([]byte, int64, error) {
		asked += n
		return nil, 1 << 40, nil
	}
	_, err = asm.Assemble([]byte(".elf rel\n.section .x\n.incbin \"big\"\n"), asm.Options{Read: read})
	require.ErrorContains(t, err, "text:3:9: the text takes more than ")
	assert.Zero(t, asked)
}
