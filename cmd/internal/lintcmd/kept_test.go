package lintcmd

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// wrongFunctions returns a section of version 2 of n functions without a valid FRE type.
func wrongFunctions(n int) []byte {
	le := binary.LittleEndian
	b := []byte{0xe2, 0xde, 2, 5, 3, 0, 0xf8, 0}
	for _, v := range []int{n, n, 3 * n, 0, 20 * n} {
		b = le.AppendUint32(b, uint32(v))
	}
	for i := range n {
		b = le.AppendUint32(b, uint32(0x100000+16*i-(28+20*i)))
		for _, v := range []int{16, 3 * i, 1, 3} { // size, FREs from, FREs, info
			b = le.AppendUint32(b, uint32(v))
		}
	}
	for range n {
		b = append(b, 0, 2, 8)
	}
	return b
}

// The findings that were made before the memory budget was exceeded are reported, and the limit
// after them.
func TestFindingsBeforeLimit(t *testing.T) {
	const n = 5000
	path := filepath.Join(t.TempDir(), "wrong.sframe")
	require.NoError(t, os.WriteFile(path, wrongFunctions(n), 0o666))
	number := func(pattern, text string) int {
		m := regexp.MustCompile(pattern).FindStringSubmatch(text)
		require.NotNil(t, m, "%s: %s", pattern, text)
		v, err := strconv.Atoi(m[1])
		require.NoError(t, err)
		return v
	}
	rules := func(text string) (ids []string) {
		for _, m := range regexp.MustCompile(`(?m)\[(SF\d{4})\]`).FindAllStringSubmatch(text, -1) {
			ids = append(ids, m[1])
		}
		return ids
	}
	args := []string{"--no-config", "--raw", "--limit", "max-findings=0", path}
	status, out, errs := runMain(nil, append([]string{"--limit", "max-memory=720K"}, args...)...)
	assert.Equal(t, 3, status)
	assert.Equal(t, []string{"SF2001", "SF5033"}, rules(out))
	shown := number(`(\d+) errors`, errs) - 1 // without SF5033
	assert.Equal(t, n, shown+number(`(\d+) more findings of SF2001 not shown`, errs))
	assert.Greater(t, shown, n/2)
	status, out, errs = runMain(nil, append([]string{"--limit", "max-memory=2900K"}, args...)...)
	assert.Equal(t, 1, status)
	assert.Equal(t, []string{"SF2001"}, rules(out))
	assert.Equal(t, n, number(`(\d+) errors`, errs))
}

// What a dump writes counts as work, before anything is written: holes of a file have no bytes
// that would allow it.
func TestDumpWork(t *testing.T) {
	path := filepath.Join(t.TempDir(), "wrong.sframe")
	require.NoError(t, os.WriteFile(path, wrongFunctions(5000), 0o666))
	for _, format := range []string{"text", "json", "objdump"} {
		status, _, errs := runMain(nil, "dump", "--format", format, "--limit", "max-work=1M", path)
		assert.Equal(t, 3, status, format)
		assert.Contains(t, errs, "the work budget of 1M is exceeded (--limit max-work)", format)
		status, _, _ = runMain(nil, "dump", "--format", format, path)
		assert.Equal(t, 0, status, format)
	}
	status, out, _ := runMain(nil, "dump", "--pc", "0x100000", "--limit", "max-work=1M", path)
	assert.Equal(t, 0, status)
	assert.NotEmpty(t, out)
}
