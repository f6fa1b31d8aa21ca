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

// unread are packages with an object that has one true error, SF3114. Programs list it. It is read, or named: for each package,
// the member that is read, "" for none, and how the finding about what is not read begins, "" for none.
var unread = map[string][2]string{
	"global-size.tar":     {"", "global-size.tar: error: the file was not read to its end (an extended header has size, which programs read in different ways): "},
	"two-ends.zip":        {"", "two-ends.zip: error: the file was not read to its end (1284 bytes at 0x0 are of no entry of its directory): "},
	"stored-sizes.zip":    {"", "stored-sizes.zip!/evil.o: error: the file was not read to its end (its data have another size or CRC than the directory states): "},
	"gap.zip":             {"", "gap.zip: error: the file was not read to its end (1284 bytes at 0x33 are of no entry of its directory): "},
	"bytes-around.zip":    {"bytes-around.zip!/evil.o", "bytes-around.zip: error: the file was not read to its end (150 bytes at 0x821 are of no entry of its directory): "},
	"c7.tar":              {"c7.tar!/x.o", ""},
	"cnt.whl":             {"cnt.whl!/x.o", "cnt.whl: error: the file was not read to its end (its directory has 2 entries, not 1): "},
	"deep.a":              {"", "deep.a(n11.a(n10.a(n9.a(n8.a(n7.a(n6.a(n5.a(n4.a(n3.a))))))))): error: the file was not read to its end (an archive inside a thin archive or more than 8 others): "},
	"index-name.a":        {"index-name.a(__.SYMDEFx.o)", ""},
	"joined.tar":          {"joined.tar!/x.o", ""},
	"kernel-magic.tar":    {"kernel-magic.tar!/x.o", ""},
	"lib.a":               {"lib.a(evil.o)", ""},
	"lz.deb":              {"", "lz.deb: error: the file was not read to its end (the member \"data.tar.lzma\" is compressed with LZMA, which is not read): "},
	"method.whl":          {"method.whl!/evil.o", "method.whl!/evil.o: error: the file was not read to its end (its header has another method or size than the directory): "},
	"mi.gz.img":           {"mi.gz.img!/x.o", ""},
	"mi.lz4.img":          {"", "mi.lz4.img: error: the file was not read to its end (what follows is compressed with LZ4, which is not read): "},
	"mi.lzma.img":         {"", "mi.lzma.img: error: the file was not read to its end (what follows is compressed with LZMA, which is not read): "},
	"mi.unknown.img":      {"", "mi.unknown.img: error: the file was not read to its end (other bytes follow its end, which are not read): "},
	"script.pyz":          {"script.pyz!/x.o", ""},
	"size-3.whl":          {"", "size-3.whl!/evil.o: error: the file was not read to its end (its data have another size or CRC than the directory states): "},
	"size-0.whl":          {"", "size-0.whl!/x.o: error: the file was not read to its end (its data have another size or CRC than the directory states): "},
	"sized-directory.tar": {"sized-directory.tar!/x.o", "sized-directory.tar!/d: error: the file was not read to its end (a link, directory or device with bytes, "},
	"sizes-0-of-zip.whl":  {"", "sizes-0-of-zip.whl!/x.o: error: the file was not read to its end (its header has another method or size than the directory): "},
	"sizes-0.whl":         {"", "sizes-0.whl!/x.o: error: the file was not read to its end (its header has another method or size than the directory): "},
	"sk.tar.zst":          {"sk.tar.zst!/usr/lib/x.o", ""},
	"table-name.a":        {"table-name.a(//)", ""},
	"tpt.tar":             {"tpt.tar!/x.o", ""},
	"unnamed-header.tar":  {"unnamed-header.tar!/x.o", ""},
	"empty-end.zip":       {"", "empty-end.zip: error: the file was not read to its end (1292 bytes at 0x0 are of no entry of its directory): "},
	"two.zip":             {"", "two.zip!/a.txt: error: the file was not read to its end (it is in two places): "},
	"unknown-data.deb":    {"", "unknown-data.deb: error: the file was not read to its end (the member \"data.tar.foo\" is of an unknown kind, which is not read): "},
	"unknown-type.tar":    {"unknown-type.tar!/x.o", ""},
	"unlisted.whl":        {"", "unlisted.whl: error: the file was not read to its end (1220 bytes at 0x24 are of no entry of its directory): "},
	"version-name.a":      {"version-name.a(debian-binary)", ""},
	"xv7.deb":             {"xv7.deb!/usr/lib/x.o", ""},
}

