# llvm-mc 23, which emits version 2 with errata 1, and linkers on its objects.

build_llvm() {
  local dir=files/llvm-23/amd64
  llvm_object amd64 frames
  keep "$dir/frames.o" healthy "" "Leaf functions, frame pointers, pushes and large frames: version 2 with PCREL."
  llvm_object amd64 main
  keep "$dir/main.o" healthy "" "One function that calls into another object."
  llvm_object amd64 start
  keep "$dir/start.o" faulty "25" "The CFI leaves the return address undefined, the FRE has plain rules."
  llvm_object amd64 reloffset
  keep "$dir/reloffset.o" faulty "" "The offset of .cfi_rel_offset becomes one from the CFA: FP at CFA+104 instead of CFA-40, as .eh_frame says."
  llvm_object amd64 flexible
  keep "$dir/flexible.o" faulty "26" "Four functions are left out; \"parked\" is not, and its one FRE says nothing of the register that rbp moved to."
  llvm_object amd64 signal
  keep "$dir/signal.o" healthy "26" "One signal frame is left out, the other has plain rows and no mark."
  llvm_object amd64 zerosize
  keep "$dir/zerosize.o" healthy "" "llvm-mc makes no FDE for a function of size 0."
  llvm_object amd64 lastrow
  keep "$dir/lastrow.o" faulty "1" "CFI after the last instruction: the last FRE starts where the function ends."
  llvm_object amd64 repeats
  keep "$dir/repeats.o" healthy "" "CFI that repeats itself: compare the FREs with those of gas."
  llvm_object amd64 sections
  keep "$dir/sections.o" faulty "30" "A section for each function, one of them not executable."
  llvm_object amd64 program
  keep "$dir/program.o" healthy "26" "Compiled C; the function with the realigned stack is left out."
  llvm_object amd64 wide --defsym HUGE=0
  keep "$dir/wide.o" healthy "" "FREs of type ADDR2."
  llvm_object amd64 huge --defsym HUGE=1
  keep "$dir/huge.o" healthy "" "FREs of type ADDR4."
  llvm_comdat

  llvm_object aarch64 frames aarch64-linux-gnu
  keep files/llvm-23/aarch64/frames.o faulty "29" "Every function is left out: num_fdes is 0 beside a full .eh_frame." '' aarch64 2
  llvm_object aarch64-be frames aarch64_be-linux-gnu
  keep files/llvm-23/aarch64-be/frames.o faulty "29" "The same in big-endian order." '' aarch64-be 2

  llvm_links
}

# llvm_object ABI NAME [TRIPLE] [ARG...]
llvm_object() {
  local abi=$1 name=$2 source triple=x86_64-linux-gnu
  shift 2
  case ${1:-} in *-linux-gnu) triple=$1 && shift ;; esac
  source=src/${abi%-be}/$name.s
  case $name in huge) source=src/amd64/wide.s ;; comdat-*) source=src/amd64/comdat.s ;; esac
  produce llvm-mc "files/llvm-23/$abi/$name.o" --triple "$triple" --filetype=obj --gsframe "$@" "$source"
}

llvm_comdat() {
  local dir=files/llvm-23/amd64
  llvm_object amd64 comdat-0 --defsym WHO=0
  keep "$dir/comdat-0.o" healthy "" "Two inline functions in COMDAT groups and one outside."
  llvm_object amd64 comdat-1 --defsym WHO=1
  keep "$dir/comdat-1.o" healthy "17" "The same COMDAT groups as in comdat-0.o: relocations of .sframe refer to code that a link discards."
}

llvm_links() {
  local dir=files/llvm-23/linked llvm=files/llvm-23/amd64
  use trixie x86_64
  produce ld "$dir/ld-2.44.elf" "${small[@]}" -e main "$llvm/main.o" "$llvm/frames.o"
  keep "$dir/ld-2.44.elf" faulty "13" "ld 2.44 does not accept the PCREL flag, says that no .sframe will be created, and puts the two sections in a row, segment included."
  use sid x86_64
  produce ld "$dir/ld-2.47.elf" "${small[@]}" -e main "$llvm/main.o" "$llvm/frames.o"
  keep "$dir/ld-2.47.elf" faulty "12" "ld 2.47 says that it ignores sections of version 2 and leaves one of size 0." '' amd64 ''
  produce ld.lld "$dir/lld-single.elf" "${small[@]}" -e leaf "$llvm/frames.o"
  keep "$dir/lld-single.elf" faulty "" "One version 2 section with PCREL, passed through by lld: right, though not sorted by anyone, but no segment leads to it."
  produce ld.lld "$dir/lld-concatenated.elf" "${small[@]}" -e main "$llvm/main.o" "$llvm/frames.o"
  keep "$dir/lld-concatenated.elf" faulty "13" "Two version 2 sections with PCREL in a row."
}
