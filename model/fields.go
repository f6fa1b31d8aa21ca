package model

// Sizes of the fixed parts, in bytes.
const (
	PreambleSize = 4
	HeaderSize   = 28 // without the auxiliary header, every version so far
	AttrSize     = 5  // V3: the attribute before a function's FREs
)

// HeaderField names a field of the header.
type HeaderField uint8

// The fields of the header, in the order of their offsets.
const (
	HdrMagic HeaderField = iota
	HdrVersion
	HdrFlags
	HdrABI
	HdrFixedFP
	HdrFixedRA
	HdrAuxLen
	HdrNumFDEs
	HdrNumFREs
	HdrFRELen
	HdrFDEOff
	HdrFREOff
)

var headerFields = [...]struct {
	name     string
	off, len uint8
}{
	HdrMagic:   {"sfp_magic", 0x00, 2},
	HdrVersion: {"sfp_version", 0x02, 1},
	HdrFlags:   {"sfp_flags", 0x03, 1},
	HdrABI:     {"sfh_abi_arch", 0x04, 1},
	HdrFixedFP: {"sfh_cfa_fixed_fp_offset", 0x05, 1},
	HdrFixedRA: {"sfh_cfa_fixed_ra_offset", 0x06, 1},
	HdrAuxLen:  {"sfh_auxhdr_len", 0x07, 1},
	HdrNumFDEs: {"sfh_num_fdes", 0x08, 4},
	HdrNumFREs: {"sfh_num_fres", 0x0c, 4},
	HdrFRELen:  {"sfh_fre_len", 0x10, 4},
	HdrFDEOff:  {"sfh_fdeoff", 0x14, 4},
	HdrFREOff:  {"sfh_freoff", 0x18, 4},
}

// NumHeaderFields is the number of fields of the header.
const NumHeaderFields = len(headerFields)

// Span returns the bytes of the field in the section.
func (f HeaderField) Span() Span {
	return Span{int64(headerFields[f].off), int64(headerFields[f].len)}
}

// String returns the field's name in the specification.
func (f HeaderField) String() string { return headerFields[f].name }

// FDEField names a field of an FDE, wherever the version keeps it.
type FDEField uint8

// The fields of an FDE.
const (
	FDEStart FDEField = iota
	FDEFuncSize
	FDEStartFREOff
	FDENumFREs
	FDEInfo
	FDEInfo2
	FDERepSize
	FDEPadding
)

const numFDEFields = int(FDEPadding) + 1

// FieldLayout is where a version keeps a field of an FDE.
type FieldLayout struct {
	Off, Len int64 // in the entry or the attribute; Len 0 where the version has no such field
	Attr     bool  // it is in the attribute
	Name     string
}

var (
	fieldsV1 = [numFDEFields]FieldLayout{
		FDEStart:       {0, 4, false, "sfde_func_start_address"},
		FDEFuncSize:    {4, 4, false, "sfde_func_size"},
		FDEStartFREOff: {8, 4, false, "sfde_func_start_fre_off"},
		FDENumFREs:     {12, 4, false, "sfde_func_num_fres"},
		FDEInfo:        {16, 1, false, "sfde_func_info"},
	}
	fieldsV2 = [numFDEFields]FieldLayout{
		FDEStart:       {0, 4, false, "sfde_func_start_address"},
		FDEFuncSize:    {4, 4, false, "sfde_func_size"},
		FDEStartFREOff: {8, 4, false, "sfde_func_start_fre_off"},
		FDENumFREs:     {12, 4, false, "sfde_func_num_fres"},
		FDEInfo:        {16, 1, false, "sfde_func_info"},
		FDERepSize:     {17, 1, false, "sfde_func_rep_size"},
		FDEPadding:     {18, 2, false, "sfde_func_padding2"},
	}
	fieldsV3 = [numFDEFields]FieldLayout{
		FDEStart:       {0, 8, false, "sfdi_func_start_offset"},
		FDEFuncSize:    {8, 4, false, "sfdi_func_size"},
		FDEStartFREOff: {12, 4, false, "sfdi_func_start_fre_off"},
		FDENumFREs:     {0, 2, true, "sfda_func_num_fres"},
		FDEInfo:        {2, 1, true, "sfda_func_info"},
		FDEInfo2:       {3, 1, true, "sfda_func_info2"},
		FDERepSize:     {4, 1, true, "sfda_func_rep_size"},
	}
)

// Field returns where the version keeps a field of an FDE; a blank layout
// where it has none.
func (v VersionInfo) Field(f FDEField) FieldLayout {
	if v.fields == nil {
		return FieldLayout{}
	}
	return v.fields[f]
}

// FieldName returns the specification's name of an FDE field in version v,
// "" where the version has none.
func FieldName(v Version, f FDEField) string { return v.info().Field(f).Name }
