package coverage

import (
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/sframe-lint/sframe-lint/internal/base/machinecode"
	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/model"
)

// Libraries that compilers link statically, and that systems build without SFrame data.
const (
	cLibrary    = "libc"
	gccLibrary  = "libgcc"
	cxxLibrary  = "libstdc++"
	gcovLibrary = "libgcov"
)

// Library reports whether name is the name of a library that compilers link statically and that systems build without
// SFrame data.
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
	return regexp.MustCompile(`^(?:[A-Za-z]{0,2}crt(?:[1in]|begin|end)[ST]?\.o|crt(?:fastmath|prec(?:32|64|80)|offload.*)\.o|libc_nonshared\.a|libc_csu\.[ao])$`)
})

// StartFile reports whether name, which has no directory, is the name of a start file (an object file or archive that
// every program contains).
func StartFile(name string) bool { return startFiles().MatchString(name) }

// startSources are FILE symbols of start files that name their source.
var startSources = []string{"crtstuff.c", "init.c", "start.S", "crtfastmath.c", "crtprec.c", "offloadstuff.c", "abi-note.c", "elf-init.c"}

// startFile reports whether a FILE symbol is that of a start file.
func startFile(name string) bool { return slices.Contains(startSources, name) || StartFile(name) }

// crtFunctions are functions in start files.
var crtFunctions = []string{
	"_start", "_start_c", "_init", "_fini", "call_weak_fn", "_dl_relocate_static_pie",
	"deregister_tm_clones", "register_tm_clones", "frame_dummy", "__do_global_dtors_aux",
	"__libc_csu_init", "__libc_csu_fini",
}

// startFunctions are functions in the static part of a dynamic C library, and in the compiler's, whose
// names are not reserved.
var startFunctions = []string{
	"init_have_lse_atomics", "atexit", "at_quick_exit",
	"pthread_atfork", "stat", "fstat", "lstat", "fstatat", "mknod", "mknodat",
	"stat64", "fstat64", "lstat64", "fstatat64",
}

// nearEntry is more than the bytes from the end of the function at the entry of a program to the last one of gcrt1.o, and
// less than those of crtbegin.o after it. aligned is the alignment of functions in start files, and tableFunctions the
// number of functions in crtbegin.o.
const nearEntry, aligned, tableFunctions = 128, 16, 4

// patterns are compiled patterns for the hexadecimal digits of code. A stripped file can have very many small functions.
var patterns sync.Map

// is reports whether code is what a pattern for its hexadecimal digits describes.
func is(code []byte, pattern string) bool {
	if pattern == "" {
		return false
	}
	p, ok := patterns.Load(pattern)
	if !ok {
		p, _ = patterns.LoadOrStore(pattern, regexp.MustCompile("^(?:"+pattern+")$"))
	}
	return p.(*regexp.Regexp).MatchString(hex.EncodeToString(code))
}

// startsNameless reports whether a function without a name is one of a start file: the entry of a program, a function
// after it with the code of one of crt1.o, one with the code of libc_nonshared.a, or one of the four of crtbegin.o.
func (x *Inputs) startsNameless(addr uint64) bool {
	e := x.o.ELF
	fde, ok := x.frames.At(0, addr)
	if !ok || fde.Start.Addr != addr || fde.Size == 0 {
		return false
	}
	if addr == e.Entry {
		return outermost(&fde)
	}
	abi := e.ABI()
	starts, code := machinecode.Of(abi.Machine), x.startCode(&fde)
	last, ok := x.frames.At(0, addr-aligned)
	switch {
	case code == nil:
		return false
	case is(code, starts.SharedStart), is(code, starts.TableStart):
		return true
	case is(code, starts.LastStart):
		return ok && is(x.startCode(&last), starts.SharedStart)
	case is(code, starts.SecondStart):
		first, ok := x.frames.At(0, e.Entry)
		return ok && outermost(&first) && addr-first.End() < nearEntry
	}
	for n := 1; ok && n < tableFunctions && starts.TableStart != ""; n++ {
		if is(x.startCode(&last), starts.TableStart) {
			return true
		}
		last, ok = x.frames.At(0, last.Start.Addr-aligned)
	}
	return false
}

// startCode returns the code of a function that can be one of a start file, nil of a larger one.
func (x *Inputs) startCode(f *cfi.FDE) []byte {
	const most = 96
	if f.Size > most {
		return nil
	}
	if code, err := x.o.ELF.Part(0, f.Start.Addr, f.Size, nil); err == nil && uint64(len(code)) == f.Size {
		return code
	}
	return nil
}

// outermost reports whether a function is an outermost frame by its CFI, as that of crt1.o is.
func outermost(f *cfi.FDE) bool {
	row, ok := f.RowAt(f.End() - 1)
	return ok && f.Recover(&row, row.Start).RA.Kind == model.Undefined
}
