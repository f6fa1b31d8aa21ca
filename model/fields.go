package model

// PreambleSize is the size in bytes of the fields of every version: magic,
// version and flags.
const PreambleSize = 4

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

// headerFields is where the fields of the header are. [VersionInfo] says which of
// them a version has; a field is in the same place in all that have it.
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

// NumHeaderFields is the number of HeaderField constants.
const NumHeaderFields = HeaderField(len(headerFields))

// Span returns the bytes of the field in sections of the versions that have it.
func (f HeaderField) Span() Span {
	return Span{int64(headerFields[f].off), int64(headerFields[f].len)}
}

// String returns the field's name in the specification.
func (f HeaderField) String() string { return headerFields[f].name }

// FDEField names a field of an FDE. In V3, some of these fields are in the attribute.
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

// Field is a named run of bytes with its decoded value.
type Field struct {
	Span
	Name, Value string // "" for bytes without fields
	Bytes       []byte // the bytes that exist, fewer than the field's size in a truncated section
}

// FieldLayout is where a version stores a field of an FDE.
type FieldLayout struct {
	Off, Len int64 // in the entry or the attribute; Len is 0 if the version has no such field
	Attr     bool  // the field is in the attribute
	Name     string
}

// Field returns where the version stores a field of an FDE. The layout has length 0 if the version has no such field.
func (v VersionInfo) Field(f FDEField) FieldLayout {
	if v.fields == nil {
		return FieldLayout{}
	}
	return v.fields[f]
}

// FieldName returns the specification's name of an FDE field in version v, or "" if the version has no such field.
func FieldName(v Version, f FDEField) string { return v.info().Field(f).Name }

// FieldName returns the specification's name of an FDE field in the section's version.
func (s *Section) FieldName(f FDEField) string { return s.format.Field(f).Name }

// Value returns the value of a field of the header. Signed fields are
// sign-extended to 64 bits.
func (h *Header) Value(f HeaderField) uint64 {
	switch p := h.place(f).(type) {
	case *uint8:
		return uint64(*p)
	case *int8:
		return uint64(*p)
	case *uint32:
		return uint64(*p)
	}
	return SFRAME_MAGIC
}

// Set sets a field of the header to the value of its bytes. It ignores the magic,
// which a Header does not contain.
func (h *Header) Set(f HeaderField, v uint64) {
	switch p := h.place(f).(type) {
	case *uint8:
		*p = uint8(v)
	case *int8:
		*p = int8(v)
	case *uint32:
		*p = uint32(v)
	}
}

// place returns a pointer to the value of a field, nil for the magic.
func (h *Header) place(f HeaderField) any {
	return [...]any{
		HdrMagic:   nil,
		HdrVersion: (*uint8)(&h.Version),
		HdrFlags:   (*uint8)(&h.Flags),
		HdrABI:     (*uint8)(&h.ABI),
		HdrFixedFP: &h.FixedFPOffset,
		HdrFixedRA: &h.FixedRAOffset,
		HdrAuxLen:  &h.AuxLen,
		HdrNumFDEs: &h.NumFDEs,
		HdrNumFREs: &h.NumFREs,
		HdrFRELen:  &h.FRELen,
		HdrFDEOff:  &h.FDEOff,
		HdrFREOff:  &h.FREOff,
	}[f]
}
