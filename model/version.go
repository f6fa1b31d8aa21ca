package model

import (
	"fmt"
	"iter"
)

// Version is sfp_version ("SFrame Version").
type Version uint8

// The versions of the format that have been published.
const (
	SFRAME_VERSION_1 Version = 1
	SFRAME_VERSION_2 Version = 2
	SFRAME_VERSION_3 Version = 3
)

func (v Version) String() string { return fmt.Sprintf("V%d", uint8(v)) }

// VersionInfo describes a version of the format: all facts in which versions differ.
type VersionInfo struct {
	Version Version

	LastField HeaderField // the last field of the header; the version has all fields before it, too
	fields    *[numFDEFields]FieldLayout
	at        [numFDEFields]uint8 // their offsets
	padding   uint16              // the bits of the padding, which is in the entry

	Flags     Flags // flags that are defined; all other bits must be zero
	NeedFlags Flags // flags that must be set
	Reserved  uint8 // bits of an FDE's info byte that must be zero

	Signal       bool // FDEs have a bit for signal frames
	WordRegs     bool // an odd RA or FP word is a register (ABIs with LSBRegs)
	Errata2      bool // an FRE without data words is legal: RA is undefined
	OutermostFDE bool // an FDE of the default type without FREs is legal: RA is undefined

	// The fields below follow from those above.
	HeaderSize int    // bytes of the header, without the auxiliary one
	FDESize    int    // bytes of an entry of the FDE sub-section
	StartWidth int    // bytes of an FDE's start field
	AttrSize   int    // bytes of the attribute before a function's FREs; 0 if the FDE has all fields
	MaxFREs    uint32 // the largest number of FREs that an FDE can count
	Stubs      bool   // FDEs have a rep_size
	Flex       bool   // FDEs have a type, default or flexible
}

// versions is the one place where the versions differ. The first element stands
// for the unknown ones: their header is read as that of version 3, and no more.
var versions = [...]VersionInfo{
	{LastField: HdrFREOff, HeaderSize: int(headerFields[HdrFREOff].off + headerFields[HdrFREOff].len)},
	version(VersionInfo{
		Version: SFRAME_VERSION_1, LastField: HdrFREOff,
		Flags: SFRAME_F_FDE_SORTED | SFRAME_F_FRAME_POINTER, Reserved: 0xc0,
		fields: &[numFDEFields]FieldLayout{
			FDEStart:       {0, 4, false, "sfde_func_start_address"},
			FDEFuncSize:    {4, 4, false, "sfde_func_size"},
			FDEStartFREOff: {8, 4, false, "sfde_func_start_fre_off"},
			FDENumFREs:     {12, 4, false, "sfde_func_num_fres"},
			FDEInfo:        {16, 1, false, "sfde_func_info"},
		},
	}),
	version(VersionInfo{
		Version: SFRAME_VERSION_2, LastField: HdrFREOff,
		Flags: SFRAME_F_FDE_SORTED | SFRAME_F_FRAME_POINTER | SFRAME_F_FDE_FUNC_START_PCREL, Reserved: 0xc0,
		WordRegs: true, Errata2: true,
		fields: &[numFDEFields]FieldLayout{
			FDEStart:       {0, 4, false, "sfde_func_start_address"},
			FDEFuncSize:    {4, 4, false, "sfde_func_size"},
			FDEStartFREOff: {8, 4, false, "sfde_func_start_fre_off"},
			FDENumFREs:     {12, 4, false, "sfde_func_num_fres"},
			FDEInfo:        {16, 1, false, "sfde_func_info"},
			FDERepSize:     {17, 1, false, "sfde_func_rep_size"},
			FDEPadding:     {18, 2, false, "sfde_func_padding2"},
		},
	}),
	version(VersionInfo{
		Version: SFRAME_VERSION_3, LastField: HdrFREOff,
		Flags:     SFRAME_F_FDE_SORTED | SFRAME_F_FDE_FUNC_START_PCREL,
		NeedFlags: SFRAME_F_FDE_FUNC_START_PCREL, Reserved: 0x40,
		Signal: true, Errata2: true, OutermostFDE: true,
		fields: &[numFDEFields]FieldLayout{
			FDEStart:       {0, 8, false, "sfdi_func_start_offset"},
			FDEFuncSize:    {8, 4, false, "sfdi_func_size"},
			FDEStartFREOff: {12, 4, false, "sfdi_func_start_fre_off"},
			FDENumFREs:     {0, 2, true, "sfda_func_num_fres"},
			FDEInfo:        {2, 1, true, "sfda_func_info"},
			FDEInfo2:       {3, 1, true, "sfda_func_info2"},
			FDERepSize:     {4, 1, true, "sfda_func_rep_size"},
		},
	}),
}

