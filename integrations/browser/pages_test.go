package browser_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/sframe-lint/sframe-lint/internal/testkit/outputtest"
	"github.com/sframe-lint/sframe-lint/internal/tool/dump/table"
	"github.com/sframe-lint/sframe-lint/internal/tool/html"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
	"github.com/stretchr/testify/require"
)

const program = "../../corpus/files/binutils-2.47/amd64/program.elf"

func render(t *testing.T, files []*lint.File) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, outputtest.Render(html.New(&b, outputtest.Tool), files))
	return b.String()
}

// view returns the page of a file.
func view(t *testing.T, name string, data []byte) string {
	var b bytes.Buffer
	return outputtest.View(t, &b, html.NewView(&b, outputtest.Tool, name, nil), name, data)
}

func damaged(t *testing.T) []byte {
	t.Helper()
	data, err := os.ReadFile("../../corpus/files/hand/v3-amd64-truncated-fre.sframe")
	require.NoError(t, err)
	return data
}

// coded returns the page of a file with its instructions.
func coded(t *testing.T, path string, opts table.Selection) string {
	t.Helper()
	var b bytes.Buffer
	v := html.NewView(&b, outputtest.Tool, path, nil)
	addCode(t, v, path, opts)
	require.NoError(t, v.Close())
	return b.String()
}

// addCode adds a file with its instructions to a page.
func addCode(t *testing.T, v *html.View, path string, opts table.Selection) {
	t.Helper()
	require.NoError(t, reader.Scan("../../corpus/files/"+path, reader.Options{}, func(o *reader.Object) error {
		opts.CFI = true
		opts.Findings = (&rules.Driver{Rules: catalogue.Default()}).Run(o).Findings
		x, err := table.Open(o, opts)
		require.NoError(t, err)
		require.NoError(t, v.Code(x, opts.Func != ""))
		for _, s := range o.SFrames {
			require.NoError(t, v.Section(o, s))
		}
		return nil
	}))
}

// twoFiles returns the page of two files.
func twoFiles(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	v := html.NewView(&b, outputtest.Tool, "two", nil)
	for _, file := range []struct{ name, path string }{{"old.elf", "binutils-2.44/amd64/program.elf"}, {"new.elf", "binutils-2.47/amd64/program.elf"}} {
		v.File(file.name)
		addCode(t, v, file.path, table.Selection{})
	}
	require.NoError(t, v.Close())
	return b.String()
}
