# Linkers other than GNU ld, on objects of GNU as. mold merges version 3; lld and gold
# do not know the section and put the inputs' sections one after the other.

build_linkers() {
  local generation
  for generation in 40 44 47; do
    linkers_concatenate lld-23 ld.lld "$generation"
    linkers_concatenate gold-2.40 gold "$generation"
  done
  linkers_misread
  linkers_mold
}

# As single-v2.elf, with code before the functions.
linkers_misread() {
  local out=files/lld-23/misread-v2.elf
  use trixie x86_64
  produce as obj/lld-23/misread.o --gsframe src/amd64/misread.s
  produce ld.lld "$out" -z max-page-size=4096 -z noseparate-code -e f0 obj/lld-23/misread.o
  keep "$out" faulty "7 11" "Starts that are relative to their fields, without the flag that says so, and code before the functions: only the symbols show it."
}

linkers_concatenate() {
  local dir=files/$1 tool=$2 generation=$3 gas=files/binutils-2.$3/amd64 flags=(-z max-page-size=4096)
  [ "$tool" = gold ] || flags+=(-z noseparate-code)
  local old='' version
  version=$(sframe_of "$generation")
  [ "$generation" = 47 ] || old='7 11 '
  [ "$generation" != 40 ] || old='7 11 21 '
  local bugs="${old}13"
  [ "$generation" != 47 ] || bugs='13 14'
  local out=$dir/concatenated-v$version.elf
  produce "$tool" "$out" "${flags[@]}" -e main "$gas/main.o" "$gas/frames.o"
  keep "$out" faulty "$bugs" "Two version $version sections in a row: a reader sees the first one's single FDE. There is no PT_GNU_SFRAME."
  if [ "$generation" = 47 ]; then
    produce "$tool" "$dir/partial.o" -r "$gas/program.o" "$gas/wide.o" "$gas/sections.o"
    keep "$dir/partial.o" faulty "$bugs" "-r of three objects: three sections in a row, and the relocations of all."
  fi
  out=$dir/single-v$version.elf
  produce "$tool" "$out" "${flags[@]}" -e leaf "$gas/frames.o"
  if [ "$generation" = 47 ]; then
    keep "$out" faulty "" "One version 3 section, passed through: right, though not sorted by anyone, but no segment leads to it."
  else
    keep "$out" faulty "${old% }" "One section, passed through: the starts are relative to their fields, but no flag says so."
  fi
}

linkers_mold() {
  local dir=files/mold-3 gas=files/binutils-2.47/amd64 aarch=files/binutils-2.47/aarch64
  produce mold "$dir/static.elf" "${small[@]}" -e main "$gas/main.o" "$gas/frames.o"
  keep "$dir/static.elf" healthy "" "A static program of two objects: merged, sorted, and the segment is as large as the section."
  produce mold "$dir/start.elf" "${small[@]}" "$gas/start.o" "$gas/main.o" "$gas/frames.o"
  keep "$dir/start.elf" healthy "" "A static program whose first function is an outermost frame."
  produce mold "$dir/flexible.elf" "${small[@]}" -e drap "$gas/flexible.o" "$gas/signal.o"
  keep "$dir/flexible.elf" healthy "26" "Flexible FDEs, and a signal frame without FREs, merged by mold."
  produce mold "$dir/program.elf" "${small[@]}" -e main "$gas/program.o" "$gas/wide.o"
  keep "$dir/program.elf" healthy "" "A static program of compiled C, with a flexible FDE."
  produce mold "$dir/zerosize.elf" "${small[@]}" -e before "$gas/zerosize.o"
  keep "$dir/zerosize.elf" faulty "2" "An FDE of size 0 and the next function's start at one address."
  produce mold "$dir/comdat.elf" "${small[@]}" -e main "$gas/comdat-0.o" "$gas/comdat-1.o"
  keep "$dir/comdat.elf" healthy "" "Two objects with the same COMDAT groups: the FDEs of the discarded copies are gone."
  produce mold "$dir/partial.o" -r "$gas/main.o" "$gas/frames.o"
  keep "$dir/partial.o" healthy "" "mold -r of two objects: merged, with a relocation for each FDE."
  produce mold "$dir/libprovider.so" "${small[@]}" -shared -soname libprovider.so "obj/$gas/provider.o"
  keep "$dir/libprovider.so" healthy "20" "A shared object that calls through its PLT, for which mold makes no FDE."
  produce mold "$dir/pie.elf" "${small[@]}" -pie -e main --dynamic-linker /lib/ld.so.1 "obj/$gas/caller.o" "$dir/libprovider.so"
  keep "$dir/pie.elf" healthy "20" "A position-independent program that calls a shared object; its PLT has no FDE."
  produce mold "$dir/aarch64.elf" "${small[@]}" -e main "$aarch/main.o" "$aarch/frames.o"
  keep "$dir/aarch64.elf" healthy "" "A static AArch64 program of two objects."
  produce mold "$dir/dropped-v2.elf" "${small[@]}" -e leaf files/binutils-2.44/amd64/frames.o
  keep "$dir/dropped-v2.elf" faulty "8" "The input has a version 2 section, the output none: mold drops what it cannot merge without a word." '' amd64 ''
}
