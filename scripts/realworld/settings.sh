# Shared by the scripts of this directory: what is compiled, how, and by whom it is assembled
# and linked. Sourced, never run.
#
# From the environment of `build`: tools (TOOLDIR/bin), out (OUTDIR), work (scratch in OUTDIR).

# shellcheck disable=SC2034,SC2154 # set here for others, or by others for us

abis="amd64 aarch64 s390x aarch64be"

# The names that the unpacked tools use for the machine.
arch_of() {
    case $1 in
    amd64) echo x86_64 ;;
    aarch64 | aarch64be) echo aarch64 ;;
    *) echo "$1" ;;
    esac
}

# Flags that an ABI needs whatever the flag set. The cross C library has no big-endian variant of
# AArch64; an empty stub header (see `build`) is all that its headers miss.
abi_flags() {
    case $1 in
    aarch64be) echo "-mbig-endian -I$work/stubs" ;;
    esac
}

# Flag sets by name. One with -fPIC is linked to shared objects and dynamic executables, one
# with -fno-pie to static executables, the others to the compiler's default kind.
flags_of() {
    case $1 in
    O0) echo "-O0" ;;
    O1) echo "-O1 -fno-pie -ffunction-sections" ;;
    O2) echo "-O2 -fPIC" ;;
    O3) echo "-O3 -fPIC" ;;
    fp) echo "-O2 -fno-omit-frame-pointer -fno-pie" ;;
    nofp) echo "-O2 -fomit-frame-pointer -fPIC" ;;
    clash) echo "-O2 -fstack-clash-protection -fPIC" ;;
    cet) echo "-O2 -fcf-protection=full -fPIC" ;;
    realign) echo "-O2 -mstackrealign -mavx2 -fPIC" ;;
    bti) echo "-O2 -mbranch-protection=standard -fPIC" ;;
    bkey) echo "-O2 -mbranch-protection=pac-ret+leaf+b-key -fno-pie" ;;
    backchain) echo "-O2 -mbackchain -fPIC" ;;
    *) echo "settings: no flag set $1" >&2; return 1 ;;
    esac
}

# Every flag set that makes sense for an ABI.
sets_of() {
    case $1 in
    amd64) echo "O0 O1 O2 O3 fp nofp clash cet realign" ;;
    aarch64) echo "O0 O1 O2 O3 fp nofp clash bti bkey" ;;
    s390x) echo "O0 O1 O2 O3 fp nofp clash backchain" ;;
    aarch64be) echo "O0 O2 bti" ;;
    esac
}

# Flag sets that change frames, calls or what is done with the return address, by ABI and compiler (gcc or clang): one a line.
# The script flags compiles with each of them.
unusual_flags_of() {
    case $1-$2 in
    amd64-gcc) cat <<'SETS'
-O2 -pg
-O2 -pg -mfentry
-O2 -fsplit-stack
-O2 -fstack-clash-protection
-O2 -mharden-sls=all -mfunction-return=thunk-inline -mindirect-branch=thunk-inline
-Oz
SETS
        ;;
    amd64-clang) cat <<'SETS'
-O2 -pg -mfentry
-O2 -fsplit-stack
-O2 -fstack-clash-protection
-O2 -mretpoline -mharden-sls=all
-O2 -mspeculative-load-hardening
-Oz
SETS
        ;;
    aarch64-gcc) cat <<'SETS'
-O2 -pg
-O2 -fstack-clash-protection
-O2 -ffixed-x18 -fsanitize=shadow-call-stack
-O2 -mbranch-protection=pac-ret+leaf+b-key
-O2 -march=armv9.5-a+pauth-lr -mbranch-protection=pac-ret+pc
-O3 -march=armv8-a+sve
SETS
        ;;
    aarch64-clang) cat <<'SETS'
-O2 -pg
-O2 -ffixed-x18 -fsanitize=shadow-call-stack
-O2 -mbranch-protection=pac-ret+leaf+b-key
-O2 -march=armv9.5-a+pauth-lr -mbranch-protection=pac-ret+pc
-O2 -mspeculative-load-hardening
-O3 -march=armv8-a+sve
SETS
        ;;
    s390x-gcc) cat <<'SETS'
-O2 -pg
-O2 -pg -mfentry
-O2 -fstack-clash-protection
-O2 -mpacked-stack -mbackchain -msoft-float
SETS
        ;;
    s390x-clang) cat <<'SETS'
-O2 -pg -mfentry
-O2 -mpacked-stack -mbackchain -msoft-float
SETS
        ;;
    esac
}

# Assemblers by ABI. gas first knew s390x's SFrame in 2.45; llvm-mc leaves all of AArch64 out.
assemblers_of() {
    case $1 in
    amd64) echo "bookworm trixie sid llvm" ;;
    aarch64 | aarch64be) echo "bookworm trixie sid" ;;
    s390x) echo "sid" ;;
    esac
}

# Linkers by ABI, each with the assembler whose objects it gets: linker:assembler.
linkers_of() {
    case $1 in
    amd64) echo "bookworm:bookworm trixie:trixie sid:sid mold:sid sid:llvm" ;;
    aarch64) echo "bookworm:bookworm trixie:trixie sid:sid mold:sid" ;;
    aarch64be) echo "bookworm:bookworm trixie:trixie sid:sid" ;;
    s390x) echo "sid:sid mold:sid" ;;
    esac
}

# tool SUITE ABI NAME: path of a binutils program.
tool() { echo "$tools/$1-$(arch_of "$2")-$3"; }

# The compiler of an ABI, for C (gcc) or C++ (g++).
compiler() { echo "$(arch_of "$1")-linux-gnu-$2"; }

# versions of the producers, read once by `build` into $work/versions: "name version" a line.
version_of() { sed -n "s/^$1 //p" "$work/versions"; }

# record PATH PRODUCER VERSION ABI FLAGS KIND: a line of the list. A file without SFrame (nothing
# but data, or functions that the producer could not express) goes to a list of its own.
record() {
    local list=list
    grep -aqF .sframe "$1" || list=without
    printf '%s\t%s\t%s\t%s\t%s\t%s\n' "${1#"$out/"}" "${@:2}" >> "$out/$list.tsv"
}

# failed STEP PACKAGE ABI SET WHAT LOG: a line of the failures, with the tool's first complaint.
# That ld ignores a section of SFrame is a complaint, but no reason to fail.
failed() {
    local why
    why=$({ grep -v '(\.sframe)' "$6" | grep -iE 'error|undefined|cannot|fail|fatal|abort'; cat "$6"; } | sed -n 1p)
    printf '%s\t%s\t%s\t%s\t%s\t%.300s\n' "${@:1:5}" "$why" >> "$out/failures.tsv"
}
