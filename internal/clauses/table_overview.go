package clauses

const (
	forReaders = "It directs readers; it requires nothing of the data."
	forLater   = "It is about versions that do not exist yet."
	forTerms   = "It explains a word and demands nothing."
)

var overview = []Clause{
	{"C-ALL-OVR-01", All, Overview, "SFrame data is in a section named .sframe, which is loaded into memory.", []string{"SF5001", "SF5004", "SF5013"},
		"Whether a program without the section was meant to have one, the user has to say: SF5001 runs only when asked for."},
	{"C-V12-OVR-02", V12, Overview, "If there is a section, it is in a segment of its own, PT_GNU_SFRAME. (Errata 1 and version 3 do without the words \"of its own\".)", []string{"SF5009", "SF5010", "SF5011", "SF5012", "SF5014"}, ""},
	{"C-V2E1-OVR-03", V2E1V3, Overview, "If there is a section, it is in a segment of type PT_GNU_SFRAME.", []string{"SF5009", "SF5010", "SF5011", "SF5012", "SF5014"},
		"A program that finds its section by symbols of its linker script needs no segment, as the Linux kernel; the bytes do not distinguish such a program from a faulty one."},
	{"C-V2E1-OVR-04", V2E1V3, Overview, "In an ELF file the section has the type SHT_GNU_SFRAME.", []string{"SF5003"}, ""},
	{"C-V12-OVR-05", V12, Overview, "The ABIs of the format are AMD64 and AArch64 (AAPCS64).", []string{"SF1006", "SF5007"}, ""},
	{"C-V2E1-OVR-06", V2E1V3, Overview, "The ABIs of the format are AMD64, AArch64 (AAPCS64) and s390x.", []string{"SF1006", "SF5007"}, ""},
	{"C-V2-OVR-07", V2, Overview, "The header and the function descriptor entries have their elements at natural boundaries; the rest of the section is unaligned.", []string{"SF1024", "SF3011", "SF5006"}, ""},
	{"C-V3-OVR-08", V3, Overview, "The header and the function descriptor index have their elements at natural boundaries; the rest of the section is unaligned.", []string{"SF1024", "SF3011", "SF5006"},
		"The 64-bit start field of entry i is at 28 + 16i, which is not a multiple of 8; the rules hold it to 4."},
	{"C-V23-OVR-09", V23, Overview, "All structures are packed unless the text says otherwise.", []string{"SF1016", "SF3012"},
		"A structure that was written with padding shows only in the wrong values after the padding."},
	{"C-ALL-OVR-10", All, Overview, "All contents are in the byte order of the system that the section is for.", []string{"SF1007", "SF5008"},
		"A single field in the other byte order is just another value; it shows only where the value is impossible."},
	{"C-ALL-OVR-11", All, Overview, "A reader may learn the byte order from the magic number.", nil, forReaders},
	{"C-ALL-OVR-12", All, Overview, "Addresses are expressed in bytes.", []string{"SF6001", "SF6002"},
		"A wrong unit is a wrong value; it shows if symbols give the right one."},
	{"C-V3-OVR-13", V3, Overview, "A \"data word\" has nothing to do with the word of the machine.", nil, forTerms},
	{"C-V1-CHG-01", V1, Changes12, "A function descriptor entry has 17 bytes.", []string{"SF1012", "SF1014", "SF1016"}, ""},
	{"C-V2-CHG-02", V2, Changes12, "A function descriptor entry has 20 bytes: it has got the size of a repeated block of code and two bytes of padding.", []string{"SF1012", "SF1014", "SF1016", "SF2005", "SF2007"}, ""},
	{"C-V2-CHG-03", V2, Changes12, "Repeated blocks of code, such as the entries of a PLT, are described by entries of type SFRAME_FDE_TYPE_PCMASK.", []string{"SF2008"},
		"Whether code repeats is a property of the code. INC describes it as well, at the cost of a row for each repetition."},
	{"C-V2E2-CHG-04", V2E2V3, Changes12, "A row with 0 data words says that RA is undefined for its PCs.", nil,
		"Only the CFI and the code show whether RA really is undefined there. No byte shows that the file was made for errata 2."},
	{"C-V2E2-CHG-05", V2E2V3, Changes12, "A stack tracer may take such a row as the end of the stack.", nil, forReaders},
	{"C-ALL-CHG-06", All, Changes12, "Version 1 is obsolete and should not be used.", []string{"SF1004"}, ""},
	{"C-V3-CHG-07", V3, Changes23, "The fields that versions 1 and 2 have in one entry for a function are in two structures, index and attribute.", []string{"SF1012", "SF1014", "SF3003"}, ""},
	{"C-V3-CHG-08", V3, Changes23, "The number of rows of a function has 16 bits; there is no padding field.", []string{"SF3002", "SF3012"},
		"A function with more rows has no entry at all; only .eh_frame (SF6014) or symbols (SF6003) show that."},
	{"C-V3-CHG-09", V3, Changes23, "The start of a function has 64 bits.", []string{"SF5020"}, ""},
	{"C-V3-CHG-10", V3, Changes23, "Signal frames are marked by a bit of the info byte.", nil,
		"Only the CFI and the code show whether a function is a signal frame; both values of the bit are valid."},
	{"C-V3-CHG-11", V3, Changes23, "A function of default type without any row is an outermost frame.", []string{"SF2023", "SF2024", "SF2025"},
		"GNU as also writes one where it leaves out CFI. The rules find what cannot be an outermost frame: signal frames, stubs and functions that return. SF6011 compares with the CFI. (In versions 1 and 2, where it has no meaning, SF2018 finds it.)"},
	{"C-V3-CHG-12", V3, Changes23, "On s390x a register that holds FP or RA is encoded by a flexible FDE, no longer by the words of a default one.", []string{"SF4004"}, ""},
}
