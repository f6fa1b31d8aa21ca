// Package conformance has the files of the conformance suite. docs/conformance.md describes the
// protocol, for decoders in any language; sframe-fuzz conformance asks a decoder.
package conformance

import "embed"

// Version is the version of the cases and the protocol.
const Version = "2"

// Files has the cases, a line of JSON each, below the directory cases.
//
//go:embed cases/*.jsonl
var Files embed.FS