// version adds what follows from the fields.
func version(v VersionInfo) VersionInfo {
	v.HeaderSize = int(v.LastField.Span().End())
	for i, f := range v.fields {
		v.at[i] = uint8(f.Off)
		if f.Attr {
			v.AttrSize = max(v.AttrSize, int(f.Off+f.Len))
		} else {
			v.FDESize = max(v.FDESize, int(f.Off+f.Len))
		}
	}
	v.StartWidth = int(v.fields[FDEStart].Len)
	v.MaxFREs = uint32(1<<(8*v.fields[FDENumFREs].Len) - 1)
	v.padding = uint16(1<<(8*v.fields[FDEPadding].Len) - 1)
	v.Stubs, v.Flex = v.fields[FDERepSize].Len > 0, v.fields[FDEInfo2].Len > 0
	return v
}

// HeaderFields yields the fields of the header in the order of their offsets.
func (v VersionInfo) HeaderFields() iter.Seq[HeaderField] {
	return func(yield func(HeaderField) bool) {
		for f := HdrMagic; f <= v.LastField && yield(f); f++ {
		}
	}
}

// FDEFields yields the fields of an FDE, and where the version stores them.
func (v VersionInfo) FDEFields() iter.Seq2[FDEField, FieldLayout] {
	return func(yield func(FDEField, FieldLayout) bool) {
		for f := FDEStart; f <= FDEPadding; f++ {
			if at := v.Field(f); at.Len > 0 && !yield(f, at) {
				return
			}
		}
	}
}

// Known reports whether the version has been published.
func (v Version) Known() bool { return v.info().FDESize > 0 }

// Info returns the facts of a version. All fields are zero for an unknown version.
func (v Version) Info() VersionInfo { return *v.info() }

func (v Version) info() *VersionInfo {
	if int(v) >= len(versions) {
		v = 0
	}
	return &versions[v]
}

// Versions returns the published versions that satisfy has, or all versions if has is nil.
func Versions(has func(VersionInfo) bool) []Version {
	var out []Version
	for i := range versions {
		if v := versions[i]; v.Version.Known() && (has == nil || has(v)) {
			out = append(out, v.Version)
		}
	}
	return out
}

// FDESize returns the size in bytes of an entry of the FDE sub-section, or 0 for an unknown version.
func FDESize(v Version) int { return v.info().FDESize }

// DefinedFlags returns the flags that version v defines. All other bits must be zero. An unknown version defines no
// flags.
func DefinedFlags(v Version) Flags { return v.info().Flags }

// HeaderSize returns the size in bytes of the header of a section that begins with b, without the auxiliary header.
func HeaderSize(b []byte) int {
	if len(b) < PreambleSize {
		return versions[0].HeaderSize
	}
	return Version(b[headerFields[HdrVersion].off]).info().HeaderSize
}

// Errata2 reports whether an FRE without data words is legal. Such an FRE is legal since errata 2 of V2. It means
// that RA is undefined.
func (v Version) Errata2() bool { return v.info().Errata2 }
