package reader

import "syscall"

// hugePages asks the kernel for large pages under a buffer that is about to
// be filled. The first touch of fresh memory otherwise costs more than
// reading into it. It is a hint: its result does not matter.
func hugePages(b []byte) {
	_ = syscall.Madvise(b, syscall.MADV_HUGEPAGE)
}
