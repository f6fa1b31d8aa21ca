package consumers

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
)

// Short names for the tables.
const (
	v1 = model.SFRAME_VERSION_1
	v2 = model.SFRAME_VERSION_2
	v3 = model.SFRAME_VERSION_3

	sorted       = model.SFRAME_F_FDE_SORTED
	framePointer = model.SFRAME_F_FRAME_POINTER
	pcrel        = model.SFRAME_F_FDE_FUNC_START_PCREL

	abiAArch64BE = model.SFRAME_ABI_AARCH64_ENDIAN_BIG
	abiAArch64   = model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE
	abiAMD64     = model.SFRAME_ABI_AMD64_ENDIAN_LITTLE
	abiS390X     = model.SFRAME_ABI_S390X_ENDIAN_BIG
)

func versions(vs ...model.Version) []model.Version { return vs }

func accept(vs ...model.Version) Arg { return Arg{Accept: vs} }
func abis(ids ...model.ABI) Arg      { return Arg{ABIs: ids} }
func flags(f model.Flags) Arg        { return Arg{Flags: f} }
func atMost(n int64) Arg             { return Arg{Max: n} }

// table has all profiles, grouped by family, each from the oldest version to
// the newest.
var table = slices.Concat(libsframe, gnuLD, linkers, readers, unwinders)

// Sources that several profiles share.
var (
	srcLibsframe = Source{"libsframe", "libsframe/sframe.c and sframe-dump.c of GNU binutils", "https://github.com/bminor/binutils-gdb/blob/master/libsframe/sframe.c"}
	srcPCRel     = Source{"pcrel", "The commit that defines SFRAME_F_FDE_FUNC_START_PCREL (binutils 2.45)", "https://sourceware.org/pipermail/binutils/2025-July/142222.html"}
	srcV2        = Source{"v2", "The commit that moves binutils to version 2 (2.41)", "https://sourceware.org/pipermail/binutils-cvs/2023-June/062244.html"}
	srcV3        = Source{"v3", "The commit that moves binutils to version 3 (2.46)", "https://sourceware.org/pipermail/binutils-cvs/2026-January/069553.html"}
	srcBFD       = Source{"bfd", "bfd/elf-sframe.c of GNU binutils", "https://github.com/bminor/binutils-gdb/blob/master/bfd/elf-sframe.c"}
)

// measured returns the source of facts that were measured with a tool.
func measured(what string) Source { return Source{Measured, "Measured with " + what, ""} }

// sourced sets the source of checks.
func sourced(from string, checks []Check) []Check {
	for i := range checks {
		checks[i].From = from
	}
	return checks
}
