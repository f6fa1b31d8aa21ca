// Package reader decodes bytes into a [model.Section] and a list of faults.
//
// Decoding is tolerant: it decodes as much as it can and accounts for every byte of the section. If it cannot decode
// a part, it reports a [Fault] with the faulty bytes. No input makes the package panic, hang, or allocate more than a
// small multiple of the input's size. Its only errors are I/O errors.
//
// Containers are ELF64 files, archives (GNU and thin) and raw sections.
package reader
