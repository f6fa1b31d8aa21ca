# What programs that rewrite files make of an SFrame section, its segment and the addresses.

build_rewriters() {
  local dir=files/rewritten pie=files/binutils-2.47/amd64/pie.elf
  rewriters_of_gnu
  rewriters_of_llvm
  rewriters_bolt
  produce eu-strip "$dir/eu-strip.elf" "$pie"
  keep "$dir/eu-strip.elf" healthy "9" "eu-strip: section, segment and addresses are kept."
  produce eu-strip "$dir/eu-strip.debug" -f % -o obj/rewritten/eu-strip "$pie"
  keep "$dir/eu-strip.debug" healthy "" "eu-strip -f, the debug file: .sframe has no bytes." '' amd64 ''
  produce eu-strip "$dir/eu-strip-sections.elf" --strip-sections "$pie"
  keep "$dir/eu-strip-sections.elf" healthy "9" "eu-strip --strip-sections: no header of a section is left, and the segment shows the data." '' '' 3
  produce patchelf "$dir/patchelf.elf" --output % --set-rpath /opt/lib "$pie"
  keep "$dir/patchelf.elf" healthy "9" "patchelf --set-rpath: section, segment and addresses are kept."
  produce dwz "$dir/dwz.elf" files/lines/linked.elf
  keep "$dir/dwz.elf" faulty "" "dwz, on a program whose CFI is wrong: section, segment and addresses are kept."
  use sid x86_64
  produce as obj/rewritten/padding.o src/amd64/padding.s
  produce ld obj/rewritten/padded "${small[@]}" -e main files/binutils-2.47/amd64/main.o files/binutils-2.47/amd64/frames.o obj/rewritten/padding.o
  produce upx "$dir/upx.elf" obj/rewritten/padded
  keep "$dir/upx.elf" healthy "" "UPX packs a program: neither section nor segment is left in the file. upx -d writes the same program again." '' amd64 ''
}

rewriters_of_gnu() {
  local dir=files/rewritten pie=files/binutils-2.47/amd64/pie.elf generation
  for generation in bookworm-2.40 trixie-2.44 sid-2.47; do
    use "${generation%-*}" x86_64
    produce strip "$dir/strip-${generation#*-}.elf" "$pie"
    keep "$dir/strip-${generation#*-}.elf" healthy "" "strip ${generation#*-}: section and addresses are kept, and the segment becomes as large as the section."
  done
  use sid x86_64
  produce objcopy "$dir/objcopy.debug" --only-keep-debug "$pie" %
  keep "$dir/objcopy.debug" healthy "" "objcopy --only-keep-debug: .sframe has no bytes." '' amd64 ''
  produce objcopy "$dir/objcopy-remove.elf" --remove-section .sframe "$pie" %
  keep "$dir/objcopy-remove.elf" faulty "" "objcopy --remove-section .sframe: the segment stays, with size 0." '' amd64 ''
  produce objcopy "$dir/objcopy-rename.elf" --rename-section .sframe=.sframe.old "$pie" %
  keep "$dir/objcopy-rename.elf" healthy "" "objcopy --rename-section: the section has another name, and its type and segment." '' '' 3
  produce objcopy "$dir/objcopy-prefix.elf" --prefix-alloc-sections=.x "$pie" %
  keep "$dir/objcopy-prefix.elf" healthy "" "objcopy --prefix-alloc-sections: all sections have other names, .x.sframe among them." '' '' 3
  produce objcopy "$dir/objcopy-addresses.elf" --change-addresses=0x1000 "$pie" %
  keep "$dir/objcopy-addresses.elf" healthy "" "objcopy --change-addresses, as prelink: all addresses move together."
  produce objcopy "$dir/objcopy-text-address.elf" --change-section-address .text+0x1000 "$pie" %
  keep "$dir/objcopy-text-address.elf" faulty "" "objcopy --change-section-address: .text moves away from what its FDEs say."
}

rewriters_of_llvm() {
  local dir=files/rewritten pie=files/binutils-2.47/amd64/pie.elf
  produce llvm-objcopy "$dir/llvm-strip.elf" --strip-all "$pie" %
  keep "$dir/llvm-strip.elf" healthy "9" "llvm-objcopy --strip-all: section, segment and addresses are kept."
  produce llvm-objcopy "$dir/llvm-debug.debug" --only-keep-debug "$pie" %
  keep "$dir/llvm-debug.debug" healthy "" "llvm-objcopy --only-keep-debug: .sframe has no bytes." '' amd64 ''
  produce llvm-objcopy "$dir/llvm-remove.elf" --remove-section .sframe "$pie" %
  keep "$dir/llvm-remove.elf" faulty "" "llvm-objcopy --remove-section .sframe: the segment stays, with its size." '' amd64 ''
  produce llvm-objcopy "$dir/llvm-sections.elf" --strip-sections "$pie" %
  keep "$dir/llvm-sections.elf" healthy "9" "llvm-objcopy --strip-sections: no header of a section is left, and the segment shows the data." '' '' 3
}

rewriters_bolt() {
  local dir=files/rewritten
  use sid x86_64
  produce as obj/rewritten/bolt.o --gsframe src/amd64/bolt.s
  produce ld obj/rewritten/in-place "${small[@]}" obj/rewritten/bolt.o
  produce llvm-bolt "$dir/bolt-in-place.elf" obj/rewritten/in-place --no-huge-pages
  keep "$dir/bolt-in-place.elf" faulty "" "llvm-bolt on a program linked without --emit-relocs: the code changes in place, and .sframe describes the old one."
  produce ld obj/rewritten/moved "${small[@]}" --emit-relocs obj/rewritten/bolt.o
  produce llvm-bolt "$dir/bolt-moved.elf" obj/rewritten/moved --no-huge-pages
  keep "$dir/bolt-moved.elf" faulty "" "llvm-bolt on a program linked with --emit-relocs: the code moves, and .sframe describes the old copy."
}
