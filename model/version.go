package model

import "fmt"

// Version is sfp_version ("SFrame Version").
type Version uint8

// The versions of the format that have been published.
const (
	SFRAME_VERSION_1 Version = 1
	SFRAME_VERSION_2 Version = 2
	SFRAME_VERSION_3 Version = 3
)

func (v Version) String() string { return fmt.Sprintf("V%d", uint8(v)) }

// VersionInfo is all that differs from one version of the format to the next.
type VersionInfo struct {
	Version Version

	FDESize    int   // bytes of an entry of the FDE sub-section
	StartWidth int   // bytes of an FDE's start field
	AttrSize   int   // bytes of the attribute before a function's FREs; 0: the FDE has its fields
	Flags      Flags // that are defined; every other bit must be zero
	NeedFlags  Flags // that must be set
	Reserved   uint8 // bits of an FDE's info byte that must be zero

	Stubs        bool   // FDEs have a rep_size
	Flex         bool   // FDEs have a type, default or flexible
	Signal       bool   // FDEs have a bit for signal frames
	WordRegs     bool   // an odd RA or FP word is a register (ABIs with LSBRegs)
	Errata2      bool   // an FRE without data words is legal: RA is undefined
	OutermostFDE bool   // an FDE of the default type without FREs is legal: RA is undefined
	MaxFREs      uint32 // the largest number of FREs that an FDE can count

	fields *[numFDEFields]FieldLayout
}

// versions is the one place where the versions differ.
var versions = [...]VersionInfo{
	SFRAME_VERSION_1: {
		Version: SFRAME_VERSION_1,
		FDESize: 17, StartWidth: 4, MaxFREs: 1<<32 - 1,
		Flags: SFRAME_F_FDE_SORTED | SFRAME_F_FRAME_POINTER, Reserved: 0xc0,
		fields: &fieldsV1,
	},
	SFRAME_VERSION_2: {
		Version: SFRAME_VERSION_2,
		FDESize: 20, StartWidth: 4, MaxFREs: 1<<32 - 1,
		Flags: SFRAME_F_FDE_SORTED | SFRAME_F_FRAME_POINTER | SFRAME_F_FDE_FUNC_START_PCREL, Reserved: 0xc0,
		Stubs: true, WordRegs: true, Errata2: true,
		fields: &fieldsV2,
	},
	SFRAME_VERSION_3: {
		Version: SFRAME_VERSION_3,
		FDESize: 16, StartWidth: 8, AttrSize: AttrSize, MaxFREs: 1<<16 - 1,
		Flags:     SFRAME_F_FDE_SORTED | SFRAME_F_FDE_FUNC_START_PCREL,
		NeedFlags: SFRAME_F_FDE_FUNC_START_PCREL, Reserved: 0x40,
		Stubs: true, Flex: true, Signal: true, Errata2: true, OutermostFDE: true,
		fields: &fieldsV3,
	},
}

// Known reports whether the version has been published.
func (v Version) Known() bool { return v.info().FDESize > 0 }

// Info returns the facts of a version; blank ones where it is not known.
func (v Version) Info() VersionInfo { return *v.info() }

func (v Version) info() *VersionInfo {
	if int(v) >= len(versions) {
		v = 0
	}
	return &versions[v]
}

// Versions returns the published versions that satisfy has; all where has is
// nil.
func Versions(has func(VersionInfo) bool) []Version {
	var out []Version
	for i := range versions {
		if v := versions[i]; v.Version.Known() && (has == nil || has(v)) {
			out = append(out, v.Version)
		}
	}
	return out
}

// FDESize returns the bytes of an entry of the FDE sub-section, 0 for an
// unknown version.
func FDESize(v Version) int { return v.info().FDESize }

// DefinedFlags returns the flags that version v defines; every other bit
// must be zero. An unknown version defines none.
func DefinedFlags(v Version) Flags { return v.info().Flags }

// Errata2 reports whether an FRE without data words is legal: V2 since its
// second errata, and V3. It marks RA as undefined.
func (v Version) Errata2() bool { return v.info().Errata2 }
