package lintcmd

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A name in an archive is nobody's friend: objdump, and its style, write its
// control characters with carets and end it at a NUL. Bytes that are not UTF-8, which
// objdump writes as they are, are escaped.
func TestObjdumpNames(t *testing.T) {
	object, err := os.ReadFile(corpus + "binutils-2.47/amd64/signal.o")
	require.NoError(t, err)
	const name, shown = "\x1b[31m\x01\x7f\xc3\xa9\xff.o", `^[[31m^A^\xbfé\xff.o`
	dir := t.TempDir()

	file := filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(file, object, 0o666))
	_, out, _ := runMain(nil, "dump", "--format", "objdump", file)
	assert.Contains(t, out, "\n"+dir+"/"+shown+":     file format elf64-x86-64\n\n")

	for _, end := range []string{"/", "\x00x/"} {
		archive := filepath.Join(dir, "lib\x1b.a")
		field := (name + end + strings.Repeat(" ", 16))[:16]
		header := fmt.Sprintf("!<arch>\n%s%-12d%-6d%-6d%-8o%-10d`\n", field, 0, 0, 0, 0o644, len(object))
		require.NoError(t, os.WriteFile(archive, append([]byte(header), object...), 0o666))
		_, out, _ = runMain(nil, "dump", "--format", "objdump", archive)
		assert.Contains(t, out, "In archive "+dir+"/lib^[.a:\n\n"+shown+":     file format elf64-x86-64\n\n")
	}
}

// TestObjdumpFirst: objdump finds a section by its name, and so prints the first one of a name only.
func TestObjdumpFirst(t *testing.T) {
	file := "../../../corpus/regressions/two-sections-of-a-name.elf"
	_, out, errs := runMain(nil, "dump", "--format", "objdump", file)
	assert.Equal(t, 1, strings.Count(out, "Contents of the SFrame section .sframe:"))
	assert.Equal(t, "sframe-lint: "+file+": objdump prints only the first section of the name .sframe\n", errs)
	_, out, _ = runMain(nil, "dump", file)
	assert.Equal(t, 2, strings.Count(out, "sfp_magic"))
}
