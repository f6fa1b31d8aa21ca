package clauses

// Practice says, by rule, what it rests on where the manual is silent.
var Practice = map[string]string{
	"SF5005": "Producers set no other flag than SHF_ALLOC; what the others do, the ELF specification tells.",
	"SF5017": "Only start fields need relocations. The manual does not speak of relocatable files; linkers agree.",
	"SF5024": "The ELF specification.",
	"SF5025": "The ELF specification.",
	"SF5026": "The ELF specification forbids SHF_COMPRESSED for what is loaded.",
	"SF5027": "The ELF specification: SHT_NOBITS has no bytes in the file.",
	"SF5028": "The ELF specifications of the three ABIs: relocations are SHT_RELA.",
	"SF5029": "The format of archives, as ar writes and linkers read it.",
	"SF5030": "The format of thin archives, as GNU ar writes and linkers read it.",
	"SF5031": "A limit of this tool, far beyond what any program has needed.",
	"SF5032": "The ELF specification: a linker keeps one section group of a name. What that means for SFrame data in no group, the linker decides.",
	"SF6004": "GNU ld makes FDEs for its PLT whether its inputs have SFrame data or not.",
	"SF6005": "A PLT is code like any other; only the linker can describe it.",
	"SF7003": "Advice: an FRE that repeats the previous one can be left out.",
	"SF7006": "Advice: the sum of the other advice.",
	"SF8001": demands,
	"SF8002": demands,
	"SF8003": demands,
	"SF8004": demands,
}

const demands = "What the consumer demands, as docs/consumers.md has it, measured or read in its source."