// TestUnread reads or names the object in each package: by itself and in a directory with other files, in all formats. What
// is named makes the exit status 3.
func TestUnread(t *testing.T) {
	const from = "testdata/unread/"
	entries := must.Get(os.ReadDir(from))(t)
	require.Len(t, entries, len(unread))
	good := must.Get(os.ReadFile(corpus + "binutils-2.47/amd64/program.elf"))(t)
	for name, want := range unread {
		b := must.Get(os.ReadFile(from + name))(t)
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), b, 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "good"), good, 0o600))
		ends := program.ExitFindings
		if want[1] != "" {
			ends = program.ExitFailed
		}
		for _, args := range [][]string{{from + name}, {dir}, {"--require-sframe", dir}, {"--fail-on", "never", from + name}} {
			status, out, _ := runMain(nil, append([]string{"--no-config", "-q"}, args...)...)
			wanted := ends
			if args[0] == "--fail-on" && ends == program.ExitFindings {
				wanted = program.ExitClean
			}
			assert.Equal(t, wanted, status, "%v", args)
			if want[0] != "" {
				assert.Contains(t, out, "/"+want[0]+": .sframe+0x37 ")
				assert.Contains(t, out, "[SF3114]")
			}
			if want[1] != "" {
				assert.Contains(t, out, "/"+want[1])
				assert.Contains(t, out, "[SF5029]")
			}
			lines := 1
			if want[0] != "" && want[1] != "" {
				lines = 2
			}
			assert.Equal(t, lines, strings.Count(out, "\n"), out)
		}
		for _, format := range []string{"json", "jsonl", "junit", "github", "gitlab", "sarif", "full", "html"} {
			status, out, errs := runMain(nil, "--no-config", "-q", "--format", format, dir)
			assert.Equal(t, ends, status, format+errs)
			if want[0] != "" {
				assert.Contains(t, out, "SF3114", format)
			}
			if want[1] != "" {
				assert.Contains(t, out, "SF5029", format)
			}
		}
	}
}

// TestUnknownAugmentation: what a CIE with a letter that is not known means is not judged, and no rows are made from it.
func TestUnknownAugmentation(t *testing.T) {
	const file = "../../../corpus/regressions/unknown-augmentation.o"
	const unknown = "the augmentation of its CIE is unknown\n"
	status, out, _ := runMain(nil, "--no-config", "-q", file)
	assert.Equal(t, program.ExitFailed, status)
	assert.Contains(t, out, ": .sframe: not checked: 1 rule, as the augmentation of a CIE is unknown (.eh_frame+0xb)")
	assert.NotContains(t, out, "error")
	status, out, errs := runMain(nil, "expect", file)
	assert.Equal(t, program.ExitFailed, status)
	assert.Equal(t, file+": no FDE of version 3 can describe the 11 bytes at 0x0: "+unknown+file+": 0 FDEs expected, 0 compared\n", out)
	assert.Equal(t, "sframe-lint: "+file+": not all functions are judged: "+unknown, errs)
	to := filepath.Join(t.TempDir(), "out.o")
	status, _, errs = runMain(nil, "synth", "--replace", "-o", to, file)
	assert.Equal(t, program.ExitFailed, status)
	assert.Contains(t, errs, unknown)
	assert.NoFileExists(t, to)
}

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

// TestOtherRulesStand checks that a fault of the header stops only rules that depend on the faulty field, and that
// hiding its finding changes no other finding. The sections have a start of 0x1002, a size of 0x42 and a row of 4
// words (AArch64).
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
