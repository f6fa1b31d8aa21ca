# Sections written by hand, byte for byte: what no tool emits, and one fault a file.

sections=src/hand/sections.txtar whole_files=src/hand/elf/files.txtar

build_hand() {
  local name
  use sid x86_64
  for name in $(entries $sections); do hand_section "$name"; done
  for name in $(entries $whole_files); do hand_file "$name"; done
  hand_objects
  hand_containers
}

# entries FILE: the names of the entries of a txtar file.
entries() { awk '/^-- .* --$/ { print $2 }' "$1"; }

# tag FILE ENTRY NAME: what the comment "# NAME: ..." of an entry says.
tag() { awk -v entry="$2" '/^-- .* --$/ { here = $2 == entry; next } here' "$1" | sed -n "s/^# $3: //p"; }

# hand_bytes FILE ENTRY OUT: writes the bytes of an entry.
hand_bytes() {
  mkdir -p files/hand
  printf %b "$(awk -f src/hand/bytes.awk "$1" "$2")" > "$3"
  made_by[$3]="printf %b \"\$(awk -f src/hand/bytes.awk $1 $2)\" > $3"
  sources_of[$3]=$1 producer_of[$3]=hand version_of[$3]=''
}

hand_section() {
  local name=$1 out=files/hand/$1.sframe about abi sframe state bugs elf
  about=$(tag $sections "$name" about) abi=$(tag $sections "$name" abi) sframe=$(tag $sections "$name" version)
  state=$(tag $sections "$name" state) bugs=$(tag $sections "$name" 'known bugs') elf=$(tag $sections "$name" elf)
  hand_bytes $sections "$name" "$out"
  keep "$out" "$state" "$bugs" "$about" 0x2000 "$abi" "$sframe"
  [ -z "$elf" ] || hand_program "$name" "$elf" "$state" "$bugs" "$about" wrap "$name"
}

# hand_file NAME: a whole file instead of a section.
hand_file() {
  local from=$whole_files name=$1 out
  out=files/hand/$name.$(tag $from "$name" suffix)
  hand_bytes $from "$name" "$out"
  keep "$out" "$(tag $from "$name" state)" "$(tag $from "$name" 'known bugs')" "$(tag $from "$name" about)" '' "$(tag $from "$name" abi)" "$(tag $from "$name" version)"
}

# hand_program SECTION ABI STATE BUGS ABOUT SCRIPT NAME [SOURCE]: the section in a program
# whose code is at the addresses that it gives, and what SOURCE has besides.
hand_program() {
  local section=$1 abi=$2 out=files/hand/$7.elf endian=()
  case $abi in aarch64) endian=(-EL) ;; aarch64-be) endian=(-EB) ;; esac
  use sid "$(hand_arch "$abi")"
  hand_include "$section"
  produce as "obj/hand/$7.o" "${endian[@]}" -I "obj/hand/$section" "src/hand/text-${abi%-be}.s" ${8:+"$8"}
  sources_of["obj/hand/$7.o"]+=" ${sources_of[files/hand/$section.sframe]}"
  produce ld.lld "$out" -z max-page-size=4096 -e leaf -T "src/hand/$6.ld" "obj/hand/$7.o"
  keep "$out" "$3" "$4" "$5" '' "$(tag $sections "$section" abi)" "$(tag $sections "$section" version)"
}

hand_arch() { case $1 in amd64) echo x86_64 ;; aarch64*) echo aarch64 ;; *) echo "$1" ;; esac; }

# hand_include SECTION: makes it the section.bin of a directory of its own.
hand_include() {
  mkdir -p "obj/hand/$1"
  cp "files/hand/$1.sframe" "obj/hand/$1/section.bin"
  made_by[obj/hand/$1]="${made_by[files/hand/$1.sframe]}"$'\n'"cp files/hand/$1.sframe obj/hand/$1/section.bin"
}

