package main

import (
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/corpus"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// crashes are programs of corpus/src/cfi on which assemblers fail.
var crashes = []struct{ tool, source, message string }{
	{"gas 2.40, 2.44, 2.47", "restore-state-at-once", "internal error in sframe_xlate_do_restore_state"},
	{"gas 2.40, 2.44, 2.47", "simple-offset", "internal error in sframe_xlate_do_offset"},
	{"gas 2.47", "simple-undefined", "internal error in sframe_xlate_do_cfi_undefined"},
	{"gas 2.40, 2.44", "register-first", "internal error (segmentation fault)"},
	{"llvm-mc 23", "remember-first", "abort, after a warning that the FDE is left out; also on jq's util.c, compiled with `-mstackrealign`"},
}

// links are faults of linkers, by files of the corpus.
var links = []struct{ tool, fault, file string }{
	{"ld 2.44, 2.47", "The FDE of .plt.got says CFA = rsp+16; code and CFI say rsp+8.", "binutils-2.47/amd64/pltgot.elf"},
	{"ld 2.47", "`--gc-sections` drops the FDEs that the linker makes for the PLT.", "binutils-2.47/amd64/lost-plt.elf"},
	{"ld 2.47", "The same on s390x.", "binutils-2.47/s390x/lost-plt.elf"},
	{"ld 2.47", "On s390x, the linker makes no FDE for the PLT if the first input has no SFrame data, as crti.o.", "binutils-2.47/s390x/init-first.elf"},
	{"ld 2.40, 2.44", "`ld -r` of objects with section groups keeps relocations at their old places: FDEs have another function's rows, or none.",
		"binutils-2.44/amd64/comdat-partial.o"},
	{"ld 2.40, 2.44", "`--gc-sections` drops the whole section.", "binutils-2.44/amd64/collected.elf"},
	{"ld 2.40, 2.44, 2.47", "PT_GNU_SFRAME has the size of the inputs, not of the merged section.", "binutils-2.47/amd64/static.elf"},
	{"ld 2.47", "`ld -r` of one object of version 2 with section groups writes a section of zeros.", "mixed/v2-group-by-ld-2.47-partial.o"},
	{"gas 2.40, 2.44", "A function with `.cfi_escape` for DW_CFA_GNU_args_size, as pushed arguments need it, gets no FDE.", "binutils-2.44/amd64/args-size.o"},
	{"lld 23", "The sections of the inputs are concatenated with their headers.", "lld-23/concatenated-v2.elf"},
}

// sources are functions of real programs whose CFI is wrong, by files of the corpus.
var sources = []struct{ where, file string }{
	{"OpenSSL 3.5: `x25519_fe51_sqr` and `x25519_fe64_sqr` of x25519-x86_64.pl", "adjust-sign"},
	{"musl 1.2: `expl` (x86_64), with the CFI of its add-cfi scripts", "unseen-release"},
	{"OpenSSL 3.5: `aesni_xts_128_encrypt_avx512` and others of aesni-xts-avx512.pl", "unseen-frame"},
	{"musl 1.2: `exp2l` (x86_64), with the CFI of its add-cfi scripts", "two-returns"},
	{"binutils 2.47: `swapit` of its own tests of version 2, test-v2-ET_EXEC and test-v2-ET_REL", "slot-above"},
	{"OpenSSL 3.5: `bn_sqrx8x_internal`, `__ecp_nistz256_mul_montx`, `__KeccakF1600`, `_x86_64_AES_encrypt` and 22 others", "scratch-fp"},
	{"musl 1.2: `__restore_rt` (x86_64), with the CFI of its add-cfi scripts", "unmarked-signal"},
	{"musl 1.2: `sigsetjmp` (x86_64), with the CFI of its add-cfi scripts", "moved-ra"},
	{"musl 1.2: `vfork` (x86_64), with the CFI of its add-cfi scripts", "kept-ra"},
	{"OpenSSL 3.5: `ossl_rsaz_amm52x20_x1_avxifma256` and five others of rsaz-2k-avxifma.pl to rsaz-4k-avxifma.pl, and `bn_gather5`", "frame-by-lea"},
	{"GCC 12 for x86_64: functions that realign their stack, as with `-mstackrealign`", "memory-fp"},
	{"GCC 12 for AArch64: frames of more than 512 bytes that count from x29, as 649 times in its sanitizer libraries", "stale-frame"},
	{"glibc 2.36: `swapcontext` (AArch64)", "scratch-ra"},
	{"glibc 2.36: `_dl_tlsdesc_dynamic` (AArch64)", "adjust-twice"},
	{"GCC 12 for s390x: functions that save SP in a floating-point register, as Lua's `luaV_finishOp` and SQLite's `sqlite3GetToken`", "restored-early"},
}

// foundPage lists the faults that this project's tools found.
func foundPage(all []*linted, c *corpus.Consumers) (string, error) {
	var cfi, failed, wrong, linked strings.Builder
	for _, f := range all {
		if !strings.HasPrefix(f.File, "files/cfi/") {
			continue
		}
		said, err := directives(f.Source[0])
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&cfi, "| %s %s | %s | %s | %s | %s |\n", f.Producer, release(f.Version), said, f.About, f.link(), f.shownBy())
	}
	for _, x := range crashes {
		said, err := directives("src/cfi/" + x.source + ".s")
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&failed, "| %s | %s | %s |\n", x.tool, said, x.message)
	}
	for _, x := range sources {
		f, err := file(all, "wrong-cfi/"+x.file+".o")
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&wrong, "| %s | %s | %s, of [%s](../corpus/%s) | %s |\n", x.where, f.About, f.link(), path.Base(f.Source[0]), f.Source[0], f.shownBy())
	}
	for _, x := range links {
		f, err := file(all, x.file)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&linked, "| %s | %s | [%s](../%s) | %s |\n", x.tool, x.fault, x.file, f.path(), f.shownBy())
	}
	return render("found", map[string]any{
		"CFI": &cfi, "Crashes": &failed, "Sources": &wrong, "Links": &linked, "Consumers": c, "Kinds": kindsOf(c),
	}), nil
}

