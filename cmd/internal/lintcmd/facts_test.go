package lintcmd

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
)

// leftOut are the ways to leave out a finding: arguments, and files that they
// take.
func leftOut(t *testing.T, dir, section, id string) map[string][]string {
	t.Helper()
	config := filepath.Join(dir, "config.yaml")
	require.NoError(t, os.WriteFile(config, []byte("exceptions:\n  - rules: ["+id+"]\n    reason: known\n"), 0o600))
	baseline := filepath.Join(dir, "baseline.json")
	_, _, errs := runMain(nil, "-q", "--raw", "--select", id, "--write-baseline", baseline, section)
	require.Empty(t, errs)
	return map[string][]string{
		"ignored":       {"--ignore", id},
		"off":           {"--severity", id + "=off"},
		"a note":        {"--severity", id + "=note"},
		"in a baseline": {"--baseline", baseline},
		"excepted":      {"--config", config},
	}
}

func write(t *testing.T, data string) (dir, path string) {
	t.Helper()
	b := must.Get(hex.DecodeString(strings.ReplaceAll(data, " ", "")))(t)
	dir = t.TempDir()
	path = filepath.Join(dir, "section")
	require.NoError(t, os.WriteFile(path, b, 0o600))
	return dir, path
}

// TestOtherRulesStand: what is wrong with the header holds back no rule that
// does not rest on it, and leaving out its finding changes nothing for others.
// The sections have a start of 0x1002, a size of 0x42 and a row of 4 words on
// AArch64.
func TestOtherRulesStand(t *testing.T) {
	const (
		fde = "02100000 42000000 00000000 01000000 00000000"
		row = "00 09 10f0f800"
	)
	for id, data := range map[string]string{
		"SF1009": "e2de0201 02080000 01000000 01000000 06000000 00000000 14000000" + fde + row,
		"SF1013": "e2de0201 02000000 01000000 01000000 06400000 00000000 14000000" + fde + row,
		"SF1016": "e2de0201 02000000 01000000 01000000 06000000 00000000 15000000" + fde + "ff" + row,
	} {
		dir, path := write(t, data)
		ways := leftOut(t, dir, path, id)
		ways["shown"] = nil
		for name, args := range ways {
			t.Run(id+" "+name, func(t *testing.T) {
				status, out, _ := runMain(nil, append(args, "--profile", "toolchain", "--raw", "-q", path)...)
				assert.Equal(t, program.ExitFindings, status)
				for _, other := range []string{"SF2016", "SF2017", "SF4001"} {
					assert.Contains(t, out, "["+other+"]")
				}
				assert.Equal(t, name == "shown" || name == "a note", strings.Contains(out, "["+id+"]"), out)
			})
		}
	}
}

