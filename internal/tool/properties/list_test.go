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
		{"round trip", "The section is written, read, described and written again. The bytes and the recovery rules stay the same, even if the data words are chosen again.", (*run).roundTrip},
		{"regions", "Every byte belongs to one region, and only the planned gaps exist.", (*run).regions},
		{"relocations", "A section whose starts come from relocations is written and read the same way.", (*run).relocatable},
		{"byte order", "Conversion to the other byte order and back gives the same section, both of the bytes and of the plan.", (*run).byteOrder},
		{"version", "Conversion from V2 to V3 and back gives the same section. Conversion from V3 to V2 and back also gives the same section, if V2 can express the section.", (*run).version},
		{"look-up", "Look-ups return the same FREs as a scan of the plan.", (*run).lookup},
		{"stepping", "An unwind cursor finds the same frames as a plain interpreter of the manual's appendix, and stops at the same frame for the same reason.", (*run).stepping},
		{"findings", "The rules report no error.", (*run).findings},
		{"container", "In an ELF file the section and its findings are the same as for the raw section.", (*run).container},
		{"without section headers", "The section and its findings are also the same in an executable without section headers.", (*run).stripped},
		{"archive", "The section and its findings are also the same in an archive of any format. Unreadable members are reported one by one.", (*run).archives},
		{"breaks", "The rules report up to three breaks at their places, and nothing else.", (*run).breaks},
		{"damage", "Damaged copies of the section, of ELF files and of archives cause no panic. Findings are inside the file. Look-ups agree with a scan of the tables. Everything that the reader can describe is rewritten unchanged and dumped in all styles.", (*run).damage},
		{"text", "A valid, broken or damaged section can be printed as text that assembles to the same bytes. The same is true of an ELF file around the section. The text of a valid section omits bytes and fields that follow from the rest of the text.", (*run).text},
		{"reading", "A failed read, a truncated file and a section above the size limit are reported as such. A file that is read by its name gives the same result.", (*run).reading},
		{"large", "One section in 5,000 has 70,000 functions, so it is read and walked in parts.", (*run).large},
	}
}
