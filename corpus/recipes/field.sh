# Files as kernels, rewriters and options of linkers make them.

build_field() {
  field_kernel
  field_modules
  field_two_sections
  field_rewriters
  field_eh_frame
  field_relocations
  field_readings
}

field_kernel() {
  local dir=files/field gas=files/binutils-2.47/aarch64 amd64=files/binutils-2.47/amd64
  use sid x86_64
  produce as obj/field/kernel.o src/field/kernel.s
  produce ld "$dir/vmlinux.elf" -T src/field/vmlinux.ld -e main "$amd64/main.o" "$amd64/frames.o"
  keep "$dir/vmlinux.elf" healthy "" "The image of a kernel: symbols bound .sframe, and there is no PT_GNU_SFRAME."
  produce ld obj/field/vmlinux -T src/field/vmlinux.ld -e main "$amd64/main.o" "$amd64/frames.o" obj/field/kernel.o
  produce objcopy "$dir/vmlinux-stripped.elf" --strip-all obj/field/vmlinux %
  keep "$dir/vmlinux-stripped.elf" healthy "" "The same with an exported symbol, and without symbols: the section __ksymtab is left."
  use trixie aarch64
  produce objcopy "$dir/prefixed-v2.o" --prefix-alloc-sections=.init files/binutils-2.44/aarch64/main.o %
  keep "$dir/prefixed-v2.o" faulty "11" "The same of version 2: .init.sframe is SHT_PROGBITS, and the magic number shows what it is." '' aarch64 2
  use sid aarch64
  produce objcopy "$dir/prefixed.o" --prefix-alloc-sections=.init "$gas/main.o" %
  keep "$dir/prefixed.o" healthy "" "An object of position-independent start code, with a prefix before the names of its sections." '' aarch64 3
  produce as obj/field/kernel-aarch64.o src/field/kernel.s
  produce ld "$dir/vmlinux-pi.elf" -T src/field/vmlinux.ld -e main "$dir/prefixed.o" "$gas/frames.o" obj/field/kernel-aarch64.o
  keep "$dir/vmlinux-pi.elf" faulty "" "The image of a kernel with such an object: .init.sframe stands beside the section that the symbols bound."
}

field_modules() {
  local dir=files/field amd64=files/binutils-2.47/amd64
  use sid x86_64
  produce as obj/field/module.o src/field/module.s
  produce as obj/field/livepatch.o src/field/livepatch.s
  produce as obj/field/helper.o src/field/helper.s
  produce ld "$dir/module.ko" -r "$amd64/main.o" "$amd64/frames.o" obj/field/module.o
  keep "$dir/module.ko" healthy "" "A module of the kernel: SORTED is clear, as the loader sorts the FDEs."
  produce ld "$dir/module-lost.ko" -r "$amd64/main.o" obj/field/helper.o "$amd64/frames.o" obj/field/module.o
  keep "$dir/module-lost.ko" faulty "" "A module with a function that has CFI and no FDE."
  produce ld "$dir/livepatch-lost.ko" -r "$amd64/main.o" obj/field/helper.o obj/field/livepatch.o
  keep "$dir/livepatch-lost.ko" faulty "" "A live patch with a function that has CFI and no FDE."
  mkdir -p files/other
  produce objcopy files/other/renamed.ko --rename-section .sframe=.data.frames,alloc,load,contents,readonly,data "$dir/module.ko" %
  keep files/other/renamed.ko healthy "" "SFrame data in a section of another name and type: only --section .data.frames finds them." '' amd64 ''
  produce as obj/field/cold.o --gsframe-3 src/field/cold.s
  produce ld "$dir/cold.ko" -r obj/field/cold.o obj/field/module.o
  keep "$dir/cold.ko" faulty "" "A module with a .cold part of GCC: the assembler restores rbp to the slot at the start of the part."
  produce ld "$dir/object-lost.o" -r "$amd64/main.o" obj/field/helper.o
  keep "$dir/object-lost.o" faulty "" "The same in an object that nothing marks as a part of a kernel."
}

field_two_sections() {
  local dir=files/field
  use sid aarch64
  produce ld "$dir/segment-second.elf" -T src/field/segment-second.ld -e main "$dir/prefixed.o" files/binutils-2.47/aarch64/frames.o
  keep "$dir/segment-second.elf" faulty "" "Two SFrame sections; PT_GNU_SFRAME shows the one at the higher address."
}

