package clauses

import "strings"

// Chapter is the heading of a chapter of the manual.
type Chapter string

// Chapters of the manual of version 3, in its order.
const (
	Overview       Chapter = "Overview"
	Changes23      Chapter = "Changes from Version 2 to Version 3"
	Changes12      Chapter = "Changes from Version 1 to Version 2"
	Section        Chapter = "SFrame Section"
	Preamble       Chapter = "SFrame Preamble"
	Magic          Chapter = "SFrame Magic Number and Endianness"
	Version        Chapter = "SFrame Version"
	Flags          Chapter = "SFrame Flags"
	Header         Chapter = "SFrame Header"
	ABI            Chapter = "SFrame ABI/arch Identifier"
	FDE            Chapter = "SFrame FDE"
	FDEIndex       Chapter = "The SFrame FDE Index"
	FDEAttribute   Chapter = "The SFrame FDE Attribute"
	FDEInfoBytes   Chapter = "The SFrame FDE Info Bytes"
	FDEPCTypes     Chapter = "The SFrame FDE PC Types"
	FDETypes       Chapter = "The SFrame FDE Types"
	FRETypes       Chapter = "The SFrame FRE Types"
	FRE            Chapter = "SFrame FRE"
	FREInfoWord    Chapter = "The SFrame FRE Info Word"
	Interpretation Chapter = "Interpretation of SFrame FREs"
	DefaultFDE     Chapter = "Default FDE Type Interpretation"
	AMD64          Chapter = "AMD64"
	AArch64        Chapter = "AArch64"
	S390X          Chapter = "s390x"
	FlexibleFDE    Chapter = "Flexible FDE Type Interpretation"
	StackTraces    Chapter = "Generating Stack Traces using SFrame"
)

// Documents besides the manual, each of which counts as a chapter.
const (
	TopmostFrames Chapter = "RFC: Case for Representing Flexible Topmost Frames in SFrame"
	FrameState    Chapter = "Note: The Frame State of the Unwind Cursor (libunwind)"
)

// Chapters of earlier manuals that version 3 does not have.
const (
	FDEInfoWord Chapter = "The SFrame FDE Info Word"     // V1, V2
	ABISpecific Chapter = "ABI/arch-specific Definition" // V2, errata 1
	// PCTypesV2 is the heading under which versions 1 and 2 define what
	// version 3 calls PC types.
	PCTypesV2 Chapter = "The SFrame FDE Types (version 2)"
	PCTypesV1 Chapter = "The SFrame FDE types (version 1)"
)

// Manuals are published with each release of binutils.
const (
	manual   = "https://sourceware.org/binutils/docs/sframe-spec.html"
	manualV2 = "https://sourceware.org/binutils/docs-2.45/sframe-spec.html" // errata 1
	manualV1 = "https://sourceware.org/binutils/docs-2.40/sframe-spec.html"
)

// chapters are all headings in the order of the manual, those of earlier
// manuals after the ones that took their place.
var chapters = []struct {
	name Chapter
	url  string
}{
	{Overview, manual + "#Overview"},
	{Changes23, manual + "#Changes-from-Version-2-to-Version-3"},
	{Changes12, manual + "#Changes-from-Version-1-to-Version-2"},
	{Section, manual + "#SFrame-Section"},
	{Preamble, manual + "#SFrame-Preamble"},
	{Magic, manual + "#SFrame-Magic-Number-and-Endianness"},
	{Version, manual + "#SFrame-Version"},
	{Flags, manual + "#SFrame-Flags"},
	{Header, manual + "#SFrame-Header"},
	{ABI, manual + "#SFrame-ABI_002farch-Identifier"},
	{FDE, manual + "#SFrame-Function-Descriptor-Entries"},
	{FDEIndex, manual + "#The-SFrame-FDE-Index"},
	{FDEAttribute, manual + "#The-SFrame-FDE-Attribute"},
	{FDEInfoBytes, manual + "#The-SFrame-FDE-Info-Bytes"},
	{FDEInfoWord, manualV2 + "#The-SFrame-FDE-Info-Word"},
	{FDEPCTypes, manual + "#The-SFrame-FDE-PC-Types"},
	{PCTypesV2, manualV2 + "#The-SFrame-FDE-Types"},
	{PCTypesV1, manualV1},
	{FDETypes, manual + "#The-SFrame-FDE-Types"},
	{FRETypes, manual + "#The-SFrame-FRE-Types"},
	{FRE, manual + "#SFrame-Frame-Row-Entries"},
	{FREInfoWord, manual + "#The-SFrame-FRE-Info-Word"},
	{Interpretation, manual + "#Interpretation-of-SFrame-FREs"},
	{DefaultFDE, manual + "#Default-FDE-Type-Interpretation"},
	{ABISpecific, manualV2 + "#ABI_002farch_002dspecific-Definition"},
	{AMD64, manual + "#AMD64"},
	{AArch64, manual + "#AArch64"},
	{S390X, manual + "#s390x"},
	{FlexibleFDE, manual + "#Flexible-FDE-Type-Interpretation"},
	{StackTraces, manual + "#Generating-Stack-Traces-using-SFrame"},
	{TopmostFrames, ""},
	{FrameState, ""},
}

// Chapters returns all headings, in the order of the manual, and then the other
// documents.
func Chapters() []Chapter {
	all := make([]Chapter, len(chapters))
	for i, c := range chapters {
		all[i] = c.name
	}
	return all
}

// URL returns the address of the chapter in the public manual, "" for one that is in
// no manual.
func (c Chapter) URL() string {
	for _, known := range chapters {
		if known.name == c {
			return known.url
		}
	}
	return ""
}

// URL returns the address of the clause's chapter in the newest manual that
// makes the statement.
func (c Clause) URL() string {
	url := c.Chapter.URL()
	anchor := strings.TrimPrefix(url, manual)
	if anchor == url {
		return url
	}
	switch {
	case c.Scope == V1 && c.Chapter != Changes12:
		return manualV1
	case c.Scope == V12, c.Scope == V2, c.Scope == V2E1:
		return manualV2 + anchor
	}
	return url
}

// Link returns a text as a Markdown link, or by itself if there is no address.
func Link(text, url string) string {
	if url == "" {
		return text
	}
	return "[" + text + "](" + url + ")"
}
