// Package reader decodes bytes into a [model.Section] and a list of faults.
//
// Decoding is tolerant: it decodes as much as it can, accounts for every byte
// of the section, and reports whatever stops the decoding of a part as a
// [Fault] with the faulty bytes. No input makes the package panic, hang or
// allocate more than a small multiple of the input's size. The only errors are
// those of I/O.
//
// Containers are ELF64 files, archives (GNU and thin) and raw sections.
package reader
