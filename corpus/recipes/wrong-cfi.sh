# CFI that is wrong at its source, as real programs have it: .eh_frame of the same object has the
# same mistake. docs/found.md lists the programs.

build_wrong_cfi() {
  use sid x86_64
  wrong_cfi adjust-sign "An offset that should be subtracted is added: at the return, the CFA is 80 bytes too high."
  wrong_cfi unseen-release "The CFI misses what reserves and releases a frame: at the return, the CFA is 16 bytes too high."
  wrong_cfi unseen-frame "The CFI misses the whole frame: after the first push, the CFA is 8 bytes too low, and later more."
  wrong_cfi two-returns "A state is lost after a return: at the second one, the CFA is rsp - 8."
  wrong_cfi slot-above "rbp is said to be saved 16 bytes above the CFA, in the caller's frame."
  wrong_cfi scratch-fp "rbp is overwritten, and the FRE says that it is unchanged."
  wrong_cfi unmarked-signal "A signal trampoline with the entry state, not marked as a signal frame."
  wrong_cfi moved-ra "The return address is popped, and a call overwrites its slot."
  wrong_cfi kept-ra "The return address is popped into a register: the CFA is rsp."
  wrong_cfi row-inside "An FRE starts inside an instruction."
  wrong_cfi ends-early "The CFI ends before the return, and the FDE with it."
  wrong_cfi ends-at-nop "The CFI ends before a part of the function that begins with a nop."
  wrong_cfi frame-by-lea "The CFI misses a frame of 168 bytes."
  wrong_cfi memory-fp "At the end, rbp is restored, and the CFI still has it in memory at rbp."
  wrong_cfi moving-sp "After alloca(n), the CFA counts from rsp."
  wrong_cfi base-of-argument "The CFA counts from rbp, which has an argument."
  wrong_cfi unreturned "The CFI misses a sub in a function that nothing calls and that does not return."
  wrong_cfi unsaved-fp "The CFA counts from rbp, and no directive says where rbp is saved."
  wrong_cfi handler-frame "A call after the function has the CFA of the return: the CFA is 16 bytes too low."
  use sid aarch64
  wrong_cfi stale-frame "The epilogue restores x29, and the CFA still counts from it."
  wrong_cfi scratch-ra "x30 is overwritten, and the FRE says that RA is unchanged."
  wrong_cfi adjust-twice "An offset that should be subtracted is added: at the return, the CFA is 928 bytes too high."
  wrong_cfi pushed-frame "The CFI misses the 16 bytes that the stub before the function has pushed: the CFA is 16 bytes too low."
  wrong_cfi moved-slot "The slot of x29 is an expression on sp, and sp is lowered again."
  wrong_cfi calls-only "The CFI is right at the call only: in the prologue and at the return it has another CFA than the code."
  wrong_cfi one-cause "The CFI is right at calls only, as clang writes it. Six functions have other faults."
  wrong_cfi slot-early "RA is said to be saved one instruction before it is."
  use sid s390x
  wrong_cfi restored-early "The CFI has the caller's SP one or more instructions before the epilogue restores it."
  wrong_cfi packed-slots "The code saves f10 in the slot of r11: the caller's r11 is lost."
  wrong_cfi scratch-registers "r11 and r14 are saved and overwritten, and no directive says so."
  wrong_cfi call-unsaved-ra "r14 is saved and a call overwrites it, and no directive says so."
}

# wrong_cfi NAME ABOUT: src/wrong-cfi/NAME.s.
wrong_cfi() {
  local out=files/wrong-cfi/$1.o
  produce as "$out" --gsframe "src/wrong-cfi/$1.s"
  keep "$out" faulty "" "$2"
}
