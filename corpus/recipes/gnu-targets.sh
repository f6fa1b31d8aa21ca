# What only one target of GNU as and ld is used for.

gnu_amd64() {
  amd64_odd_objects
  amd64_comdat
  amd64_collected
  amd64_plt
  amd64_tlsdesc
  if since 2.47; then gnu_lost_plt; fi
  amd64_layout
}

amd64_odd_objects() {
  gas zerosize.o zerosize.s
  keep "$dir/zerosize.o" faulty "$old 2" "A function of size 0 between two others has an FDE."
  gnuld zerosize.elf -e before "$dir/zerosize.o"
  keep "$dir/zerosize.elf" faulty "$old 2" "An FDE of size 0 and the next function's start at one address, under SORTED."
  gas zerolast.o zerosize.s --defsym LAST=1
  keep "$dir/zerolast.o" faulty "$old 2" "A function of size 0 at the end of its section has an FDE."

  if ! since 2.47; then
    gas args-size.o args-size.s
    keep "$dir/args-size.o" faulty "$old 26" "A function with DW_CFA_GNU_args_size between two others has no FDE."
  fi

  gas lastrow.o lastrow.s
  keep "$dir/lastrow.o" faulty "$old 1" "CFI after the last instruction: the last FRE starts where the function ends."
  if since 2.47; then # ld 2.40 and 2.44 abort on an assertion here
    gnuld lastrow.elf -e ends_in_call "$dir/lastrow.o"
    keep "$dir/lastrow.elf" faulty "1" "A linked function whose last FRE starts where it ends."
  fi

  if since 2.47; then
    gas unusual.o unusual.s
    keep "$dir/unusual.o" healthy "" "An interrupt handler with an error code, a return to another frame, a symbol over two procedures and one over data: only the CFI shows that all is right."
    gas arithmetic.o arithmetic.s
    keep "$dir/arithmetic.o" faulty "" "CFI with the wrong sign at an epilogue, as in OpenSSL's x25519-x86_64.s."
  fi

  gas repeats.o repeats.s
  keep "$dir/repeats.o" healthy "$old 28" "CFI that repeats itself: four FREs in a row say the same."

  gas empty.o empty.s
  keep "$dir/empty.o" healthy "" "Data alone: gas makes no .sframe section although it was asked to." '' amd64 ''
  produce as "$dir/placeholder.o" "$src/placeholder.s"
  keep "$dir/placeholder.o" faulty "${old:+11 }12" "An .sframe section of size 0."

  gas huge.o wide.s --defsym HUGE=1
  keep "$dir/huge.o" healthy "$old" "A function of more than 65535 bytes: FRE starts of four bytes (ADDR4)."
  if since 2.47; then
    gas manyrows.o manyrows.s
    keep "$dir/manyrows.o" healthy "23" "A function of more than 65535 rows, which version 3 cannot count: gas leaves it out. There is no .eh_frame."
  fi
  gas far.o far.s
  keep "$dir/far.o" healthy "$old" "A function in a section that can be placed far from the rest."
}

amd64_comdat() {
  gas comdat-0.o comdat.s --defsym WHO=0
  keep "$dir/comdat-0.o" healthy "$old" "Two inline functions in COMDAT groups and one outside."
  gas comdat-1.o comdat.s --defsym WHO=1
  keep "$dir/comdat-1.o" healthy "$old" "The same COMDAT groups as in comdat-0.o: a link discards these."
  gnuld comdat.elf -e main "$dir/comdat-0.o" "$dir/comdat-1.o"
  keep "$dir/comdat.elf" healthy "$merged" "A program of two objects with the same COMDAT groups: the FDEs of the discarded copies are gone."
  gnuld comdat-partial.o -r "$dir/comdat-0.o" "$dir/comdat-1.o"
  if since 2.47; then
    keep "$dir/comdat-partial.o" healthy "" "ld -r that discards COMDAT groups: their FDEs and relocations are gone."
  else
    keep "$dir/comdat-partial.o" faulty "$old 3 4 5 10" \
      "ld -r that discards COMDAT groups: 6 relocations for 4 FDEs, two of them R_X86_64_NONE where the dead FDEs were."
  fi
}

amd64_collected() {
  gnuld collected.elf -e main --gc-sections "$dir/main.o" "$dir/frames.o" "$dir/sections.o"
  if since 2.47; then
    keep "$dir/collected.elf" healthy "$merged" "--gc-sections dropped all of sections.o, and its FDEs with it."
  else
    keep "$dir/collected.elf" faulty "8" "--gc-sections dropped the whole .sframe section that main.o and frames.o still need." '' amd64 ''
  fi
}

amd64_plt() {
  produce as "obj/$dir/taker.o" --gsframe "$src/taker.s"
  gnuld pltgot.elf -pie -e main --dynamic-linker /lib/ld.so.1 "obj/$dir/taker.o" "$dir/libprovider.so"
  if since 2.44; then
    keep "$dir/pltgot.elf" faulty "$merged" "The FDE of .plt.got states CFA = sp+16; the stub pushes nothing, and .eh_frame says rsp+8."
  else
    keep "$dir/pltgot.elf" healthy "$merged 20" "A .plt.got beside .plt: no FDE covers it."
    gnuld ibtplt.elf -pie -z ibtplt -e main --dynamic-linker /lib/ld.so.1 "obj/$dir/taker.o" "$dir/libprovider.so"
    keep "$dir/ibtplt.elf" faulty "$merged" "The FDEs of .plt.sec describe its first stub as the one of .plt that calls the resolver."
  fi
}

