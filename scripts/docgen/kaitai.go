package main

import (
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
)

// kaitaiPath is the description of the format for Kaitai Struct.
const kaitaiPath = "docs/schema/sframe.ksy"

// kaitai returns the description of the format, from the tables of the model.
func kaitai() string {
	var nested, b strings.Builder
	kaitaiHeader(&nested)
	cases := ""
	for _, v := range model.Versions(nil) {
		cases += fmt.Sprintf("            %d: fde_v%d\n", v, v)
		kaitaiFDE(&nested, v.Info())
	}
	fmt.Fprintf(&nested, kaitaiFRE, model.FREInfoBaseBit, model.FREInfoCountShift, model.MaxWords, model.FREInfoSizeShift, model.FREInfoMangledBit)
	fmt.Fprintf(&b, kaitaiHead, cases)
	for line := range strings.Lines(nested.String()) {
		b.WriteString("    " + line) // types in a type have its byte order
	}
	kaitaiEnums(&b)
	return b.String()
}

// kaitaiHead is what does not depend on the tables: the order of the bytes follows from the first one.
const kaitaiHead = `# The SFrame stack-trace section of ELF files, all versions, for Kaitai Struct. 'go generate ./...' writes
# it from the tables of package model.
meta:
  id: sframe
  title: SFrame stack-trace section
  file-extension: sframe
  license: Apache-2.0
  ks-version: '0.10'
doc: |
  The section .sframe of an ELF file: for each function an FDE, and for each range of its code an FRE
  that says how the CFA, the return address and the frame pointer are recovered.
seq:
  - id: section
    type: section
instances:
  order:
    pos: 0
    type: u1
    doc: the first byte of the magic, which gives the byte order
types:
  section:
    meta:
      endian:
        switch-on: _root.order
        cases:
          0xe2: le
          0xde: be
    seq:
      - id: header
        type: header
      - id: aux
        size: header.auxhdr_len
        doc: auxiliary header
    instances:
      header_end:
        value: header.size + header.auxhdr_len
      fres_at:
        value: header_end + header.freoff
      fdes:
        pos: header_end + header.fdeoff
        type:
          switch-on: header.version
          cases:
%s        repeat: expr
        repeat-expr: header.num_fdes
      fre_section:
        pos: fres_at
        size: header.fre_len
        type: fre_section
    types:
`

// kaitaiHeader writes the type of the header.
func kaitaiHeader(b *strings.Builder) {
	b.WriteString("  header:\n    seq:\n")
	info := model.SFRAME_VERSION_3.Info()
	var signed model.Header
	for f := range info.HeaderFields() {
		signed.Set(f, 0xff)
		kind := "u"
		if f != model.HdrMagic && signed.Value(f)>>63 != 0 {
			kind = "s"
		}
		_, name, _ := strings.Cut(f.String(), "_")
		fmt.Fprintf(b, "      - id: %s\n        type: %s%d\n", name, kind, f.Span().Len)
		switch f {
		case model.HdrMagic:
			fmt.Fprintf(b, "        valid: 0x%x\n", model.SFRAME_MAGIC)
		case model.HdrVersion:
			var known []string
			for _, v := range model.Versions(nil) {
				known = append(known, fmt.Sprint(uint8(v)))
			}
			fmt.Fprintf(b, "        valid:\n          any-of: [%s]\n", strings.Join(known, ", "))
		case model.HdrABI:
			b.WriteString("        enum: abi\n")
		case model.HdrFDEOff:
			kaitaiWithin(b, "num_fdes * "+kaitaiEntry(), info.HeaderSize)
		case model.HdrFREOff:
			kaitaiWithin(b, "fre_len", info.HeaderSize)
		}
		fmt.Fprintf(b, "        doc: %s\n", f)
	}
	fmt.Fprintf(b, "    instances:\n      size:\n        value: %d\n        doc: bytes of the header, without the auxiliary one\n", info.HeaderSize)
	for k, name := range (model.SFRAME_F_FDE_SORTED | model.SFRAME_F_FRAME_POINTER | model.SFRAME_F_FDE_FUNC_START_PCREL).Names() {
		name = strings.ToLower(strings.TrimPrefix(name, "SFRAME_F_"))
		fmt.Fprintf(b, "      %s:\n        value: (flags & %d) != 0\n", name, 1<<k)
	}
	b.WriteString("  fre_section: {}\n")
}

