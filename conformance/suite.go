// Package conformance has the files of the conformance suite. docs/conformance.md describes the
// protocol, for decoders in any language, and the cases for linkers; sframe-fuzz conformance asks a
// decoder, and runs a linker.
package conformance

import "embed"

// Version is the version of the cases and the protocol.
const Version = "3"

// Files has the cases from files of the corpus, in the directory "cases", one JSON line each. sframe-fuzz conformance
// makes the other cases. SHA256SUMS has the digests of all case files of a release.
//
//go:embed cases/*.jsonl
var Files embed.FS

// Links has below the directory links a file with the objects of each machine and version, from which the cases for linkers
// are made: a line for each object, with its name and its bytes in hexadecimal.
//
//go:embed links/*.ld links/*.txt
var Links embed.FS
