package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
)

// formats are those of --format.
var formats = []string{"text", "full", "json", "sarif", "github", "html"}

// functions returns an SFrame section of version 2 for AMD64 with n functions of 16
// bytes, the first of them after so many bytes from the section's start. Each has one
// FRE, and the info byte and padding that are given.
func functions(n, after int, info byte, padding uint16) []byte {
	const header, fde, fre = 28, 20, 3
	var b bytes.Buffer
	put := func(values ...any) {
		for _, v := range values {
			_ = binary.Write(&b, binary.LittleEndian, v) // a Buffer has no errors
		}
	}
	put(uint16(0xdee2), byte(2), byte(1|4), byte(3), int8(0), int8(-8), byte(0))
	put(uint32(n), uint32(n), uint32(fre*n), uint32(0), uint32(fde*n))
	for i := range n {
		put(int32(after+16*i-header-fde*i), uint32(16), uint32(fre*i), uint32(1), info, byte(0), padding)
	}
	for range n {
		put([]byte{0, 2, 8})
	}
	return b.Bytes()
}

// larger is about by how much the memory of a test's binary exceeds that of the program.
const larger = 8 << 20

// 100,000 findings cost as much memory in every format as any other input may, in one
// file and in many, and all of them are counted.
func TestManyFindings(t *testing.T) {
	if testing.Short() {
		t.Skip("100,000 findings in each format take a minute: run without -short")
	}
	if strconv.IntSize == 32 {
		t.Skip("the bound is that of 64-bit systems: on others structs are smaller, and more findings fit the budget")
	}
	for _, x := range []struct {
		name           string
		files, each    int
		info           byte
		padding        uint16
		found, reports string // by the last line
	}{
		{"errors of a file", 1, 48_000, 3, 0, "48000 errors", ""},
		{"warnings with a fix, another rule's without", 1, 100_000, 0, 1, "", "the memory budget is exceeded (--limit max-memory=28M)"},
		{"warnings of many files", 100, 1000, 0, 1, "100000 warnings", ""},
	} {
		dir := t.TempDir()
		data := functions(x.each, 0x1000, x.info, x.padding)
		for i := range x.files {
			require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprint(i, ".sframe")), data, 0o600))
		}
		for _, format := range formats {
			args := []string{"--no-config", "--profile", "toolchain", "--limit", "max-findings=0", "--format", format, dir}
			_, stdout, stderr, memory := bounded(t, args...)
			bound := int64(most + 2*len(data) + larger)
			if memory >= bound { // on a busy machine the collector may lag behind
				_, _, _, again := bounded(t, args...)
				memory = min(memory, again)
			}
			assert.Less(t, memory, bound, "%s, %s", x.name, format)
			assert.Contains(t, stderr, x.found, "%s, %s", x.name, format)
			assert.Contains(t, stderr, x.reports, "%s, %s", x.name, format)
			assert.Less(t, len(stdout), 512*200_000, "%s, %s", x.name, format)
		}
	}
}

// A name of 20 KB that 1,000 functions share is held once, and shown up to 256 bytes.
func TestSharedFunctionName(t *testing.T) {
	if testing.Short() {
		t.Skip("measures memory, which the race detector multiplies: run without -short")
	}
	const n = 1000
	m := program(t)
	add := func(header int64, data []byte) {
		for len(m.b)%8 != 0 {
			m.b = append(m.b, 0)
		}
		m.put(header+elf64.ShdrPlace.Off, [2]uint64{uint64(len(m.b)), uint64(len(data))})
		m.b = append(m.b, data...)
	}
	table, sframe := m.find(2), m.find(0x6ffffff4)
	addr := binary.LittleEndian.Uint64(m.b[sframe+elf64.ShdrAddr.Off:])
	const after = 1 << 20
	var symbols bytes.Buffer
	for i := range n {
		// st_name, st_info, st_other, st_shndx, st_value, st_size
		for _, v := range []any{uint32(1), byte(2), byte(0), uint16(1), addr + after + 16*uint64(i), uint64(16)} {
			require.NoError(t, binary.Write(&symbols, binary.LittleEndian, v))
		}
	}
	add(m.header(int(binary.LittleEndian.Uint32(m.b[table+elf64.ShdrLink.Off:]))), []byte("\x00"+strings.Repeat("n", 20<<10)+"\x00"))
	add(table, symbols.Bytes())
	add(sframe, functions(n, after, 0, 1))
	path := filepath.Join(t.TempDir(), "names.elf")
	require.NoError(t, os.WriteFile(path, m.b, 0o600))
	shown := strings.Repeat("n", 256)
	for _, format := range formats {
		_, stdout, _, memory := bounded(t, "--no-config", "--profile", "toolchain", "--limit", "max-findings=0", "--format", format, path)
		assert.Less(t, memory, int64(most), format)
		assert.Less(t, len(stdout), 16<<20, format)
		assert.GreaterOrEqual(t, strings.Count(stdout, shown), n, format)
		assert.NotContains(t, stdout, shown+"n", format)
	}
}
