package dump

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/reader"
)

// FaultText describes a fault that stopped decoding.
func FaultText(f reader.Fault) string {
	switch f.Code {
	case reader.TooShort:
		return fmt.Sprintf("the section ends inside the header: %d of %d bytes", f.Got, f.Want)
	case reader.BadMagic:
		return fmt.Sprintf("0x%04x is not the SFrame magic number in either byte order", f.Got)
	case reader.UnknownVersion:
		return fmt.Sprintf("version %d is unknown: nothing after the header can be decoded", f.Got)
	case reader.AuxBeyondEnd:
		return beyondEnd("the auxiliary header", f)
	case reader.FDEsBeyondEnd:
		return beyondEnd("the FDE sub-section", f)
	case reader.FREsBeyondEnd:
		return beyondEnd("the FRE sub-section", f)
	case reader.FREOffBeyond:
		return fmt.Sprintf("start_fre_off 0x%x is beyond the FRE sub-section of 0x%x bytes", f.Got, f.Want)
	case reader.AttrTruncated:
		return fmt.Sprintf("the attribute at start_fre_off 0x%x is cut off by the end of the FRE sub-section", f.Got)
	case reader.FRETruncated:
		return fmt.Sprintf("the FRE sub-section ends after %d of %d FREs", f.Got, f.Want)
	case reader.FRETypeUndefined:
		return fmt.Sprintf("FRE type %d is undefined: the FREs cannot be decoded", f.Got)
	case reader.WordSizeUndefined:
		return fmt.Sprintf("word size code %d is undefined: this FRE and those after it cannot be decoded", f.Got)
	case reader.FREsShared:
		return "the FDEs use the FRE sub-section more than twice over: these FREs were not decoded"
	case reader.FaultsCut:
		return fmt.Sprintf("%d more faults", f.Got)
	}
	return containerText(f)
}

func beyondEnd(what string, f reader.Fault) string {
	return fmt.Sprintf("%s ends at 0x%x, beyond the section's end at 0x%x", what, f.Want, f.Got)
}

// containerText describes a fault of the ELF file or archive.
func containerText(f reader.Fault) string {
	text := ""
	switch f.Code {
	case reader.SectionBeyondEnd:
		return fmt.Sprintf("the .sframe section ends at 0x%x, beyond the file's end at 0x%x", f.Want, f.Got)
	case reader.SectionTooLarge:
		return fmt.Sprintf("%d bytes exceed the limit of %d", f.Got, f.Want)
	case reader.SectionCompressed:
		text = "the .sframe section is compressed"
	case reader.SectionNoBits:
		text = "the .sframe section has no bytes in the file (SHT_NOBITS)"
	case reader.RelocsDamaged:
		text = "relocations"
	case reader.ELFDamaged:
		text = "ELF"
	case reader.ArchiveDamaged:
		text = "archive"
	case reader.MemberUnreadable:
		text = "archive member"
	case reader.OtherMachine:
		return "the format has no ABI for the file: relocations and symbols are not read"
	case reader.BudgetExceeded:
		text = "not read to the end"
	default:
		return cleanName(f.String())
	}
	if f.Detail != "" {
		text += ": " + cleanName(f.Detail)
	}
	return text
}