// kaitaiWithin writes that a sub-section, of so many bytes, ends in the section.
func kaitaiWithin(b *strings.Builder, size string, header int) {
	fmt.Fprintf(b, "        valid:\n          expr: '%d + auxhdr_len + _ + %s <= _root._io.size'\n", header, size)
}

// kaitaiEntry returns the expression for the bytes of an FDE.
func kaitaiEntry() string {
	e := "0"
	for _, v := range model.Versions(nil) {
		e = fmt.Sprintf("(version == %d ? %d : %s)", v, model.FDESize(v), e)
	}
	return e
}

// kaitaiFDE writes the types of a version's FDEs and attributes.
func kaitaiFDE(b *strings.Builder, v model.VersionInfo) {
	fields := func(attr bool) {
		for f := model.FDEStart; f <= model.FDEPadding; f++ {
			at := v.Field(f)
			if at.Len == 0 || at.Attr != attr {
				continue
			}
			_, name, _ := strings.Cut(at.Name, "_func_")
			kind := "u"
			if f == model.FDEStart {
				kind = "s"
			}
			fmt.Fprintf(b, "      - id: %s\n        type: %s%d\n        doc: %s\n", name, kind, at.Len, at.Name)
			if f == model.FDEInfo {
				fmt.Fprintf(b, "        valid:\n          expr: (_ & 0x%x) <= 2\n", model.InfoFRETypeMask)
			}
			if f == model.FDEInfo2 {
				fmt.Fprintf(b, "        valid:\n          expr: (_ & 0x%x) <= 1\n", model.Info2FDETypeMask)
			}
		}
	}
	fmt.Fprintf(b, "  fde_v%d:\n    seq:\n", v.Version)
	fields(false)
	b.WriteString("    instances:\n")
	if v.AttrSize > 0 {
		fmt.Fprintf(b, "      attribute:\n        io: _root.section.fre_section._io\n        pos: start_fre_off\n        type: attribute_v%d\n", v.Version)
		fmt.Fprintf(b, "  attribute_v%d:\n    seq:\n", v.Version)
		fields(true)
		b.WriteString("      - id: fres\n        type: fre(info & 0xf)\n        repeat: expr\n        repeat-expr: num_fres\n    instances:\n")
		fmt.Fprintf(b, "      flexible:\n        value: (info2 & 0x%x) == %d\n", model.Info2FDETypeMask, model.SFRAME_FDE_TYPE_FLEX)
		fmt.Fprintf(b, "      signal:\n        value: (info & 0x%x) != 0\n", model.InfoSignalBit)
	} else {
		b.WriteString("      fres:\n        io: _root.section.fre_section._io\n        pos: start_fre_off\n        type: fre(info & 0xf)\n" +
			"        repeat: expr\n        repeat-expr: num_fres\n")
	}
	fmt.Fprintf(b, "      mask:\n        value: (info & 0x%x) != 0\n        doc: the FREs describe a repeated block of code\n", model.InfoPCTypeBit)
	fmt.Fprintf(b, "      key_b:\n        value: (info & 0x%x) != 0\n        doc: of AArch64\n", model.InfoPauthKeyBit)
}

// kaitaiFRE is the type of an FRE.
const kaitaiFRE = `  fre:
    params:
      - id: fre_type
        type: u1
    seq:
      - id: start
        type:
          switch-on: fre_type
          cases:
            0: u1
            1: u2
            2: u4
        doc: offset from the start of the function, or of the stub
      - id: info
        type: u1
        valid:
          expr: ((_ >> %[4]d) & 3) != 3 or ((_ >> %[2]d) & %[3]d) == 0
      - id: words
        type:
          switch-on: word_size
          cases:
            0: s1
            1: s2
            2: s4
        repeat: expr
        repeat-expr: num_words
        doc: signed; the control words of a flexible FDE are unsigned
    instances:
      base_is_sp:
        value: (info & %[1]d) != 0
      num_words:
        value: (info >> %[2]d) & %[3]d
      word_size:
        value: (info >> %[4]d) & 3
        doc: 0, 1 or 2 for words of 1, 2 or 4 bytes
      mangled_ra:
        value: (info & 0x%[5]x) != 0
`

// kaitaiEnums writes the names of the ABIs.
func kaitaiEnums(b *strings.Builder) {
	b.WriteString("enums:\n  abi:\n")
	for _, a := range model.ABIs() {
		fmt.Fprintf(b, "    %d: %s\n", a.ID, strings.ReplaceAll(a.Short(), "-", "_"))
	}
}
