# GNU as and GNU ld of three generations, one directory each and below it one for each ABI.

# Small files that are still laid out as a loader wants them.
small=(-z noseparate-code -z max-page-size=4096)

build_gnu() {
  gnu_target bookworm 2.40 x86_64 amd64 ''
  gnu_target bookworm 2.40 aarch64 aarch64 -EL
  gnu_target bookworm 2.40 aarch64 aarch64-be -EB
  gnu_target trixie 2.44 x86_64 amd64 ''
  gnu_target trixie 2.44 aarch64 aarch64 -EL
  gnu_target trixie 2.44 aarch64 aarch64-be -EB
  gnu_target sid 2.47 x86_64 amd64 ''
  gnu_target sid 2.47 aarch64 aarch64 -EL
  gnu_target sid 2.47 aarch64 aarch64-be -EB
  gnu_target sid 2.47 s390x s390x ''
}

# gnu_target SUITE RELEASE ARCH ABI ENDIAN
gnu_target() {
  use "$1" "$3"
  abi=$4
  dir=files/binutils-$2/$4
  src=src/${4%-be}
  endian=()
  [ -z "$5" ] || endian=("$5")
  generation=${2#2.} # 40, 44 or 47
  sframe=$(sframe_of "$generation")

  # What every file of a generation has: numbers of the list of known bugs.
  old=''                                   # of a section
  [ "$generation" = 47 ] || old=11         # SHT_PROGBITS
  [ "$generation" != 40 ] || old='11 21'   # and version 1
  merged="${old:+$old }9"                  # of a link that merges sections

  gnu_objects
  gnu_links
  gnu_dynamic
  gnu_partial
  gnu_program
  [ "$abi" = aarch64-be ] || gnu_archives
  case $abi in
    amd64) gnu_amd64 ;;
    aarch64) gnu_aarch64 ;;
    s390x) gnu_s390x ;;
  esac
}

# sframe_of GENERATION: the version it emits.
sframe_of() { case $1 in 40) echo 1 ;; 44) echo 2 ;; *) echo 3 ;; esac; }

gas() { # OUT SOURCE [ARG...]: out is relative to the directory of the target
  local out=$dir/$1 source=$src/$2
  shift 2
  produce as "$out" "${endian[@]}" --gsframe "$@" "$source"
}

gnuld() { # OUT ARG...
  local out=$dir/$1
  shift
  produce ld "$out" "${endian[@]}" "${small[@]}" "$@"
}

# since RELEASE: is this generation that one or a later one?
since() { [ "$generation" -ge "${1#2.}" ]; }

gnu_objects() {
  gas frames.o frames.s
  keep "$dir/frames.o" healthy "$old" \
    "Leaf functions, frame pointers, pushes and large frames, with local, weak, global and hidden symbols."
  gas main.o main.s
  keep "$dir/main.o" healthy "$old" "One function that calls into another object."

  gas start.o start.s
  if since 2.47; then
    keep "$dir/start.o" healthy "$old" "The CFI leaves the return address undefined: an FRE without data words, an outermost frame."
  else
    keep "$dir/start.o" faulty "$old 25" "The CFI leaves the return address undefined, the FRE says nothing of it: a plain rule that a tracer follows past _start."
  fi

  gas signal.o signal.s
  if since 2.47; then
    keep "$dir/signal.o" healthy "26" "Signal frames: one FDE without FREs, since its CFI cannot be expressed, and one with plain rows; both have the signal bit."
  else
    keep "$dir/signal.o" healthy "$old 26" "A signal frame with plain rows, which this version cannot mark as one; the FDE of the other, with expressions, is left out."
  fi

  gas wide.o wide.s --defsym HUGE=0
  keep "$dir/wide.o" healthy "$old" "A function of more than 255 bytes: FRE starts of two bytes (ADDR2)."

  gas flexible.o flexible.s
  case $abi-$generation in
    aarch64*-40) keep "$dir/flexible.o" faulty "$old" \
      "CFI that version 1 cannot state: gas 2.40 takes x19 as the CFA base for sp, and a saved x29 without x30 for a saved x30." ;;
    *-47) case $abi in
      aarch64*) keep "$dir/flexible.o" healthy "26" "CFI beyond the default FDE type: gas leaves out the four functions it cannot express on AArch64." ;;
      s390x) keep "$dir/flexible.o" faulty "" "Flexible FDEs with CFA bases r14 and r1; in \"uneven\" gas rounds a CFA offset of 172 to 168, as the scaled word cannot hold it." ;;
      *) keep "$dir/flexible.o" healthy "26" "Flexible FDEs: the DRAP register, a dereferenced CFA, return address and rbp in registers; one inexpressible function is left out." ;;
      esac ;;
    *) keep "$dir/flexible.o" healthy "$old 26" "CFI beyond this version: every function but the plain one is left out." ;;
  esac

  if [ "$abi" != s390x ]; then
    gas sections.o sections.s
    keep "$dir/sections.o" faulty "$old 30" "A section for each function, among them .init.text and one that is not executable, .rodata.text."
  fi
}

