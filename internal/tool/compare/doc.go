// Package compare compares SFrame sections: the output of two producers for the
// same source, or a linker's inputs with its output. It compares meaning by
// function and PC, not bytes: the same meaning in another version or encoding
// is equal.
package compare
