package clauses

// Practice says, by rule, what it rests on where the manual is silent. It must
// not be modified.
var Practice = map[string]string{
	"SF1022": "A section without FDEs describes no code. Producers leave it out, and the Linux kernel rejects it.",
	"SF2101": "Advice: beyond the limit a start cannot be written.",
	"SF2102": "Advice: a function with more FREs than the limit cannot be described.",
	"SF3201": topmost,
	"SF3202": topmost,
	"SF5005": "Producers set no other flag than SHF_ALLOC; the ELF specification describes the others.",
	"SF5017": "Only start fields need relocations. The manual does not speak of relocatable files; linkers agree.",
	"SF5024": "The manual does not cover this; the rule rests on the ELF specification.",
	"SF5025": "The manual does not cover this; the rule rests on the ELF specification.",
	"SF5026": "The ELF specification forbids SHF_COMPRESSED for what is loaded.",
	"SF5027": "The ELF specification: SHT_NOBITS has no bytes in the file.",
	"SF5028": "The ELF specifications of the three ABIs: they use only SHT_RELA.",
	"SF5029": "The format of archives, as ar writes and linkers read it.",
	"SF5030": "The format of thin archives, as GNU ar writes and linkers read it.",
	"SF5031": "A limit of this tool, far beyond what any program has needed.",
	"SF5033": "A limit of this tool, far beyond what any program has needed.",
	"SF5034": "The manual defines ABIs for three 64-bit machines and no others.",
	"SF5032": "The ELF specification: a linker keeps one section group of a name. The linker decides what that means for SFrame data in no group.",
	"SF5036": "The ELF specification: where a section is, and how many bytes it has.",
	"SF6004": "GNU ld makes FDEs for its PLT also if it ignores the SFrame data of its inputs.",
	"SF6005": "A PLT is code like any other; only the linker can describe it.",
	"SF6007": agreement,
	"SF6008": agreement,
	"SF6009": agreement,
	"SF6010": agreement,
	"SF6011": agreement,
	"SF6012": agreement,
	"SF6013": agreement,
	"SF6015": agreement,
	"SF6016": agreement,
	"SF6017": "DWARF 5, 6.4, and the Linux Standard Base for .eh_frame.",
	"SF6022": "DWARF 5, 6.4: CFI holds at each instruction. The manual does not speak of it.",
	"SF6020": "Which share of a program should have SFrame data, the user says.",
	"SF6023": "The specification gives each FRE its meaning, and an execution shows what is true.",
	"SF7001": "Advice: a narrower FRE type says the same in fewer bytes.",
	"SF7002": "Advice: narrower data words say the same in fewer bytes.",
	"SF7003": "Advice: an FRE that repeats the previous one can be left out.",
	"SF7004": "Advice: one FDE of PC type MASK covers neighbouring stubs.",
	"SF7006": "Advice: the sum of the other advice.",
	"SF8001": demands,
	"SF8002": demands,
	"SF8003": demands,
	"SF8004": demands,
}

const agreement = "Assemblers write SFrame data and CFI from the same directives, and linkers merge both; DWARF 5, 6.4, says what the CFI means."

const topmost = "Advice to readers: the manual and the RFC let such FREs hold in the topmost frame only, which a tracer has to check (C-V3-STK-06, C-V2E1-S39-11, C-V3-TOP-11)."

const demands = "What the consumer demands, measured or read in its source: see docs/consumers.md."
