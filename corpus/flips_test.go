package corpus_test

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// flipped are small linked files of each version and ABI.
var flipped = []string{
	"files/binutils-2.44/amd64/static.elf",
	"files/binutils-2.47/amd64/static.elf",
	"files/binutils-2.47/aarch64-be/static.elf",
	"files/binutils-2.47/s390x/static.elf",
}

// share counts the flips of a field's bits and those that are flagged.
type share struct{ flips, flagged int }

// TestFlips flips every bit of a section by itself. Nothing may crash, and
// most flips must be flagged: have an error or warning that the intact file
// has not.
// The table of fields is printed with -v.
func TestFlips(t *testing.T) {
	total := share{}
	fields := map[string]*share{}
	driver := &rules.Driver{Rules: catalogue.Default(), Limit: -1}
	for _, file := range flipped {
		of := flipAll(t, driver, file, fields)
		t.Logf("%-45s %5d of %5d flips flagged (%d%%)", file, of.flagged, of.flips, 100*of.flagged/of.flips)
		total.flips += of.flips
		total.flagged += of.flagged
	}
	var names []string
	for name := range fields {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		s := fields[name]
		t.Logf("%-30s %5d of %5d (%d%%)", name, s.flagged, s.flips, 100*s.flagged/s.flips)
	}
	t.Logf("%d of %d flips flagged (%d%%)", total.flagged, total.flips, 100*total.flagged/total.flips)
	assert.GreaterOrEqual(t, 100*total.flagged, 70*total.flips, "fewer than 70%% of the flips are flagged")
}

func flipAll(t *testing.T, d *rules.Driver, file string, fields map[string]*share) (sum share) {
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	intact := scan(t, d, data)
	var off, size int64
	names := map[int64]string{}
	require.NoError(t, reader.ScanReader(file, bytes.NewReader(data), int64(len(data)), reader.Options{}, func(o *reader.Object) error {
		sf := o.SFrames[0]
		off, size = sf.Offset, int64(len(sf.Data))
		names = fieldNames(sf.Section)
		return nil
	}))
	for at := range size {
		for bit := range 8 {
			data[off+at] ^= 1 << bit
			flagged := slices.ContainsFunc(scan(t, d, data), func(f string) bool { return !slices.Contains(intact, f) })
			data[off+at] ^= 1 << bit
			s := fields[names[at]]
			if s == nil {
				s = &share{}
				fields[names[at]] = s
			}
			sum.flips++
			s.flips++
			if flagged {
				sum.flagged++
				s.flagged++
			}
		}
	}
	return sum
}

// scan returns the errors and warnings in a file, whatever it is.
func scan(t *testing.T, d *rules.Driver, data []byte) (out []string) {
	require.NoError(t, reader.ScanReader("flip", bytes.NewReader(data), int64(len(data)), reader.Options{}, func(o *reader.Object) error {
		res := d.Run(o)
		require.Empty(t, res.Failures)
		for _, f := range res.Findings {
			if f.Severity >= rules.Warning {
				out = append(out, brief(o, f))
			}
		}
		return nil
	}))
	return out
}

// fieldNames tells, byte by byte, what a section's bytes are.
func fieldNames(s *model.Section) map[int64]string {
	names := map[int64]string{}
	put := func(sp model.Span, name string) {
		for off := sp.Off; off < sp.End(); off++ {
			names[off] = name
		}
	}
	for f := range model.HeaderField(model.NumHeaderFields) {
		put(f.Span(), "header "+f.String())
	}
	for i := range s.NumFDEs() {
		f := s.FDE(i)
		for field := model.FDEStart; field <= model.FDEPadding; field++ {
			name := model.FieldName(s.Version(), field)
			for _, prefix := range []string{"sfde_func_", "sfdi_func_", "sfda_func_"} {
				name = strings.TrimPrefix(name, prefix)
			}
			if field == model.FDEStart {
				name = "start"
			}
			put(f.FieldSpan(field), "FDE "+name)
		}
		for r := range f.FREs() {
			put(r.StartSpan(), "FRE start")
			put(r.InfoSpan(), "FRE info")
			for k := range r.NumWords() {
				put(r.WordSpan(k), fmt.Sprintf("FRE word %d", k+1))
			}
		}
	}
	return names
}
