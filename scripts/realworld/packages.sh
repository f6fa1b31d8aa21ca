# The programs that get built. Sourced, never run.
#
# A package NAME has
#   source_NAME   the name of Debian's source package (default: NAME)
#   sets_NAME     the flag sets it is compiled with (default: all of the ABI's)
#   abis_NAME     the ABIs it is compiled for (default: all)
#   units_NAME    prints its sources, one a line: ROLE SOURCE [FLAG...], in the unpacked source
#                 tree, which is the current directory. ROLE is `lib`, `only` (an object that no
#                 link uses), or the name of the program whose source it is.
#                 Whatever must be generated first is generated there.
# Their own build systems are left aside: what matters is the compiler's and the assembler's
# output, and a configure run for each ABI would cost more than the compilation.
#
# shellcheck disable=SC2034,SC2016 # names are put together; templates stay as they are

packages="sqlite3 lua zlib bzip2 tinyxml2 fmt snappy leveldb zstd coreutils"

# units ROLE FLAGS SOURCE...: a line a source.
units() {
    local role=$1 flags=$2 file
    # Unquoted: a trailing blank would join the line with the next one for xargs.
    # shellcheck disable=SC2086
    for file in "${@:3}"; do echo "$role" "$file" $flags; done
}

# The amalgamation is its own makefile's product, with the interpreter that the source brings.
abis_sqlite3="amd64 aarch64 s390x"
sets_sqlite3="O0 O2 cet bti"
units_sqlite3() {
    { ./configure && make sqlite3.c shell.c; } >&2 || return 1
    units lib "-DSQLITE_THREADSAFE=1 -DSQLITE_ENABLE_FTS5 -DSQLITE_ENABLE_RTREE" sqlite3.c
    units sqlite3 "" shell.c
}

source_lua=lua5.4
units_lua() {
    local file
    for file in src/*.c; do
        case $file in
        src/lua.c | src/luac.c) units "$(basename "$file" .c)" "-DLUA_USE_LINUX" "$file" ;;
        *) units lib "-DLUA_USE_LINUX" "$file" ;;
        esac
    done
}

units_zlib() {
    units lib "-DHAVE_UNISTD_H -DHAVE_STDARG_H" ./*.c
    units minigzip "-I." test/minigzip.c
    units example "-I." test/example.c
}

units_bzip2() {
    units lib "" blocksort.c huffman.c crctable.c randtable.c compress.c decompress.c bzlib.c
    units bzip2 "" bzip2.c
    units bzip2recover "" bzip2recover.c
}

units_tinyxml2() {
    units lib "" tinyxml2.cpp
    units xmltest "" xmltest.cpp
}

source_fmt=fmtlib
units_fmt() { units lib "-Iinclude -std=c++17" src/format.cc src/os.cc; }

sets_snappy="O0 O1 O2 O3 fp bti"
units_snappy() {
    # A template of version numbers and one feature; the true numbers do not matter here.
    sed 's/\${PROJECT_VERSION_[A-Z]*}/1/; s/\${HAVE_SYS_UIO_H_01}/1/; s/@PROJECT_VERSION_[A-Z]*@/1/' \
        snappy-stubs-public.h.in > snappy-stubs-public.h
    units lib "-I. -std=c++17 -DHAVE_SYS_UIO_H=1 -DHAVE_BUILTIN_CTZ=1 -DHAVE_BUILTIN_EXPECT=1" \
        snappy.cc snappy-c.cc snappy-sinksource.cc snappy-stubs-internal.cc
}

abis_leveldb="amd64 aarch64 s390x"
sets_leveldb="O0 O1 O2"
units_leveldb() {
    local file flags="-I. -Iinclude -std=c++17 -DLEVELDB_PLATFORM_POSIX=1"
    sed 's/#cmakedefine01 \(.*\)/#define \1 0/' port/port_config.h.in > port/port_config.h
    for file in db/*.cc table/*.cc util/*.cc; do
        case $file in
        *test* | *windows*) ;;
        db/leveldbutil.cc) units leveldbutil "$flags" "$file" ;;
        *) units lib "$flags" "$file" ;;
        esac
    done
}

source_zstd=libzstd
abis_zstd="amd64 aarch64 s390x"
sets_zstd="O1 O3 clash"
units_zstd() {
    units lib "-DZSTD_DISABLE_ASM -DXXH_NAMESPACE=ZSTD_" lib/common/*.c lib/compress/*.c lib/decompress/*.c
    units zstd "-Ilib -Ilib/common -DZSTD_NODICT -DZSTD_NOBENCH -DZSTD_NOTRACE" \
        programs/{zstdcli,fileio,fileio_asyncio,util,timefn}.c
}

# The one package that must be configured. The native result serves the other ABIs as well, since
# nothing gets executed: hence without libraries and vector code that only the native side has.
abis_coreutils="amd64 aarch64 s390x"
sets_coreutils="O2"
units_coreutils() {
    local flags="-Ilib -Isrc -I. -DHAVE_CONFIG_H" object file
    FORCE_UNSAFE_CONFIGURE=1 ./configure --disable-nls --with-openssl=no --without-libgmp \
        >&2 || return 1
    sed -i 's/^#define \(USE_[A-Z0-9]*_CRC32\|USE_[A-Z0-9]*_WC_LINECOUNT\|GL_CRC_[A-Z0-9_]*\|FLOAT16_SUPPORTED\) 1$//' \
        lib/config.h
    cat > listing.mk <<'MAKE'
include Makefile
generated: $(BUILT_SOURCES) src/version.c
library:
	@echo $(src_libver_a_OBJECTS) $(lib_libcoreutils_a_OBJECTS) $(filter %.o,$(lib_libcoreutils_a_LIBADD))
MAKE
    make -f listing.mk generated >&2 || return 1
    for object in $(make -s -f listing.mk library | tr ' ' '\n' | sort -u); do
        file=${object/libcoreutils_a-/}
        file=${file%.*}.c
        case $file in *pclmul*) continue ;; esac
        [ ! -e "$file" ] || units lib "$flags" "$file"
    done
    for file in src/*.c; do
        case $(basename "$file" .c) in
        version | *avx* | *pclmul* | *vmull*) ;;       # seen already; the native machine's alone
        make-prime-list | tac-pipe | cksum | basenc) ;; # a build tool, included text, and templates
        cat | wc | head | tr | od | seq | nl | fold | join | paste | uniq | comm | fmt | pr | sort)
            units "$(basename "$file" .c)" "$flags" "$file" ;;
        *) units only "$flags" "$file" ;;
        esac
    done
}
