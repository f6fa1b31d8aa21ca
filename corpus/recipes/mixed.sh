# Versions that meet in one link or one archive, and files without SFrame data.

build_mixed() {
  mixed_links
  mixed_archives
  mixed_strangers
}

mixed_links() {
  local dir=files/mixed old=files/binutils-2.40/amd64 mid=files/binutils-2.44/amd64 new=files/binutils-2.47/amd64
  use sid x86_64
  produce ld "$dir/v2-by-ld-2.47.elf" "${small[@]}" -e main "$mid/main.o" "$mid/frames.o"
  keep "$dir/v2-by-ld-2.47.elf" faulty "12" "ld 2.47 given SHT_PROGBITS inputs of version 2 ignores them and leaves a section of size 0." '' amd64 ''
  produce ld "$dir/v2-by-ld-2.47-partial.o" -r "$mid/main.o" "$mid/frames.o"
  keep "$dir/v2-by-ld-2.47-partial.o" faulty "12" "The same with -r." '' amd64 ''
  produce ld "$dir/v2-group-by-ld-2.47-partial.o" -r files/llvm-23/amd64/comdat-0.o
  keep "$dir/v2-group-by-ld-2.47-partial.o" faulty "12" "The same with an input of LLVM that has section groups: the section keeps its size, and all its bytes are 0." '' amd64 ''
  produce ld "$dir/v3-and-v2-by-ld-2.47.elf" "${small[@]}" -e main "$mid/main.o" "$new/frames.o"
  keep "$dir/v3-and-v2-by-ld-2.47.elf" faulty "9 18" "One input of version 3 and one of version 2: the latter's function has no FDE."
  produce as obj/named.o src/amd64/input-named.s --gsframe
  produce as obj/nameless.o src/amd64/input-nameless.s
  produce ld "$dir/v3-and-none-by-ld-2.47.elf" "${small[@]}" -e main obj/named.o obj/nameless.o
  keep "$dir/v3-and-none-by-ld-2.47.elf" faulty "9" "One input of version 3 and one without SFrame data and without a FILE symbol, which ld adds."
  produce mold "$dir/v3-and-none-by-mold.elf" "${small[@]}" -e main obj/named.o obj/nameless.o
  keep "$dir/v3-and-none-by-mold.elf" faulty "" "One input of version 3 and one without SFrame data: mold puts the local functions of the latter after the FILE symbol of the former."
  use trixie x86_64
  produce as obj/provider-v2.o src/amd64/provider.s --gsframe
  use sid x86_64
  produce ld "$dir/plt-only-by-ld-2.47.so" "${small[@]}" -shared -soname plt-only.so obj/provider-v2.o
  keep "$dir/plt-only-by-ld-2.47.so" faulty "18 19" "ld 2.47 ignores the one input, of version 2, and describes its PLT alone: no function is covered."
  use trixie x86_64
  produce ld "$dir/v3-by-ld-2.44.elf" "${small[@]}" -e main "$new/main.o" "$new/frames.o"
  keep "$dir/v3-by-ld-2.44.elf" faulty "13" "ld 2.44 given version 3 says that no .sframe will be created, and puts the two sections in a row."
  use bookworm x86_64
  produce ld "$dir/v2-by-ld-2.40.elf" "${small[@]}" -e main "$mid/main.o" "$mid/frames.o"
  keep "$dir/v2-by-ld-2.40.elf" faulty "7 11 13" "ld 2.40 given version 2 puts the two sections in a row; the starts are relative to their fields and no flag says so."
}

mixed_archives() {
  local a=files/mixed/archive v
  use sid x86_64
  for v in 40 44 47; do produce objcopy "obj/of-binutils-2-$v.o" "files/binutils-2.$v/amd64/frames.o" %; done
  produce as obj/main-unasked.o src/amd64/main.s
  produce ar "$a.a" rcsD % obj/of-binutils-2-40.o obj/of-binutils-2-44.o obj/of-binutils-2-47.o \
    files/llvm-23/amd64/start.o obj/main-unasked.o
  keep "$a.a" faulty "11 18 21 25" "An archive with members of version 1, 2, 2 with errata 1 and 3, and one member without SFrame data." '' amd64 ''
  produce ar files/mixed/empty.a rcsD %
  keep files/mixed/empty.a healthy "" "An archive without members." '' none ''
}

mixed_strangers() {
  local dir=files/other
  use sid x86_64
  produce ld "$dir/none.elf" "${small[@]}" -e main obj/main-unasked.o --defsym vast=0
  keep "$dir/none.elf" healthy "" "A program with .eh_frame and without .sframe." '' amd64 ''
  produce as obj/provider-unasked.o src/amd64/provider.s
  produce ld "$dir/none.so" "${small[@]}" -shared -soname none.so obj/provider-unasked.o
  keep "$dir/none.so" healthy "" "A shared object without .sframe: the linker makes no FDEs for the PLT unless an input has some." '' amd64 ''
  produce as "$dir/i386.o" --32 src/amd64/empty.s
  keep "$dir/i386.o" healthy "" "An ELF32 object for i386, which has no SFrame ABI." '' none ''
  produce as "$dir/x32.o" --x32 src/amd64/main.s
  keep "$dir/x32.o" healthy "" "An ELF32 object for x86-64 (x32), for which gas refuses --gsframe." '' none ''
  produce llvm-mc "$dir/riscv64.o" --triple riscv64-linux-gnu --filetype=obj src/amd64/empty.s
  keep "$dir/riscv64.o" healthy "" "An object for a machine that has no SFrame ABI." '' none ''
  produce llvm-mc "$dir/s390x.o" --triple s390x-linux-gnu --filetype=obj --gsframe src/s390x/main.s
  keep "$dir/s390x.o" healthy "" "llvm-mc ignores --gsframe for s390x: no .sframe section." '' s390x ''
}
