# Programs with assembly that people or scripts wrote, and others of one function a file. Sourced,
# never run: see packages.sh, which describes the variables.
#
# Such sources differ by ABI: a role of the form ROLE@ABI is for that one alone. A source .S gets
# preprocessed; a source .s is assembled as it is.
#
# shellcheck disable=SC2034 # names are put together

packages="${packages:-} musl openssl gmp libffi jq brotli libpng"

# in_build ABI COMMAND...: runs a command in a directory b-ABI of the source tree.
in_build() {
    mkdir -p "b-$1" && (cd "b-$1" && "${@:2}") >&2
}

# listed ABI ROLE: turns the commands of `make -n` in b-ABI into units. A source counts once. What
# the flag sets decide, and warnings, go; names of directories become relative to the source tree.
listed() {
    awk -v build="b-$1" -v role="$2@$1" '
        function place(path) {
            if (path !~ /^\//) path = build "/" path
            while (sub(/[^\/.][^\/]*\/\.\.\//, "", path)) { }
            sub(/^b-[^\/]*\/\.\.$/, ".", path)
            return path
        }
        / -c -o / && $NF != "-" && !seen[$NF]++ {
            line = role " " place($NF)
            for (i = 2; i < NF; i++) {
                if ($i ~ /^-I/) $i = "-I" place(substr($i, 3))
                else if ($i !~ /^-(D|U|std=|nostdinc|f)/ || $i == "-fPIC") continue
                gsub(/\\"/, "", $i)
                gsub(/""|"/, "", $i)
                if ($i ~ /DIR=/) sub(/=.*/, "=\"x\"", $i)
                gsub(/"/, "\\\"", $i)
                line = line " " $i
            }
            print line
        }'
}

# Its own makefile puts CFI into .debug_frame, on the one ABI whose assembly has a script for CFI;
# by that script, the assembly has CFI there and nowhere else.
sets_musl="O2"
abis_musl="amd64 aarch64 s390x"
bare_musl=yes
units_musl() {
    local abi source
    for abi in $abis_musl; do
        in_build "$abi" ../configure --target="$(arch_of "$abi")-linux-musl" --enable-debug \
            CC="$(compiler "$abi" gcc)" AR=ar RANLIB=ranlib || return 1
        in_build "$abi" make obj/include/bits/alltypes.h obj/include/bits/syscall.h obj/src/internal/version.h || return 1
        make -s -C "b-$abi" -n lib/libc.so | listed "$abi" lib | with_cfi "$abi"
    done
    for source in $(find src -path '*/x86_64/*.s' | sort); do
        awk -f tools/add-cfi.common.awk -f tools/add-cfi.x86_64.awk "$source" > "b-amd64/$(tr / _ <<< "$source")" || return 1
        units lib@amd64 "" "b-amd64/$(tr / _ <<< "$source")"
    done
}

with_cfi() { # abi; units on standard input
    case $1 in
    amd64) sed 's/$/ -g1 -gno-as-loc-support/' ;;
    *) sed 's/-fno-\(asynchronous-\)\?unwind-tables//g' ;;
    esac
}

# All of its assembly; the C for one ABI.
sets_openssl="O2"
abis_openssl="amd64 aarch64 s390x"
units_openssl() {
    local abi target
    for abi in $abis_openssl; do
        case $abi in
        amd64) target=linux-x86_64 ;;
        aarch64) target=linux-aarch64 ;;
        s390x) target=linux64-s390x ;;
        esac
        in_build "$abi" ../Configure $target --cross-compile-prefix="$(arch_of "$abi")-linux-gnu-" \
            no-shared no-tests no-module no-makedepend || return 1
        in_build "$abi" make build_generated || return 1
        make -s -C "b-$abi" -n build_libs | listed "$abi" lib > "b-$abi/units" || return 1
        # What the commands above would have generated, without the manual pages.
        # shellcheck disable=SC2046 # names are words
        in_build "$abi" make $(grep -o " b-$abi/[^ ]*\.[csS] " "b-$abi/units" | sed "s| b-$abi/||") \
            $(grep -o '^providers/[^ :]*\.h:' "b-$abi/Makefile" | tr -d :) || return 1
        case $abi in
        amd64) cat "b-$abi/units" ;;
        *) grep '\.[sS] ' "b-$abi/units" ;;
        esac
    done
}