gnu_links() {
  gnuld one.elf -e leaf "$dir/frames.o"
  keep "$dir/one.elf" healthy "$old" "A static program of a single object: nothing to merge, and the segment is as large as the section."
  gnuld static.elf -e main "$dir/main.o" "$dir/frames.o"
  keep "$dir/static.elf" healthy "$merged" "A static program of two objects, merged and sorted; PT_GNU_SFRAME keeps the size of the unmerged inputs."
  gnuld start.elf "$dir/start.o" "$dir/main.o" "$dir/frames.o"
  if since 2.47; then
    keep "$dir/start.elf" healthy "$merged" "A static program whose first function is an outermost frame."
  else
    keep "$dir/start.elf" faulty "$merged 25" "A static program whose _start has rules although its return address is undefined."
  fi
  gnuld wide.elf -e wide "$dir/wide.o"
  keep "$dir/wide.elf" healthy "$old" "A static program with FREs of type ADDR2."
}

gnu_dynamic() {
  local plt="$merged" about="Its PLT has FDEs of its own, the repeated stub a MASK one."
  case $abi in aarch64*) plt="$old 20" about="This linker makes no FDE for its PLT." ;; esac
  produce as "obj/$dir/provider.o" "${endian[@]}" --gsframe "$src/provider.s"
  produce as "obj/$dir/caller.o" "${endian[@]}" --gsframe "$src/caller.s"
  gnuld libprovider.so -shared -soname libprovider.so "obj/$dir/provider.o"
  keep "$dir/libprovider.so" healthy "$plt" "A shared object that calls through its PLT. $about"
  case $abi in aarch64*) plt="$merged 20" ;; esac
  gnuld pie.elf -pie -e main --dynamic-linker /lib/ld.so.1 "obj/$dir/caller.o" "$dir/frames.o" \
    "$dir/libprovider.so"
  keep "$dir/pie.elf" healthy "$plt" "A position-independent program that calls a shared object. $about"
}

# What gcc makes of a C program, instead of CFI written for the purpose.
gnu_program() {
  local missing='' about="a frame pointer for arrays of variable length, cold parts, a branch table"
  case $abi in
    amd64) about+=", and a realigned stack kept in a register (DRAP)"
      since 2.47 || missing=" Version ${sframe} leaves out the realigned function." ;;
    aarch64*) about+=", and signed return addresses" ;;
    s390x) about+=", a probed stack with the CFA on r14, and FP in f2" ;;
  esac
  gas program.o program.s
  keep "$dir/program.o" healthy "$old${missing:+ 26}" "Compiled C: $about.$missing"
  gnuld program.elf -e main "$dir/program.o" "$dir/wide.o"
  keep "$dir/program.elf" healthy "$merged${missing:+ 26}" "A static program of compiled C: $about.$missing"
}

# ld -r: the inputs' FDEs are merged, and every start awaits its relocation.
gnu_partial() {
  gnuld partial.o -r "$dir/main.o" "$dir/frames.o"
  gnuld partial-one.o -r "$dir/frames.o"
  if since 2.47; then
    keep "$dir/partial.o" healthy "$old" "ld -r of two objects: neither sorted nor padded, one relocation for each FDE."
    keep "$dir/partial-one.o" healthy "$old" "ld -r of one object."
  else
    keep "$dir/partial.o" faulty "$old 3 4 10" \
      "ld -r of two objects: relocations of the second input stay where its FDEs were, SORTED is set, and zero bytes follow the FREs."
    keep "$dir/partial-one.o" faulty "$old 4" "ld -r of one object: SORTED is set although no start is known yet."
  fi
}

gnu_archives() {
  local a=$dir/archives
  produce as "$a/an_object_with_a_long_file_name.o" "${endian[@]}" --gsframe "$src/main.s"
  keep "$a/an_object_with_a_long_file_name.o" healthy "$old" "A member of the thin archive beside it."
  produce as "$a/short.o" "${endian[@]}" --gsframe "$src/frames.s"
  keep "$a/short.o" healthy "$old" "A member of the thin archive beside it."
  local members=("$a/an_object_with_a_long_file_name.o" "$a/short.o")
  produce ar "$a/static.a" rcsD % "${members[@]}"
  keep "$a/static.a" healthy "$old" "A static archive with a symbol index and a table of long member names." '' "$abi" "$sframe"
  produce ar "$a/thin.a" rcsDT % "${members[@]}"
  keep "$a/thin.a" healthy "$old" "A thin archive: it names its members, which stay files of their own beside it." '' "$abi" "$sframe"
}
