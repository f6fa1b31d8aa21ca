package properties

// Property holds for every valid section.
type Property struct {
	Name   string // the draws of a property depend on it
	States string
	check  func(*run)
}

// All returns the list of properties.
func All() []Property {
	return []Property{
		{"round trip", "The section is written, read, described and written again: bytes and rules are the same, also after the data words are chosen again.", (*run).roundTrip},
		{"regions", "Every byte belongs to one region, and the gaps are those of the plan.", (*run).regions},
		{"relocations", "A section whose starts come from relocations is written and read the same way.", (*run).relocatable},
		{"byte order", "The section in the other byte order and back is the same, by its bytes and by its plan.", (*run).byteOrder},
		{"version", "V2 in V3 and back is the same, and so is V3 in V2 if V2 can express it.", (*run).version},
		{"look-up", "Look-ups find what a scan of the plan finds.", (*run).lookup},
		{"stepping", "An unwind cursor finds the same frames as a plain interpreter of the manual's appendix, and stops at the same frame for the same reason.", (*run).stepping},
		{"findings", "The rules report no error.", (*run).findings},
		{"container", "In an ELF file the section is the same, and the rules find what they find in the raw section.", (*run).container},
		{"without section headers", "In an executable without section headers it is the same.", (*run).stripped},
		{"archive", "In an archive of any format it is the same; members that cannot be read are reported one by one.", (*run).archives},
		{"breaks", "The rules report up to three breaks at their places, and nothing else.", (*run).breaks},
		{"damage", "Damaged copies of the section, of ELF files and of archives make nothing panic; findings are inside the file, look-ups find what a scan of the tables finds, and what can be described is written again unchanged and dumped in all styles.", (*run).damage},
		{"text", "The section, valid, with breaks and damaged, prints as a text that assembles to the same bytes, and so does an ELF file around it; the text of a valid one states no byte and no field that its meaning gives.", (*run).text},
		{"reading", "A failed read, a file that was truncated and a section above the size limit are reported as such; a file read by its name is the same.", (*run).reading},
		{"large", "One section in 5,000 has 70,000 functions, so that it is read and walked in parts.", (*run).large},
	}
}
