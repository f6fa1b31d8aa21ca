// Package reader turns bytes into a [model.Section] and a list of what is
// wrong with them.
//
// Decoding is tolerant: as much of the model is had as can be, every byte of
// the section is accounted for, and whatever stops the decoding of a part is
// a [Fault] with the bytes that are to blame. No input makes the package
// panic, hang or allocate more than a small multiple of the input's size. An
// error is returned for failed I/O alone.
//
// Containers are ELF64 files, archives (GNU and thin) and raw sections.
package reader
