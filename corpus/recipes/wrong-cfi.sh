# CFI that is wrong at its source, as real programs have it: .eh_frame of the same object has the
# same mistake. docs/found.md lists the programs.

build_wrong_cfi() {
  use sid x86_64
  wrong_cfi adjust-sign "An offset that should be subtracted is added: at the return, the CFA is 80 bytes too high."
  wrong_cfi unseen-release "The CFI misses what reserves and releases a frame: at the return, the CFA is 16 bytes too high."
  wrong_cfi unseen-frame "The CFI misses the whole frame: after the first push, the CFA is 8 bytes too low, and later more."
  wrong_cfi two-returns "A state is lost after a return: at the second one, the CFA is rsp - 8."
  wrong_cfi slot-above "rbp is said to be saved 16 bytes above the CFA, in the caller's frame."
}

# wrong_cfi NAME ABOUT: one function, f, of src/wrong-cfi/NAME.s.
wrong_cfi() {
  local out=files/wrong-cfi/$1.o
  produce as "$out" --gsframe "src/wrong-cfi/$1.s"
  keep "$out" faulty "" "$2"
}
