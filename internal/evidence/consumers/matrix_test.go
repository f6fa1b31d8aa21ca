package consumers_test

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/consumers"
	"github.com/sframe-lint/sframe-lint/internal/tool/asked"
	"github.com/sframe-lint/sframe-lint/reader"
)

func some(t *testing.T, names string) []*consumers.Profile {
	t.Helper()
	all, err := consumers.Select(names)
	require.NoError(t, err)
	return all
}

// writeMatrix writes all sheets.
func writeMatrix(w io.Writer, format string, sheets []consumers.Sheet) error {
	m, err := consumers.NewWriter(w, format)
	for i := range sheets {
		err = errors.Join(err, m.Add(&sheets[i]))
	}
	if err != nil {
		return err
	}
	return m.Close()
}

func TestWriteText(t *testing.T) {
	o, _ := handMade(t, "reloc-relocated.o", "")
	o.Path, o.Member = "lib\x1b.a", "one.o"
	sheets := consumers.Sheets(o, asked.Of(o), some(t, "libsframe-2.44,libsframe-2.47,lld,linux-user")...)
	o, _ = handMade(t, v3amd, "0x88:21")
	sheets = append(sheets, consumers.Sheets(o, asked.Of(o), some(t, "libsframe,glibc")...)...)
	o, _ = handMade(t, v3amd, "0xac:00")
	sheets = append(sheets, consumers.Sheets(o, asked.Of(o), some(t, "linux-user")...)...)
	o = &reader.Object{Path: "plain.o", Status: reader.StatusNoSFrame, Detail: "no .sframe section"}
	sheets = append(sheets, consumers.Sheets(o, asked.Of(o), some(t, "linux-user")...)...)
	var b strings.Builder
	require.NoError(t, writeMatrix(&b, "text", sheets))
	require.Equal(t, `lib\x1b.a(one.o): .sframe
  libsframe-2.44  rejects  0x2+1         sfp_version is 3, expected 1 or 2: the dump ends with an error message
  libsframe-2.47  reads                  meets all demands of libsframe-2.47
  lld-23          ignores  file 0x5d4+4  SFrame is not supported: lld-23 concatenates the inputs' sections, each with its header, and drops them with --gc-sections
  linux-user      n/a                    it reads only linked files

v3-amd64.sframe
  libsframe-2.47  crashes  0x88+1  an FRE starts at 33, but the function ends at 32: libsframe-2.47 aborts on an assertion
  glibc-2.42      rejects  0x2+1   sfp_version is 3, expected 2: glibc-2.42 falls back to DWARF

v3-amd64.sframe
  linux-user  may crash  0xac+1  FDE 3 has PC type MASK and rep_size 0: linux-user divides by rep_size [SF2007]

plain.o
  linux-user  ignores    there is no SFrame data: no .sframe section
`, b.String())
}

func TestWriteJSON(t *testing.T) {
	o, _ := handMade(t, v3amd, "0x5:f0 0x88:21 0x9b:38")
	var b strings.Builder
	require.NoError(t, writeMatrix(&b, "json", consumers.Sheets(o, asked.Of(o), some(t, "libsframe,lld")...)))
	require.JSONEq(t, `[{"path": "v3-amd64.sframe", "consumers": [
		{"name": "libsframe-2.47", "title": "objdump and readelf of GNU binutils 2.46 and 2.47",
		 "verdict": "crashes", "check": "rows-in-function", "offset": 136, "length": 1, "fde": 0, "fre": 2,
		 "why": "an FRE starts at 33, but the function ends at 32: libsframe-2.47 aborts on an assertion",
		 "also": [{"verdict": "misreads", "check": "fixed-fp", "moot": true, "offset": 135, "length": 1, "fde": 0, "fre": 1,
			"why": "an FRE has an FP word although sfh_cfa_fixed_fp_offset is -16: libsframe-2.47 relies on this field and confuses the data words"}]},
		{"name": "lld-23", "title": "LLVM's lld up to 23", "verdict": "ignores", "check": "understanding", "offset": 0, "length": 4,
		 "why": "SFrame is not supported: lld-23 concatenates the inputs' sections, each with its header, and drops them with --gc-sections"}]}]`,
		b.String())

	b.Reset()
	require.NoError(t, writeMatrix(&b, "json", nil))
	require.JSONEq(t, `[]`, b.String())
	require.True(t, json.Valid([]byte(b.String())))
	require.ErrorContains(t, writeMatrix(&b, "html", nil), `unknown format "html": expected text, json or jsonl`)
}

// All sections of an object are judged.
func TestSheets(t *testing.T) {
	o, _ := handMade(t, "twice.o", "")
	sheets := consumers.Sheets(o, asked.Of(o))
	require.Len(t, sheets, 2)
	for _, s := range sheets {
		require.Len(t, s.Rows, len(consumers.All()))
	}
}
