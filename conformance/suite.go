// Package conformance has the files of the conformance suite. docs/conformance.md describes the
// protocol, for decoders in any language, and the cases for linkers; sframe-fuzz conformance asks a
// decoder, and runs a linker.
package conformance

import "embed"

// Version is the version of the cases and the protocol.
const Version = "3"

// Files has the cases, a line of JSON each, below the directory cases.
//
//go:embed cases/*.jsonl
var Files embed.FS

// Links has the cases for linkers, a line of JSON each, and below the directory links a file with the objects of each
// machine and version: a line for each object, with its name and its bytes in hexadecimal.
//
//go:embed links/cases.jsonl links/*.ld links/*.txt
var Links embed.FS
