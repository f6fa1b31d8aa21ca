package container_test

import (
	"debug/elf"
	"testing"

	"github.com/sframe-lint/sframe-lint/internal/testkit/elftest"
	"github.com/sframe-lint/sframe-lint/internal/testkit/ruletest"
	"github.com/sframe-lint/sframe-lint/rules/internal/container"
)

// Changes of a file.
func noSFrame(f *elftest.File) { f.NoSFrame, f.Segments = true, f.Segments[:2] }

func empty(f *elftest.File) { f.SFrame, f.Segments = nil, f.Segments[:2] }

func ofMachine(m elf.Machine) func(*elftest.File) {
	return func(f *elftest.File) { f.Machine = m }
}

func TestAbsent(t *testing.T) {
	text := elftest.Header(elftest.TextIndex)
	run(t, []fileCase{
		{name: "executable", change: noSFrame, want: []string{"SF5001 file 0x0+64"}},
		{name: "object", object: true, change: func(f *elftest.File) { f.NoSFrame, f.Relocs = true, nil }, want: []string{"SF5001 file 0x0+64"}},
		{name: "no code", change: noSFrame, patches: []patch{{text + 8, 8, 2}}},
		{name: "no bytes of code", change: noSFrame, patches: []patch{{text + 4, 4, 8}}},
		{name: "code of size 0", change: noSFrame, patches: []patch{{text + 32, 8, 0}}},
		{name: "no section headers", change: noSFrame, patches: []patch{{0x28, 8, 0}, {0x3c, 2, 0}, {0x3e, 2, 0}}, want: []string{"SF5001 file 0x0+64"}},
		{name: "no section headers and no code", change: noSFrame,
			patches: []patch{{0x28, 8, 0}, {0x3c, 2, 0}, {0x3e, 2, 0}, {elftest.Program(0) + 4, 4, 4}}},
		{name: "empty section", change: empty, want: []string{"SF5035 file 0x480+64", "SF5001 file 0x4a0+8"}},
		{name: "empty section, no code", change: empty, patches: []patch{{text + 8, 8, 2}}, want: []string{"SF5035 file 0x480+64"}},
		{name: "another machine", change: ofMachine(elf.EM_RISCV), want: []string{"SF5034 file 0x12+2"}},
	})
}

func TestPlaceholder(t *testing.T) {
	rules := container.Rules
	defer func() { container.Rules = rules }()
	container.Rules = container.Rules[1:] // SF5001 sees a file without data
	run(t, []fileCase{
		{name: "executable", change: empty, want: []string{"SF5035 file 0x480+64"}},
		{name: "as gas leaves it", object: true, change: func(f *elftest.File) { f.SFrame, f.Relocs = nil, nil },
			patches: []patch{{shdr(4), 4, 1}, {shdr(0x30), 8, 1}}, want: []string{"SF5002 file 0x480+64"}},
	})
}

func TestSectionHeader(t *testing.T) {
	run(t, []fileCase{
		{name: "SHT_PROGBITS", patches: []patch{{shdr(4), 4, 1}}, want: []string{"SF5003 file 0x484+4"}},
		{name: "SHT_PROGBITS, object", object: true, patches: []patch{{shdr(4), 4, 1}}, want: []string{"SF5003 file 0x484+4"}},
		{name: "SHT_PROGBITS, big-endian", base: ruletest.V2S390X, patches: []patch{{shdr(4), 4, 1}}, want: []string{"SF5003 file 0x484+4"}},
		{name: "another type", patches: []patch{{shdr(4), 4, 0x70000001}}, want: []string{"SF5003 file 0x484+4"}},
		{name: "not allocated", patches: []patch{{shdr(8), 8, 0}}, want: []string{"SF5004 file 0x488+8"}},
		{name: "not allocated, object", object: true, patches: []patch{{shdr(8), 8, 0}}, want: []string{"SF5004 file 0x488+8"}},
		{name: "writable", patches: []patch{{shdr(8), 8, 3}}, want: []string{"SF5005 file 0x488+8"}},
		{name: "executable", patches: []patch{{shdr(8), 8, 6}}, want: []string{"SF5005 file 0x488+8"}},
		{name: "excluded", object: true, patches: []patch{{shdr(8), 8, 0x80000002}}, want: []string{"SF5005 file 0x488+8"}},
		{name: "a flag without a name", object: true, patches: []patch{{shdr(8), 8, 0x100002}}, want: []string{"SF5005 file 0x488+8"}},
		{name: "in a group, ordered and retained", object: true, patches: []patch{{shdr(8), 8, 0x200282}}},
		{name: "alignment 0", patches: []patch{{shdr(0x30), 8, 0}}, want: []string{"SF5006 file 0x4b0+8"}},
		{name: "alignment 4", patches: []patch{{shdr(0x30), 8, 4}}, want: []string{"SF5006 file 0x4b0+8"}},
		{name: "alignment 12, object", object: true, patches: []patch{{shdr(0x30), 8, 12}}, want: []string{"SF5006 file 0x4b0+8"}},
		{name: "alignment 16", patches: []patch{{shdr(0x30), 8, 16}}},
		{name: "address", patches: []patch{{shdr(0x10), 8, 0x2004}, {phdr(0x10), 8, 0x2004}, {elftest.Program(1) + 0x10, 8, 0x2004}},
			want: []string{"SF5006 file 0x490+8"}},
	})
}

func TestTarget(t *testing.T) {
	run(t, []fileCase{
		{name: "AArch64 in x86-64", base: ruletest.V3AArch64, change: ofMachine(elf.EM_X86_64), want: []string{"SF5007 0x4+1"}},
		{name: "AMD64 in AArch64", change: ofMachine(elf.EM_AARCH64), want: []string{"SF5007 0x4+1"}},
		{name: "AArch64 in s390x", base: ruletest.V3AArch64BE, change: ofMachine(elf.EM_S390), want: []string{"SF5007 0x4+1"}},
		{name: "unknown ABI", edits: []ruletest.Edit{ruletest.Set(4, "13")}},
		{name: "s390x in x86-64", base: ruletest.V3S390X,
			change: func(f *elftest.File) { f.Big, f.Machine = false, elf.EM_X86_64 }, want: []string{"SF5007 0x4+1"}},
		{name: "big-endian in little-endian", base: ruletest.V3AArch64BE,
			change: func(f *elftest.File) { f.Big = false }, want: []string{"SF5008 0x0+2"}},
		{name: "little-endian in big-endian", base: ruletest.V3AArch64,
			change: func(f *elftest.File) { f.Big = true }, want: []string{"SF5008 0x0+2"}},
		{name: "unknown ABI in another order", base: ruletest.V3AArch64, edits: []ruletest.Edit{ruletest.Set(4, "13")},
			change: func(f *elftest.File) { f.Big = true }, want: []string{"SF5008 0x0+2"}},
		{name: "SF1007 tells it", base: ruletest.V3AArch64, edits: []ruletest.Edit{ruletest.Set(4, "01")},
			change: func(f *elftest.File) { f.Big = true }},
	})
}
