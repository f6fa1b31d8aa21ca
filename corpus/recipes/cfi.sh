# CFI that an assembler translates to wrong FREs. The .eh_frame of the same object says what the
# directives mean. docs/found.md lists them, with those on which an assembler crashes.

build_cfi() {
  cfi_gas_47
  cfi_gas_older
  cfi_llvm
}

# cfi_gas SUITE ARCH RELEASE NAME ABOUT: one function, f, of src/cfi/NAME.s.
cfi_gas() {
  local out=files/cfi/gas-$3/$4.o bugs=''
  case $3 in 2.40) bugs='11 21' ;; 2.44) bugs=11 ;; esac
  use "$1" "$2"
  produce as "$out" --gsframe "src/cfi/$4.s"
  keep "$out" faulty "$bugs" "$5"
}

cfi_gas_47() {
  local amd64=(sid x86_64 2.47)
  cfi_gas "${amd64[@]}" cfa-offset-register "The CFA's offset and then its register change at one place: the FRE has the old offset."
  cfi_gas sid aarch64 2.47 cfa-offset-register-aarch64 "The CFA's offset and then its register change at one place, on AArch64: the FRE has the old offset."
  cfi_gas sid s390x 2.47 cfa-offset-register-s390x "The CFA's offset and then its register change at one place, on s390x: the FRE has the old offset."
  cfi_gas "${amd64[@]}" nested-states "A state is remembered while another one is: the outer one is lost, and the last FRE has the inner one."
  cfi_gas "${amd64[@]}" undefined-restore "The return address is undefined and then restored: the last FRE is still that of an outermost frame."
  cfi_gas "${amd64[@]}" undefined-offset "The return address is undefined and then saved: the last FRE is still that of an outermost frame."
  cfi_gas "${amd64[@]}" ra-register-restore "The return address is in rax and then restored: the last FRE still has rax."
  cfi_gas "${amd64[@]}" ra-value "The return address is a value, by .cfi_val_offset: the FRE has the slot below the CFA."
  cfi_gas "${amd64[@]}" ra-expression "The slot of the return address is an expression: the FRE has the slot below the CFA."
  cfi_gas "${amd64[@]}" fp-expression "The slot of rbp is an expression: the FRE names register 0x1fffffff."
  cfi_gas "${amd64[@]}" fp-register-restore "rbp is in rbx and restored at the same place: the FRE has rbx."
  cfi_gas "${amd64[@]}" restore-remembered "rbp is restored after a state was remembered before the first instruction: the FRE has the slot, not the rule of the CIE."
  cfi_gas "${amd64[@]}" restore-escape "rbp is restored after an escape before the first instruction: the FRE has the slot, not the rule of the CIE."
  cfi_gas "${amd64[@]}" restore-cold "rbp is saved where the second function starts, as in a .cold part, and restored: the FRE has the slot, not the rule of the CIE."
  cfi_gas "${amd64[@]}" ra-far "The return address is 264 bytes below the CFA: the word has one byte, and the FRE says 8."
  cfi_gas "${amd64[@]}" ra-restore-first "The return address is restored before the first instruction: the FRE is right, and the CIE has the directive."
  cfi_gas "${amd64[@]}" ra-same-value "The return address has the same value, of which no register is known: the FRE has the fixed offset."
  cfi_gas "${amd64[@]}" simple-late "No CFA is defined where rbp is saved: the FRE says rsp + 0."
  cfi_gas sid s390x 2.47 cfa-odd-s390x "The CFA is r15 + 164: the FRE says 160."
}

cfi_gas_older() {
  cfi_gas trixie x86_64 2.44 remember-at-change "A state is remembered at the place where it changes: the last FRE has the state before the change."
  cfi_gas trixie x86_64 2.44 ra-register "The return address is in rax: the FRE has the fixed offset, as with every other rule for it."
  cfi_gas trixie x86_64 2.44 ra-undefined "The return address is undefined: the FRE has the fixed offset, and the trace goes on."
  cfi_gas trixie x86_64 2.44 fp-same-value "rbp is the caller's again, by .cfi_same_value: the FRE still has the slot."
  cfi_gas trixie x86_64 2.44 fp-undefined "rbp is undefined: the FRE says that it is unchanged."
  cfi_gas trixie x86_64 2.44 signal-frame "The function is a signal frame, which version 2 cannot say: it has an FDE like others."
  cfi_gas bookworm x86_64 2.40 cfa-other "The CFA is rbx + 16: the FRE says rsp + 16."
  cfi_gas bookworm aarch64 2.40 fp-alone-aarch64 "x29 is saved without x30: the FRE says that x30 is saved."
}

cfi_llvm() {
  cfi_mc rel-offset-0 ".cfi_rel_offset 0 for rbp: the FRE says that rbp is unchanged."
  cfi_mc rel-offset-104 ".cfi_rel_offset 104 for rbp: the FRE has a slot above the CFA."
  cfi_mc simple-bare "No CFA is defined: the FRE says rbp + 0."
  cfi_mc cfa-far "The CFA is rsp + 0x100000010: the FRE says rsp + 16."
  cfi_mc ra-register "The return address is in rax: the FRE has the fixed offset, as with every other rule for it."
  cfi_mc fp-register "rbp is in rbx: the FRE says that rbp is unchanged."
  cfi_mc fp-value "The value of rbp is the CFA - 16: the FRE says that rbp is unchanged."
  cfi_mc fp-same-value "rbp is the caller's again, by .cfi_same_value: the FRE still has the slot."
  cfi_mc ra-undefined "The return address is undefined: the FRE has the fixed offset, and the trace goes on."
  cfi_mc restore-state-adjust "An offset is added after a state is restored: the FRE is right, and .eh_frame adds it to the offset before."
  cfi_mc fp-undefined "rbp is undefined: the FRE says that it is unchanged."
  cfi_mc signal-frame "The function is a signal frame, which version 2 cannot say: it has an FDE like others."
  cfi_mc restore-saved "rbp is saved before the first instruction and restored later: the FRE has the slot, not the rule of the CIE."
  cfi_mc restore-state-early "A state is restored where the rule for rbp changes: its FRE starts where the state changed last."
}

# cfi_mc NAME ABOUT
cfi_mc() {
  produce llvm-mc "files/cfi/llvm-23/$1.o" --triple x86_64-linux-gnu --filetype=obj --gsframe "src/cfi/$1.s"
  keep "files/cfi/llvm-23/$1.o" faulty "" "$2"
}
