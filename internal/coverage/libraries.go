package coverage

import (
	"debug/elf"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/sframe-lint/sframe-lint/internal/cfi"
	"github.com/sframe-lint/sframe-lint/model"
)

// Libraries that compilers link statically, and that systems build without SFrame data.
const (
	cLibrary    = "libc"
	gccLibrary  = "libgcc"
	cxxLibrary  = "libstdc++"
	gcovLibrary = "libgcov"
)

// Library reports whether the name of an input is that of one of these libraries.
func Library(name string) bool {
	return name == cLibrary || name == gccLibrary || name == cxxLibrary || name == gcovLibrary
}

// shownBy returns the library that has a function of this name and that is in a file because it was
// asked for, "" for none. Each program has some functions of libgcc and of the C library.
func shownBy(function string) string {
	switch {
	case function == "__libc_start_main" || function == "__libc_start_call_main" || function == "__libc_start_init":
		return cLibrary
	case function == "_Unwind_RaiseException" || function == "_Unwind_Find_FDE":
		return gccLibrary
	case function == "__cxa_throw" || function == "_ZSt9terminatev":
		return cxxLibrary
	case strings.HasPrefix(function, "__gcov_"):
		return gcovLibrary
	}
	return ""
}

// libraryPrefixes are how the names of functions of libraries begin.
var libraryPrefixes = []struct {
	library  string
	prefixes []string
}{
	{gcovLibrary, []string{"__gcov_", "gcov_"}},
	{gccLibrary, []string{"_Unwind_", "__register_frame", "__deregister_frame", "__gcc_", "uw_", "execute_cfa_program", "execute_stack_op", "read_encoded_value", "base_of_encoded_value"}},
	{cxxLibrary, []string{"_ZSt", "_ZNSt", "_ZNKSt", "_ZNSs", "_ZNKSs", "_ZNSa", "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx", "_ZN10__cxxabiv1", "_ZNK10__cxxabiv1", "__cxa_", "__gxx_", "__dynamic_cast"}},
}

// libraryOf returns the library of the compiler that functions of such names belong to, "" for none.
func libraryOf(function string) string {
	for _, l := range libraryPrefixes {
		if slices.ContainsFunc(l.prefixes, func(p string) bool { return strings.HasPrefix(function, p) }) {
			return l.library
		}
	}
	return ""
}

// reserved reports whether a name is one that only the compiler and its libraries use.
func reserved(function string) bool {
	return strings.HasPrefix(function, "_") && !strings.HasPrefix(function, "_Z")
}

// startFiles matches the names of start files and of the static part of a dynamic C library, which each program has and
// which systems build without SFrame data.
var startFiles = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[A-Za-z]{0,2}crt(?:[1in]|begin|end)[ST]?\.o|libc_nonshared\.a|libc_csu\.[ao])$`)
})

// StartFile reports whether the name of an object file or archive, without directories, is that of a start file.
func StartFile(name string) bool { return startFiles().MatchString(name) }

// startSources are FILE symbols of start files that name their source.
var startSources = map[string]bool{"crtstuff.c": true, "init.c": true, "start.S": true, "abi-note.c": true, "elf-init.c": true}

// startFile reports whether a FILE symbol is that of a start file.
func startFile(name string) bool { return startSources[name] || StartFile(name) }

// crtFunctions are functions in start files.
var crtFunctions = map[string]bool{
	"_start": true, "_start_c": true, "_init": true, "_fini": true, "call_weak_fn": true, "_dl_relocate_static_pie": true,
	"deregister_tm_clones": true, "register_tm_clones": true, "frame_dummy": true, "__do_global_dtors_aux": true,
	"__libc_csu_init": true, "__libc_csu_fini": true,
}

// startFunctions are functions in the static part of a dynamic C library, and in the compiler's, whose
// names are not reserved.
var startFunctions = map[string]bool{
	"init_have_lse_atomics": true, "atexit": true, "at_quick_exit": true,
	"pthread_atfork": true, "stat": true, "fstat": true, "lstat": true, "fstatat": true, "mknod": true, "mknodat": true,
	"stat64": true, "fstat64": true, "lstat64": true, "fstatat64": true,
}

// nearEntry is the maximum number of bytes between the function at the entry of a program and the next one of crt1.o.
const nearEntry = 64

// Code in hexadecimal digits: of the second function of crt1.o, and of the functions of libc_nonshared.a that pass the
// address of __dso_handle on (atexit, at_quick_exit, pthread_atfork). A stripped program has no other sign of them.
var secondCode, sharedCode = startCode(map[elf.Machine]string{
	elf.EM_X86_64:  "(f30f1efa)?c3",
	elf.EM_AARCH64: "(5f2403d5)?c0035fd6",
	elf.EM_S390:    "c010.{8}e3101000000407f1",
}), startCode(map[elf.Machine]string{
	elf.EM_X86_64:  "(f30f1efa)?(488b15.{8}31f6|488b(35|0d).{8})e9.{8}",
	elf.EM_AARCH64: "(5f2403d5)?(.{8}010080d242.{4}f9|.{8}21.{4}f9|.{8}63.{4}f9).{6}1[4-7]",
	elf.EM_S390:    "(c448.{8}a7390000|c4[35]8.{8})c0f4.{8}",
})

func startCode(all map[elf.Machine]string) func(elf.Machine, string) bool {
	compiled := sync.OnceValue(func() map[elf.Machine]*regexp.Regexp {
		out := map[elf.Machine]*regexp.Regexp{}
		for m, p := range all {
			out[m] = regexp.MustCompile("^(?:" + p + ")$")
		}
		return out
	})
	return func(m elf.Machine, code string) bool { p := compiled()[m]; return p != nil && p.MatchString(code) }
}

// startsNameless reports whether a function without a name is one of a start file: the entry of a program, the function
// after it, or one with the code of libc_nonshared.a.
func (x *Inputs) startsNameless(addr uint64) bool {
	e := x.o.ELF
	fde, ok := x.frames.At(0, addr)
	if !ok || fde.Start.Addr != addr || fde.Size == 0 {
		return false
	}
	if addr == e.Entry {
		return outermost(&fde)
	}
	sp, ok := e.LoadedAt(addr)
	if most := int64(32); !ok || fde.Size > uint64(min(sp.Len, most)) {
		return false
	}
	sp.Len = int64(fde.Size)
	b, err := e.Data(sp)
	code := hex.EncodeToString(b)
	if err != nil || !secondCode(e.Machine, code) {
		return err == nil && sharedCode(e.Machine, code)
	}
	first, ok := x.frames.At(0, e.Entry)
	return ok && outermost(&first) && addr-first.End() < nearEntry
}

// outermost reports whether a function is an outermost frame by its CFI, as that of crt1.o is.
func outermost(f *cfi.FDE) bool {
	row, ok := f.RowAt(f.End() - 1)
	return ok && f.Recover(&row, row.Start).RA.Kind == model.Undefined
}
