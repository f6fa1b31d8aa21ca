package dump

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/reader"
)

// faultTexts describe faults by what was found, what was expected, and the details, which begin with a colon if there are any.
var faultTexts = map[reader.FaultCode]string{
	reader.TooShort:          "the section ends inside the header: %[1]d of %[2]d bytes",
	reader.BadMagic:          "0x%04[1]x is not the SFrame magic number in either byte order",
	reader.UnknownVersion:    "version %[1]d is unknown: nothing after the header can be decoded",
	reader.AuxBeyondEnd:      "the auxiliary header ends at 0x%[2]x, beyond the section's end at 0x%[1]x",
	reader.FDEsBeyondEnd:     "the FDE sub-section ends at 0x%[2]x, beyond the section's end at 0x%[1]x",
	reader.FREsBeyondEnd:     "the FRE sub-section ends at 0x%[2]x, beyond the section's end at 0x%[1]x",
	reader.FREOffBeyond:      "start_fre_off 0x%[1]x is beyond the FRE sub-section of 0x%[2]x bytes",
	reader.AttrTruncated:     "the attribute at start_fre_off 0x%[1]x is cut off by the end of the FRE sub-section",
	reader.FRETruncated:      "the FRE sub-section ends after %[1]d of %[2]d FREs",
	reader.FRETypeUndefined:  "FRE type %[1]d is undefined: the FREs cannot be decoded",
	reader.WordSizeUndefined: "word size code %[1]d is undefined: this FRE and those after it cannot be decoded",
	reader.FREsShared:        "the FDEs use the FRE sub-section more than twice over: these FREs were not decoded%[3]s",
	reader.FaultsCut:         "%[1]d more faults",

	reader.SectionBeyondEnd:  "the .sframe section ends at 0x%[2]x, beyond the file's end at 0x%[1]x",
	reader.SectionTooLarge:   "%[1]d bytes exceed the limit of %[2]d",
	reader.SectionCompressed: "the .sframe section is compressed%[3]s",
	reader.SectionNoBits:     "the .sframe section has no bytes in the file (SHT_NOBITS)%[3]s",
	reader.RelocsDamaged:     "relocations%[3]s",
	reader.ELFDamaged:        "ELF%[3]s",
	reader.ArchiveDamaged:    "archive%[3]s",
	reader.MemberUnreadable:  "archive member%[3]s",
	reader.BudgetExceeded:    "not read to the end%[3]s",
}

// FaultText describes a fault of a section, or of the ELF file or archive around it.
func FaultText(f reader.Fault) string {
	format, ok := faultTexts[f.Code]
	switch {
	case f.Code == reader.OtherMachine:
		return "the format has no ABI for the file: relocations and symbols are not read"
	case !ok:
		return cleanName(f.String())
	}
	detail := ""
	if f.Detail != "" {
		detail = ": " + cleanName(f.Detail)
	}
	return fmt.Sprintf(format, f.Got, f.Want, detail)
}
