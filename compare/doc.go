// Package compare holds what SFrame sections say against one another: two
// producers' output for the same source, or a linker's inputs against its
// output. It compares meaning, by function and PC, and not bytes: the same
// meaning in another version or encoding is equal.
package compare