// TestNotClean: a section that rules could not check does not look clean where no finding says why. Who
// accepts that finding accepts this too, and the run still says it.
func TestNotClean(t *testing.T) {
	// sfh_freoff leads into the FDE.
	dir, path := write(t, "e2de0201 0300f800 01000000 01000000 07000000 00000000 10000000"+
		"00100000 42000000 04000000 01000000 00000000 000308")
	const line = ": not checked: "
	status, out, _ := runMain(nil, "--profile", "toolchain", "--raw", "-q", path)
	assert.Equal(t, program.ExitFindings, status)
	assert.Contains(t, out, "[SF1014]\n")
	assert.Contains(t, out, line)
	assert.Contains(t, out, "as the FDE and FRE sub-sections overlap (SF1014)\n")
	assert.Equal(t, 2, strings.Count(out, "\n"), out)
	for name, args := range leftOut(t, dir, path, "SF1014") {
		t.Run(name, func(t *testing.T) {
			status, out, errs := runMain(nil, append(args, "--profile", "toolchain", "--raw", path)...)
			assert.NotEqual(t, program.ExitFailed, status)
			assert.Contains(t, out, line)
			assert.Contains(t, errs, "1 input not fully checked (1 for an accepted reason)")
		})
	}
	status, out, _ = runMain(nil, "--profile", "toolchain", "--raw", "-q", "--select", "SF2,SF3", path)
	assert.Equal(t, program.ExitFailed, status)
	assert.Contains(t, out, ", whose finding is left out\n")
	status, _, _ = runMain(nil, "--profile", "toolchain", "--raw", "-q", "--fail-on", "never", path)
	assert.Equal(t, program.ExitClean, status, "the finding is shown")
	// A fixed FP offset on AMD64 holds back rules on FP, and is a warning.
	_, path = write(t, "e2de0201 0310f800 01000000 01000000 03000000 00000000 14000000"+
		"00100000 40000000 00000000 01000000 00000000 000308")
	status, out, _ = runMain(nil, "--profile", "toolchain", "--raw", "-q", path)
	assert.Equal(t, program.ExitClean, status, "the warning gives the reason")
	assert.Contains(t, out, "[SF1023]\n")
	assert.Contains(t, out, line)
	status, _, _ = runMain(nil, "--profile", "toolchain", "--raw", "-q", "--ignore", "SF1023", path)
	assert.Equal(t, program.ExitClean, status, "the warning is accepted")
	status, _, _ = runMain(nil, "--profile", "toolchain", "--raw", "-q", "--select", "SF3", path)
	assert.Equal(t, program.ExitFailed, status)

	_, path = write(t, "e2de0201 0300f800 01000000 01000000 07000000 00000000 10000000"+
		"00100000 42000000 04000000 01000000 00000000 000308")
	status, _, _ = runMain(nil, "--profile", "toolchain", "--raw", "-q", "--select", "SF1009", path)
	assert.Equal(t, program.ExitClean, status, "no rule of the run was held back")
}

// TestConcatenated: rules check the first of several concatenated sections, and
// the others do not look clean.
func TestConcatenated(t *testing.T) {
	const path = "../../../corpus/files/hand/v3-amd64-concatenated.sframe"
	status, out, _ := runMain(nil, "--profile", "toolchain", "--raw", "--address", "0x2000", "-q", path)
	assert.Equal(t, program.ExitFindings, status)
	assert.Contains(t, out, "[SF1019]\n")
	status, out, _ = runMain(nil, "--profile", "toolchain", "--raw", "--address", "0x2000", "-q", "--ignore", "SF1019", path)
	assert.Equal(t, program.ExitClean, status)
	assert.Contains(t, out, "as rules check only the first of 2 concatenated sections (SF1019), which is accepted\n")
	status, out, _ = runMain(nil, "--profile", "toolchain", "--raw", "--address", "0x2000", "-q", "--select", "SF3", path)
	assert.Equal(t, program.ExitFailed, status)
	assert.Contains(t, out, "as rules check only the first of 2 concatenated sections (SF1019), whose finding is left out\n")
}

// TestDeadRelocation: the warning of a relocation without effect does not stand for
// the error of the FDE that has no other one.
func TestDeadRelocation(t *testing.T) {
	b := must.Get(os.ReadFile("../../../corpus/files/binutils-2.47/amd64/frames.o"))(t)
	f := must.Get(elf.NewFile(bytes.NewReader(b)))(t)
	rela := f.Section(".rela.sframe")
	require.NotNil(t, rela)
	binary.LittleEndian.PutUint32(b[rela.Offset+rela.Size-16:], uint32(elf.R_X86_64_NONE))
	path := filepath.Join(t.TempDir(), "dead.o")
	require.NoError(t, os.WriteFile(path, b, 0o600))

	status, out, _ := runMain(nil, "-q", path)
	assert.Equal(t, program.ExitFindings, status)
	assert.Contains(t, out, "[SF5016]\n")
	assert.Contains(t, out, "[SF5019]\n")
	status, out, _ = runMain(nil, "-q", "--select", "SF5019,SF6", path)
	assert.Contains(t, out, "[SF5019]\n")
	assert.Equal(t, program.ExitFailed, status)
}
