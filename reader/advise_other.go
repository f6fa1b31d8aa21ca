//go:build !linux

package reader

// hugePages asks the kernel for large pages, where there is a way to.
func hugePages([]byte) {}