// link names the file, as a link from a page in docs.
func (f *linted) link() string { return fmt.Sprintf("[%s](../%s)", path.Base(f.File), f.path()) }

// file returns a file of the corpus.
func file(all []*linted, name string) (*linted, error) {
	i := slices.IndexFunc(all, func(f *linted) bool { return f.File == "files/"+name })
	if i < 0 {
		return nil, fmt.Errorf("%s is not in the corpus", name)
	}
	return all[i], nil
}

// shownBy links the rules that report a fault in a file.
func (f *linted) shownBy() string {
	if ids := f.judging(); len(ids) > 0 {
		return ruleLinks(ids)
	}
	return "only `.eh_frame`"
}

// release returns a version without its patch level.
func release(version string) string {
	parts := strings.SplitN(version, ".", 3)
	if parts[0] != "2" { // LLVM
		return parts[0]
	}
	return strings.Join(parts[:2], ".")
}

// judging returns the rules that report an error or a warning on the file, or a note of
// family 6, apart from those on every file of an old release.
func (f *linted) judging() (ids []string) {
	for _, r := range catalogue.Rules() {
		if f.fires[r.ID] > 0 && (r.Severity >= rules.Warning || strings.HasPrefix(r.ID, "SF6")) && r.ID != "SF1004" && r.ID != "SF5003" {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// directives returns the CFI directives of a source file of the corpus, as code that links to it.
func directives(source string) (string, error) {
	b, err := os.ReadFile("corpus/" + source)
	if err != nil {
		return "", err
	}
	var all []string
	for line := range strings.Lines(string(b)) {
		line = strings.TrimPrefix(strings.TrimSpace(line), ".cfi_")
		switch {
		case line == "startproc simple":
			all = append(all, "startproc simple")
		case line == "endproc":
			return fmt.Sprintf("[`%s`](../corpus/%s)", strings.Join(all, "; "), source), nil
		case strings.HasPrefix(line, "nop") && len(all) > 0 && all[len(all)-1] != "...":
			all = append(all, "...")
		case !strings.ContainsAny(line, "#.:") && line != "startproc" && !strings.HasPrefix(line, "nop"):
			all = append(all, line)
		}
	}
	return "", fmt.Errorf("%s: no CFI", source)
}
