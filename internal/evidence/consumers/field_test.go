package consumers_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/consumers"
	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
	"github.com/sframe-lint/sframe-lint/internal/tool/asked"
	"github.com/sframe-lint/sframe-lint/model"
)

// TestLinuxParts: of the parts of Linux, one reads a file, as its user expects.
func TestLinuxParts(t *testing.T) {
	for file, want := range map[string][]consumers.Outcome{ // linux-user, linux-vmlinux, linux-module
		"binutils-2.47/amd64/static.elf": {consumers.Reads, consumers.NotAsked, consumers.NotAsked},
		// The kernel's own step is only for arm64.
		"field/vmlinux.elf":                       {consumers.NotAsked, consumers.Ignores, consumers.NotAsked},
		"field/vmlinux-stripped.elf":              {consumers.NotAsked, consumers.Ignores, consumers.NotAsked},
		"regressions/kernel-flexible-aarch64.elf": {consumers.NotAsked, consumers.Rejects, consumers.NotAsked},
		// The kernel looks at the mapping of a start, not at its section.
		"binutils-2.47/amd64/sections.elf":   {consumers.Reads, consumers.NotAsked, consumers.NotAsked},
		"rewritten/objcopy-text-address.elf": {consumers.Reads, consumers.NotAsked, consumers.NotAsked},
		"binutils-2.47/amd64/far.elf":        {consumers.Rejects, consumers.NotAsked, consumers.NotAsked},
		"field/module.ko":                    {consumers.NotAsked, consumers.NotAsked, consumers.Ignores},
		"binutils-2.47/amd64/frames.o":       {consumers.NotAsked, consumers.NotAsked, consumers.NotAsked},
	} {
		o, f := handMade(t, file, "")
		all, err := consumers.Select("linux")
		require.NoError(t, err)
		for i, p := range all {
			require.Equal(t, want[i], p.Judge(o, f, asked.Of(o))[0].Outcome, "%s: %s", p.Name, file)
		}
	}
}

// TestInteropGo holds the profile of Go's linker against it: a .syso file is linked, and its
// section is not in the program.
func TestInteropGo(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	for _, file := range []string{"binutils-2.40/amd64/frames.o", "binutils-2.44/amd64/frames.o", "binutils-2.47/amd64/frames.o", "llvm-23/amd64/frames.o"} {
		o, f := handMade(t, file, "")
		dir := t.TempDir()
		data, err := os.ReadFile("../../../corpus/files/" + file)
		require.NoError(t, err)
		for name, text := range map[string]string{
			"go.mod": "module linked\n\ngo 1.26\n", "main.go": "package main\n\nfunc call()\n\nfunc main() { call() }\n",
			"call_amd64.s": "TEXT ·call(SB),4,$0\n\tCALL leaf(SB)\n\tRET\n", "frames_amd64.syso": string(data),
		} {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
		}
		cmd := exec.CommandContext(t.Context(), "go", "build", "-p", "1", "-ldflags=-linkmode=internal", "-o", "out", ".")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64", "GOFLAGS=", "GOWORK=off")
		log, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", log)
		out, err := os.ReadFile(filepath.Join(dir, "out"))
		require.NoError(t, err)
		_, made := linked(out)
		require.Nil(t, made, file)
		require.Equal(t, consumers.Ignores, profile(t, "go").Judge(o, f, asked.Of(o))[0].Outcome, file)
	}
}

// TestInteropGroups: lld fails if a copy of a group is discarded.
func TestInteropGroups(t *testing.T) {
	bin, dir := toolchain.Bin(t), "../../../corpus/files/"
	for _, of := range []string{"binutils-2.40/amd64/", "binutils-2.44/amd64/", "binutils-2.47/amd64/", "llvm-23/amd64/"} {
		o, f := handMade(t, of+"comdat-1.o", "")
		v := profile(t, "lld-23").Judge(o, f, asked.Of(o))[0]
		require.Equal(t, "may be rejects", mayBe(v), of)
		r := run(t, filepath.Join(bin, "sid-lld"), "-e", "main", "-o", filepath.Join(t.TempDir(), "out"), dir+of+"comdat-0.o", dir+of+"comdat-1.o")
		require.NotZero(t, r.exit, of)
		require.Contains(t, r.err, "relocation refers to a discarded section", of)
	}
}