amd64_tlsdesc() {
  since 2.47 || return 0
  produce as "obj/$dir/tlsdesc.o" --gsframe "$src/tlsdesc.s"
  gnuld tlsdesc.so -shared -z lazy "obj/$dir/tlsdesc.o"
  keep "$dir/tlsdesc.so" faulty "$merged" "The FRE of .plt states rsp+8 after the push of the stub for lazy TLSDESC; so does .eh_frame."
}

# The linker's own FDEs of a PLT are lost.
gnu_lost_plt() {
  gnuld lost-plt.elf -pie --gc-sections -e main --dynamic-linker /lib/ld.so.1 "obj/$dir/caller.o" "$dir/frames.o" \
    "$dir/libprovider.so"
  keep "$dir/lost-plt.elf" faulty "$merged 20" "--gc-sections dropped the FDEs that the linker makes for its PLT."
}

amd64_layout() {
  gnuld sections.elf -e hot "$dir/sections.o"
  keep "$dir/sections.elf" faulty "$old 30" "Code of .init.text, and of .rodata.text that lies in read-only data outside every executable section."
  if since 2.47; then
    gnuld far.elf -e main --section-start=.far_text=0x300000000 "$dir/main.o" "$dir/frames.o" "$dir/far.o"
    keep "$dir/far.elf" healthy "$merged" "A function some 12 GiB from the section: its start needs more than 32 bits."
  else
    gnuld far.elf -e main --section-start=.far_text=0x7ffff000 "$dir/main.o" "$dir/frames.o" "$dir/far.o"
    keep "$dir/far.elf" healthy "$merged 22" "A function just short of 2 GiB from the section: near the limit of its 32-bit start."
  fi
}

gnu_aarch64() {
  gas unusual.o unusual.s
  keep "$dir/unusual.o" healthy "$old" "Functions that begin with instructions to be patched: FDE and CFI start after them."
  gas pauth.o pauth.s
  keep "$dir/pauth.o" healthy "$old" "Signed return addresses, with key A and key B (.cfi_b_key_frame), in part of the rows."
  gas comdat-0.o comdat.s --defsym WHO=0
  keep "$dir/comdat-0.o" healthy "$old" "An inline function in a COMDAT group and one outside."
  gas comdat-1.o comdat.s --defsym WHO=1
  keep "$dir/comdat-1.o" healthy "$old" "The same COMDAT group as in comdat-0.o: a link discards this one."
  gnuld comdat-partial.o -r "$dir/comdat-0.o" "$dir/comdat-1.o"
  if since 2.47; then
    keep "$dir/comdat-partial.o" healthy "" "ld -r that discards a COMDAT group: its FDE and relocation are gone."
    gas huge.o wide.s --defsym HUGE=1
    keep "$dir/huge.o" healthy "$old" "A function of more than 65535 bytes: FRE starts of four bytes (ADDR4)."
  else
    keep "$dir/comdat-partial.o" faulty "$old 3 4 5 10" "ld -r that discards a COMDAT group: an R_AARCH64_NONE stays where the dead FDE was."
  fi
  gnuld pauth.elf -e signed_a "$dir/pauth.o"
  keep "$dir/pauth.elf" healthy "$old" "A static program with signed return addresses."
  gas erratum.o erratum.s
  keep "$dir/erratum.o" healthy "$old" "A multiplication that a linker moves to a veneer, to avoid an erratum."
  gnuld erratum.elf --fix-cortex-a53-835769 -e scale "$dir/erratum.o"
  keep "$dir/erratum.elf" faulty "$old" "A static program with a veneer that avoids an erratum: no FDE covers the moved instruction."
}

gnu_s390x() {
  gnu_lost_plt
  produce as "obj/$dir/init.o" "$src/init.s"
  gnuld init-first.elf -pie -e main --dynamic-linker /lib/ld.so.1 "obj/$dir/init.o" "obj/$dir/caller.o" "$dir/frames.o" \
    "$dir/libprovider.so"
  keep "$dir/init-first.elf" faulty "$merged 20" "The first object has no SFrame data, as crti.o, and the linker makes no FDE for its PLT."
  gas unusual.o unusual.s
  keep "$dir/unusual.o" healthy "" "Functions that begin with instructions to be patched: FDE and CFI start after them."
  gas registers.o registers.s
  keep "$dir/registers.o" healthy "" "Flexible FDEs: FP and RA in floating-point registers, RA in r0; and FP on the stack after a padding word for the unsaved RA."
  gas far-cfa.o far-cfa.s
  keep "$dir/far-cfa.o" faulty "" "The CFA is more than 2^31 bytes away: the word has an eighth of that."
  gnuld registers.elf -e both_in_fprs "$dir/registers.o"
  keep "$dir/registers.elf" healthy "" "A static program with flexible FDEs for registers kept in registers."
}