field_rewriters() {
  local dir=files/field amd64=files/binutils-2.47/amd64 name
  use sid x86_64
  produce ld "$dir/discarded.elf" "${small[@]}" --discard-sframe -e main "$amd64/main.o" "$amd64/frames.o"
  keep "$dir/discarded.elf" healthy "12" "ld --discard-sframe leaves a section of size 0." '' amd64 ''
  produce objcopy obj/field/org.o --prefix-alloc-sections=.bolt.org "$amd64/frames.o" %
  produce as obj/field/new.o src/amd64/frames.s
  produce as obj/field/bolted.o src/field/bolted.s
  produce objcopy obj/field/old.o --prefix-symbols=old_ obj/field/org.o %
  produce ld "$dir/bolted.elf" -T src/field/bolted.ld --retain-symbols-file src/field/bolted.symbols -e leaf obj/field/old.o obj/field/new.o obj/field/bolted.o
  keep "$dir/bolted.elf" faulty "" "The sections of a program after llvm-bolt: .sframe describes the old code, .text has no FDE."
}

# For a reader of .eh_frame by .eh_frame_hdr.
field_eh_frame() {
  local dir=files/field name of=obj/field/eh-frame
  use sid x86_64
  produce as "$of.o" --gsframe-3 src/field/eh-frame.s
  for name in refused nested unsorted; do
    produce as "$of-$name.o" --gsframe-3 "src/field/eh-frame-$name.s"
  done
  produce ld "$dir/eh-frame.elf" "${small[@]}" --eh-frame-hdr -e leaf "$of.o"
  keep "$dir/eh-frame.elf" healthy "" "CFI without expressions, with a header for it."
  produce ld "$dir/eh-frame-refused.elf" "${small[@]}" --eh-frame-hdr -e leaf "$of.o" "$of-refused.o"
  keep "$dir/eh-frame-refused.elf" faulty "" "CFI with an expression and a signal frame: the kernel series for .eh_frame follows neither function. FP is said to be at rbp one instruction early."
  produce ld "$dir/eh-frame-nested.elf" "${small[@]}" --eh-frame-hdr -e leaf "$of.o" "$of-nested.o"
  keep "$dir/eh-frame-nested.elf" faulty "" "CFI that remembers two states at a time: the same series gives up the file."
  produce ld "$dir/eh-frame-unsorted.elf" "${small[@]}" -e leaf "$of-unsorted.o" "$of.o"
  keep "$dir/eh-frame-unsorted.elf" healthy "" "A header of .eh_frame whose entries descend."
}

field_relocations() {
  local dir=files/field symbols
  use sid x86_64
  for symbols in all none; do
    produce as "$dir/reloc-$symbols.o" --gsframe "--reloc-section-sym=$symbols" src/amd64/frames.s
    keep "$dir/reloc-$symbols.o" healthy "" "as --reloc-section-sym=$symbols: the symbols to which the relocations refer."
  done
  produce ld "$dir/reloc-none.elf" "${small[@]}" -e leaf "$dir/reloc-none.o"
  keep "$dir/reloc-none.elf" healthy "" "A link of an object whose relocations refer to a symbol of each function."
}

# Sections of writers that read the format otherwise, and of another format with the same type.
field_readings() {
  local dir=files/field
  use sid x86_64
  produce as "$dir/base-bit-inverted.o" src/field/base-bit-inverted.s
  keep "$dir/base-bit-inverted.o" faulty "" "A section of version 2 as OxCaml writes it: bit 0 of the info byte of FREs is 0 for SP." '' '' 2
  produce as "$dir/entries-of-21-bytes.o" src/field/entries-of-21-bytes.s
  keep "$dir/entries-of-21-bytes.o" faulty "" "A section of version 3 as OxCaml writes it: the attribute follows each index entry." '' '' 3
  produce as "$dir/dof.o" src/field/dof.s
  keep "$dir/dof.o" healthy "" "A section of type SHT_SUNW_dof, which has the number of SHT_GNU_SFRAME, as DTrace writes it." '' none
}
