package html

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/testkit"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/internal/testkit/outputtest"
	"github.com/sframe-lint/sframe-lint/internal/tool/dump/table"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

const program = "../../../corpus/files/binutils-2.47/amd64/program.elf"

// view returns the page of a file.
func view(t *testing.T, name string, data []byte) string {
	t.Helper()
	var b bytes.Buffer
	v := NewView(&b, outputtest.Tool, name, nil)
	require.NoError(t, reader.ScanReader(name, bytes.NewReader(data), int64(len(data)), reader.Options{NoSurvey: true}, func(o *reader.Object) error {
		for _, s := range o.SFrames {
			if err := v.Section(o, s); err != nil {
				return err
			}
		}
		return nil
	}))
	require.NoError(t, v.Close())
	return b.String()
}

// hostileProgram is a program with a function that is called like markup.
func hostileProgram(t *testing.T) []byte {
	t.Helper()
	data := must.Get(os.ReadFile(program))(t)
	require.Contains(t, string(data), "\x00main\x00")
	return bytes.Replace(data, []byte("\x00main\x00"), []byte("\x00<b>x\x00"), 1)
}

func damaged(t *testing.T) []byte {
	t.Helper()
	data := must.Get(os.ReadFile("../../../corpus/files/hand/v3-amd64-truncated-fre.sframe"))(t)
	return data
}

// TestViewOfAnything: whatever the bytes, the page is whole, and has no markup of theirs.
func TestViewOfAnything(t *testing.T) {
	for _, x := range []struct {
		name string
		data []byte
	}{{`</template><script>alert(1)</script>`, damaged(t)}, {"::error::x\x1b", hostileProgram(t)}} {
		page := view(t, x.name, x.data)
		assert.True(t, strings.HasSuffix(page, "</body>\n</html>\n"))
		assert.Equal(t, 1, strings.Count(page, "<script"))
		assert.Equal(t, 1, strings.Count(page, `<template class="data"`))
		assert.Equal(t, strings.Count(page, "<template"), strings.Count(page, "</template>"))
		assert.NoError(t, testkit.Obeyed(regexp.MustCompile(`(?s)<style>.*?</style>|<script>.*?</script>`).ReplaceAllString(page, "")))
		for _, s := range []string{"src=", "<link", "@import", "url(", "fetch("} {
			assert.NotContains(t, strings.ReplaceAll(page, "<img src=", ""), s)
		}
	}
}

// FuzzView writes the page of any bytes.
func FuzzView(f *testing.F) {
	for _, path := range []string{program, "../../../corpus/files/hand/v3-amd64-truncated-fre.sframe", "../../../corpus/files/hand/v3-amd64.sframe"} {
		data := must.Get(os.ReadFile(path))(f)
		f.Add(path, data)
	}
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		var b bytes.Buffer
		v := NewView(&b, outputtest.Tool, name, nil)
		_ = reader.ScanReader(name, bytes.NewReader(data), int64(len(data)), reader.Options{NoSurvey: true}, func(o *reader.Object) error {
			for _, s := range o.SFrames {
				if err := v.Section(o, s); err != nil {
					return err
				}
			}
			return nil
		})
		require.NoError(t, v.Close())
		page := b.String()
		require.Equal(t, 1, strings.Count(page, "<script"))
		require.Equal(t, strings.Count(page, "<template"), strings.Count(page, "</template>"))
		require.NoError(t, testkit.Obeyed(regexp.MustCompile(`(?s)<style>.*?</style>|<script>.*?</script>`).ReplaceAllString(page, "")))
	})
}

// A page beyond its budget is an error.
func TestViewBudget(t *testing.T) {
	data := must.Get(os.ReadFile(program))(t)
	v := NewView(new(bytes.Buffer), outputtest.Tool, "x", budget.New(t.Context(), budget.Limits{budget.Output: 1000}))
	_ = reader.ScanReader("x", bytes.NewReader(data), int64(len(data)), reader.Options{}, func(o *reader.Object) error { return v.Section(o, o.SFrames[0]) })
	var over *budget.Exceeded
	require.ErrorAs(t, v.Close(), &over)
}

// coded returns the page of a file with its instructions.
func coded(t *testing.T, path string, opts table.Selection) string {
	t.Helper()
	var b bytes.Buffer
	v := NewView(&b, outputtest.Tool, path, nil)
	addCode(t, v, path, opts)
	require.NoError(t, v.Close())
	return b.String()
}

// addCode adds a file with its instructions to a page.
func addCode(t *testing.T, v *View, path string, opts table.Selection) {
	t.Helper()
	require.NoError(t, reader.Scan("../../../corpus/files/"+path, reader.Options{}, func(o *reader.Object) error {
		opts.CFI = true
		opts.Findings = (&rules.Driver{Rules: catalogue.Default()}).Run(o).Findings
		x := must.Get(table.Open(o, opts))(t)
		require.NoError(t, v.Code(x, opts.Func != ""))
		for _, s := range o.SFrames {
			require.NoError(t, v.Section(o, s))
		}
		return nil
	}))
}

// TestStubNames: an FDE of a stub, which no symbol names, has the name that dump prints.
func TestStubNames(t *testing.T) {
	var names []string
	require.NoError(t, reader.Scan("../../../corpus/files/binutils-2.47/amd64/pie.elf", reader.Options{}, func(o *reader.Object) error {
		x := must.Get(table.Open(o, table.Selection{}))(t)
		v := NewView(new(bytes.Buffer), outputtest.Tool, "pie.elf", nil)
		require.NoError(t, v.Code(x, false))
		d := newSectionData(o, o.SFrames[0], ".sframe")
		d.list(v.listing)
		i := 0
		for f := range o.SFrames[0].Section.FDEs() {
			names = append(names, d.nameOf(i, f))
			i++
		}
		return nil
	}))
	assert.Equal(t, []string{".plt", "provided@plt", "main", "leaf", "framed", "pushes", "roomy", "vast"}, names)
}

// TestStaticFunction: the instructions of one function are in the page without a script.
func TestStaticFunction(t *testing.T) {
	page := coded(t, "lines/linked.elf", table.Selection{Func: "frame"})
	_, static, ok := strings.Cut(page, `<noscript><section class="static">`)
	require.True(t, ok)
	static, _, _ = strings.Cut(static, "</noscript>")
	assert.Contains(t, static, "<td>400145</td><td>48 89 e5</td><td>mov %rsp,%rbp</td><td>rsp+24 c-8 c-16</td>")
	assert.Contains(t, static, "SF3114")
	assert.Equal(t, 1, strings.Count(page, "<noscript><section"))
}

// TestBySeverity: a page opens at the first finding of its list, whatever else precedes it in the code.
func TestBySeverity(t *testing.T) {
	l := listing{finds: []codeFinding{{Rule: "a", level: rules.Note}, {Rule: "b", level: rules.Error}, {Rule: "c", level: rules.Warning}, {Rule: "d", level: rules.Error}}}
	var order []string
	for _, x := range l.bySeverity() {
		order = append(order, x.Rule)
	}
	assert.Equal(t, []string{"b", "d", "c", "a"}, order)
}