# hand_object NAME SECTION STATE BUGS ABOUT [ARG...]: an object of src/hand/elf/NAME.s, or
# of alone.s where nothing but the command line sets it apart.
hand_object() {
  local out=files/hand/$1.o section=$2 state=$3 bugs=$4 about=$5 source=src/hand/elf/${1#reloc-}.s
  [ -e "$source" ] || source=src/hand/elf/alone.s
  shift 5
  use sid x86_64
  hand_include "$section"
  produce as "$out" "$@" -I "obj/hand/$section" -I src/hand/elf "$source"
  if grep -q 'include.*text.inc' "$source"; then sources_of[$out]+=" src/hand/elf/text.inc"; fi
  sources_of[$out]+=" ${sources_of[files/hand/$section.sframe]}"
  keep "$out" "$state" "$bugs" "$about"
}

# The relocations of an object against its FDEs.
hand_objects() {
  local base=v3-amd64-unsorted-flag
  hand_object reloc-relocated $base healthy '' "An object with a relocation for every FDE, in their order."
  hand_object reloc-missing $base faulty '' "An FDE without a relocation."
  hand_object reloc-order $base faulty 6 "The relocations of two FDEs have changed places in the relocation table."
  hand_object reloc-double $base faulty '' "Two relocations for one start field."
  hand_object reloc-misplaced $base faulty '' "A relocation four bytes after the start field it is meant for."
  hand_object reloc-absolute $base faulty '' "R_X86_64_64 on a start field: an address instead of a distance."
  hand_object reloc-narrow $base faulty '' "R_X86_64_PC32 on a start field of 64 bits."
  hand_object reloc-none $base faulty 5 "R_X86_64_NONE on a start field."
  hand_object reloc-none-beside $base faulty 5 "R_X86_64_NONE beside the relocation of a start field, which is known nevertheless."
  hand_object reloc-stale $base faulty 3 "A relocation that writes into the FREs."
  hand_object reloc-undefined $base faulty '' "A start in a function that the object does not define."
  hand_object reloc-sorted v3-amd64 faulty 4 "SORTED in an object whose starts await their relocations."
}

# What is around the section, rather than in it.
hand_containers() {
  local base=v3-amd64
  hand_object progbits $base faulty 11 "Version 3 in a section of type SHT_PROGBITS."
  hand_object not-allocated $base faulty '' "The section lacks SHF_ALLOC."
  hand_object nobits $base faulty '' "The section is SHT_NOBITS: 200 bytes of nothing."
  hand_object twice $base faulty '' "Two sections named .sframe in one object."
  hand_object short $base faulty '' "A section of 8 bytes, shorter than a header."
  hand_object i386 $base faulty 16 "An AMD64 section in an ELF32 object for i386." --32
  hand_object x32 $base faulty '' "An AMD64 section in an ELF32 object for x32." --x32
  hand_object machine v3-aarch64 faulty 16 "An AArch64 section in an object for x86-64."
  hand_object byte-order v3-aarch64-be faulty 16 "A big-endian section in a little-endian object."
  hand_program $base amd64 faulty '' "PT_GNU_SFRAME covers the code instead of the section." wrap-apart segment-elsewhere
  hand_program $base amd64 faulty '' "Two PT_GNU_SFRAME segments for one section." wrap-twice segment-twice
  hand_program $base amd64 faulty '' "PT_GNU_SFRAME covers the section, but no PT_LOAD does." wrap-unloaded segment-unloaded
  hand_program $base amd64 faulty '' "PT_GNU_SFRAME without a section." wrap-forgotten segment-forgotten
  hand_program $base amd64 faulty '' "Two sections of type SHT_GNU_SFRAME in a program." wrap-sections sections src/hand/elf/sections.s
  hand_program v3-aarch64-be aarch64 faulty '' "A big-endian section in a little-endian AArch64 program." wrap byte-order-aarch64
  hand_program v2-amd64-pcrel-unmeant amd64 faulty 7 "As v2-amd64-pcrel-unmeant, with code all around: only the symbols tell that the flag is wrong." wrap pcrel-by-symbols src/hand/elf/tail.s
  hand_cfi
  hand_unheaded
  hand_return
}

# Call frame information that does not agree with the section.
hand_cfi() {
  hand_program v3-amd64 amd64 faulty '' "By .eh_frame six functions have other rules or ends; its last instruction does not exist, and it lacks a function." wrap-cfi cfi-contradicts src/hand/elf/cfi-amd64.s
  hand_program v3-aarch64 aarch64 faulty '' "By .eh_frame the return address is signed later, and with another key." wrap-cfi cfi-signed src/hand/elf/cfi-aarch64.s
  hand_program v3-amd64-fde-missing amd64 faulty '' "By .eh_frame there is a function between two others, for which the section has no FDE." wrap-cfi cfi-dropped src/hand/elf/cfi-dropped.s
  hand_program v3-amd64-fde-missing amd64 faulty '' "By .eh_frame and the symbols there are two functions between two others of the same input, for which the section has no FDE." wrap-cfi cfi-lost src/hand/elf/cfi-lost.s
}

# An assembler writes what the CFI says, right or wrong.
hand_return() {
  hand_gas x86_64 return-state "The FRE that covers the return instruction still has the state after a push."
  hand_gas x86_64 fp-beside-slot "By the FRE FP points 8 bytes from its saved value: the assembler kept an old CFA offset."
  hand_gas aarch64 fp-beside-record "By the FRE FP points beside the frame record: the assembler kept an old CFA offset."
  hand_gas x86_64 returns-rowless "An FDE without FREs, an outermost frame, of a function that returns: the assembler writes it for .cfi_startproc simple without CFI."
  hand_gas aarch64 signing "The code signs the return address; neither the FREs nor the CFI say so."
  hand_gas aarch64 signing-key "The code signs the return address with key B; the FDE and the CFI say key A."
  hand_gas aarch64 signed-entry "The return address is signed on entry, by an FRE that has no CFI beside it."
}

# hand_gas ARCH NAME ABOUT: what the assembler makes of src/hand/elf/NAME.s.
hand_gas() {
  local out=files/hand/$2.o
  use sid "$1"
  produce as "$out" --gsframe "src/hand/elf/$2.s"
  keep "$out" faulty '' "$3"
}

# The section headers are gone: what is left is the segment.
hand_unheaded() {
  use sid x86_64
  produce objcopy files/hand/segment-alone.elf --strip-section-headers files/hand/v3-amd64.elf %
  keep files/hand/segment-alone.elf healthy '' "A program without section headers: only PT_GNU_SFRAME leads to the bytes." '' amd64 3
}