# The assembly of GMP has no CFI.
sets_gmp="O2 O1"
abis_gmp="amd64 aarch64 s390x"
units_gmp() {
    local abi file name flags
    mkdir -p doc && touch doc/Makefile.in # Debian leaves the manual out
    for abi in $abis_gmp; do
        in_build "$abi" ../configure --build="$(uname -m)-pc-linux-gnu" --host="$(arch_of "$abi")-linux-gnu" \
            CC="$(compiler "$abi" gcc)" --disable-shared || return 1
        in_build "$abi" make fac_table.h sieve_table.h fib_table.h mp_bases.h trialdivtab.h \
            mpn/fib_table.c mpn/mp_bases.c mpn/perfsqr.h mpn/jacobitab.h || return 1
        flags="-DHAVE_CONFIG_H -D__GMP_WITHIN_GMP -Ib-$abi -Ib-$abi/mpn -I."
        units "lib@$abi" "$flags" mpz/*.c mpq/*.c mpf/*.c printf/*.c scanf/*.c rand/*.c \
            assert.c compat.c errno.c extract-dbl.c invalid.c memory.c mp_*.c nextprime.c primesieve.c tal-reent.c
        for file in "b-$abi"/mpn/*.c; do
            name=$(basename "$file" .c)
            units "lib@$abi" "$flags -DOPERATION_${name%_}" "$file"
        done
        for file in "b-$abi"/mpn/*.asm; do
            name=$(basename "$file" .asm)
            (cd "b-$abi/mpn" && m4 -DHAVE_CONFIG_H -D__GMP_WITHIN_GMP "-DOPERATION_${name%_}" -DPIC "$name.asm") > "${file%.asm}.s" &&
                units "lib@$abi" "" "${file%.asm}.s"
        done
    done
}

abis_libffi="amd64 aarch64 s390x"
units_libffi() {
    local abi target dir files flags
    for abi in $abis_libffi; do
        case $abi in
        amd64) target=X86_64 dir=src/x86 files="ffi64.c unix64.S ffiw64.c win64.S" ;;
        aarch64) target=AARCH64 dir=src/aarch64 files="ffi.c sysv.S" ;;
        s390x) target=S390 dir=src/s390 files="ffi.c sysv.S" ;;
        esac
        mkdir -p "b-$abi"
        sed "s/@TARGET@/$target/; s/@HAVE_LONG_DOUBLE@/1/; s/@FFI_EXEC_TRAMPOLINE_TABLE@/0/; s/@FFI_VERSION_NUMBER@/0/; s/@[A-Z_]*@//" \
            include/ffi.h.in > "b-$abi/ffi.h"
        cat > "b-$abi/fficonfig.h" <<'CONFIG'
#define HAVE_AS_CFI_PSEUDO_OP 1
#define HAVE_AS_X86_PCREL 1
#define HAVE_AS_X86_64_UNWIND_SECTION_TYPE 1
#define EH_FRAME_FLAGS "a"
#define HAVE_HIDDEN_VISIBILITY_ATTRIBUTE 1
#define HAVE_LONG_DOUBLE 1
#define HAVE_MEMCPY 1
#define HAVE_ALLOCA_H 1
#define STDC_HEADERS 1
#define SIZEOF_SIZE_T 8
#ifdef LIBFFI_ASM
#define FFI_HIDDEN(name) .hidden name
#else
#define FFI_HIDDEN __attribute__((visibility("hidden")))
#endif
CONFIG
        flags="-DHAVE_CONFIG_H -Ib-$abi -Iinclude -I$dir"
        units "lib@$abi" "$flags" src/{prep_cif,types,raw_api,java_raw_api,closures,tramp}.c
        # shellcheck disable=SC2086 # names are words
        units "lib@$abi" "$flags" $(printf "$dir/%s " $files)
    done
}

abis_jq="amd64 aarch64 s390x"
units_jq() {
    local flags="-I. -Isrc -Ivendor -D_GNU_SOURCE -DIEEE_8087=1 -DUSE_DECNUM=1 -DDECLITEND=1 -DHAVE_ISATTY=1 -DHAVE_MEMMEM=1"
    sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/"/' -e 's/$/\\n"/' src/builtin.jq > src/builtin.inc
    echo '#define JQ_CONFIG "none"' > src/config_opts.inc
    units lib "$flags" src/{builtin,bytecode,compile,execute,jv,jv_alloc,jv_aux,jv_dtoa,jv_dtoa_tsd,jv_file,jv_parse,jv_print,jv_unicode,lexer,linker,locfile,parser,util}.c \
        vendor/decNumber/decContext.c vendor/decNumber/decNumber.c
    units jq "$flags" src/main.c
}

units_brotli() {
    units lib "-Ic/include" c/common/*.c c/dec/*.c c/enc/*.c
    units brotli "-Ic/include" c/tools/brotli.c
}

# Of zlib, headers suffice: a shared object may have undefined symbols.
source_libpng="libpng1.6 zlib"
abis_libpng="amd64 aarch64 s390x"
units_libpng() {
    local file
    cp scripts/pnglibconf.h.prebuilt pnglibconf.h
    for file in png*.c; do
        [ "$file" = pngtest.c ] || units lib "-Izlib -DPNG_ARM_NEON_OPT=0" "$file"
    done
}