func mayBe(v consumers.Verdict) string {
	if v.Maybe {
		return "may be " + string(v.Outcome)
	}
	return string(v.Outcome)
}

// TestEHFrame: the rival series for Linux follows the functions that the profile says, and gives up
// the section where it says so.
func TestEHFrame(t *testing.T) {
	const followed, simple = consumers.Demand("eh-frame-followed"), consumers.Demand("eh-frame-simple")
	for file, want := range map[string]struct {
		kind  consumers.Outcome
		check consumers.Demand
		bytes model.Span
		why   string
	}{
		"field/eh-frame.elf":                     {consumers.Reads, "", model.Span{}, "meets all demands"},
		"regressions/tombstone-mold-3-amd64.elf": {consumers.Reads, "eh-frame-entries", model.Span{Off: 0x2b0, Len: 8}, "entry 2 of the table of .eh_frame_hdr is mold's tombstone for an FDE of size 0: no look-up reaches this entry"},
		"field/eh-frame-refused.elf":             {consumers.Rejects, followed, model.Span{Off: 0x1a6, Len: 5}, "2 of 4 functions have unsupported CFI (from 0x400100 on, rbp is the value of an expression; others: the function is a signal frame): "},
		"field/eh-frame-nested.elf":              {consumers.Rejects, simple, model.Span{Off: 0x19e, Len: 1}, "1 of 3 functions have unsupported CFI (more than 1 state is remembered"},
		"field/eh-frame-unsorted.elf":            {consumers.Rejects, "eh-frame-table", model.Span{Off: 0xce, Len: 8}, "entry 1 of the table of .eh_frame_hdr does not ascend"},
		"binutils-2.47/amd64/pie.elf":            {consumers.Rejects, "eh-frame-hdr", model.Span{}, "the file has no .eh_frame_hdr"},
		"binutils-2.47/aarch64/pie.elf":          {consumers.Ignores, "eh-frame-abi", model.Span{Off: 0x12, Len: 2}, "the file is for AArch64"},
		"binutils-2.47/amd64/frames.o":           {consumers.NotAsked, "", model.Span{}, "it reads only linked files"},
		"field/vmlinux.elf":                      {consumers.NotAsked, "", model.Span{}, "it does not read the image of a kernel"},
	} {
		o, f := handMade(t, file, "")
		v := profile(t, "linux-eh-frame").Judge(o, f, asked.Of(o))[0]
		require.Equal(t, want.kind, v.Outcome, file)
		require.Equal(t, want.check, v.Check, file)
		require.Equal(t, want.bytes, v.Span, file)
		require.Contains(t, v.Why, want.why, file)
		if v.Outcome == consumers.Reads {
			require.Equal(t, consumers.Reads, profile(t, "linux-eh-frame").Judge(o, nil, nil)[0].Outcome, "without SFrame data")
		}
	}
}

// TestLastCall: a reader that looks up a return address itself finds what follows a function that ends with a call.
func TestLastCall(t *testing.T) {
	for name, file := range map[string]string{
		"linux-user": "regressions/last-call-amd64.so", "glibc-2.42": "regressions/last-call-v2-amd64.so", "nframe": "regressions/last-call-v2-amd64.so",
	} {
		o, f := handMade(t, file, "")
		v := profile(t, name).Judge(o, f, asked.Of(o))[0]
		require.Equal(t, consumers.Reads, v.Outcome, name)
		require.Equal(t, consumers.Demand("return-addresses"), v.Check, name)
		require.Contains(t, v.Why, "outer ends with a call: "+name+" looks up the address to which the call would return, and not the byte before, so ", name)
	}
	for _, name := range []string{"java-profiler", "linux-vmlinux", "linux-module", "libsframe-api-2.47", "simple-frame-rs-0.3"} {
		for _, c := range profile(t, name).Checks {
			require.NotEqual(t, consumers.Demand("return-addresses"), c.Demand, name)
		}
	}
}
