package clauses

// topmostFrames are the statements of the RFC that led to the flexible FDE
// type. Where the manual decided otherwise later, the reason says so.
var topmostFrames = []Clause{
	{"C-V3-TOP-01", V3, TopmostFrames, "The default type recovers the CFA from SP or FP plus an offset, and RA and FP from memory at the CFA plus an offset; on AMD64, RA is always at the CFA minus 8.", []string{"SF1008", "SF4001"},
		"Only the code shows what is true at an address."},
	{"C-V3-TOP-02", V3, TopmostFrames, "A flexible FRE always has two words for each of CFA, RA and FP that it tracks.", []string{"SF3017", "SF3020"},
		"The manual has a single word of padding for an RA that is not tracked."},
	{"C-V3-TOP-03", V3, TopmostFrames, "The pairs are in the order CFA, RA, FP.", nil,
		"Pairs that have changed places read as other rules. (In two places the RFC has FP before RA; the manual decided.)"},
	{"C-V3-TOP-04", V3, TopmostFrames, "The first word of a pair is a register number, shifted left by 3, with an unused bit 2, bit 1 for a dereference and bit 0 for a register.", []string{"SF3016", "SF3019"}, ""},
	{"C-V3-TOP-05", V3, TopmostFrames, "The second word of a pair is the offset.", nil,
		"Every number is an offset."},
	{"C-V3-TOP-06", V3, TopmostFrames, "Bit 0 is 1 if the base is the register and 0 if it is the CFA. The rule for the CFA has a register as its base.", []string{"SF3018"},
		"For RA and FP both values of the bit are valid."},
	{"C-V3-TOP-07", V3, TopmostFrames, "If the base is the CFA, the register number is 0.", []string{"SF3021", "SF3026"}, ""},
	{"C-V3-TOP-08", V3, TopmostFrames, "Register 0 can be a base, with bit 0 set.", nil,
		"It allows a value and forbids none."},
	{"C-V3-TOP-09", V3, TopmostFrames, "The ABI defines how many bits a register number has. With more than 5 bits, the words have at least 16.", []string{"SF3019"},
		"A number that does not fit is cut off and reads as another one."},
	{"C-V3-TOP-10", V3, TopmostFrames, "With a dereference the value is what is in memory at base plus offset, else the sum itself. No sum is expected for RA and FP.", []string{"SF3022"},
		"A register without an offset is a sum that is expected."},
	{"C-V3-TOP-11", V3, TopmostFrames, "A tracer uses an FRE whose RA or FP comes from another register than SP or FP for the topmost frame only, and else does without SFrame data.", nil, forReaders},
	{"C-V3-TOP-12", V3, TopmostFrames, "Which frame is the topmost one, an assembler cannot determine, but a tracer can.", nil, forReaders},
	{"C-V3-TOP-13", V3, TopmostFrames, "SP has no rule of its own: the caller's SP is the CFA (minus 160 on s390x).", nil,
		"There is no field that could say otherwise."},
	{"C-V3-TOP-14", V3, TopmostFrames, "FP is tracked if the FRE has more than 4 words, and is unchanged if not.", []string{"SF3020"},
		"In the manual, 3 or 4 words are also enough, with padding in place of RA."},
	{"C-V3-TOP-15", V3, TopmostFrames, "A tracer checks the words by the FDE type.", nil, forReaders},
	{"C-V3-TOP-16", V3, TopmostFrames, "The entries of a PLT need no flexible FDE: PC type MASK and the default type describe them.", []string{"SF7007"}, ""},
	{"C-V3-TOP-17", V3, TopmostFrames, "Combinations that no code needs yet, such as FP = register + offset, can be written.", nil,
		"It allows what SF3022 reports as suspicious, and forbids nothing."},
}

// frameState are the statements of libunwind's note on what its cursor holds.
// It is about IA-64; what is said of SP, IP and the return address holds for
// every tracer.
var frameState = []Clause{
	{"C-ALL-CUR-01", All, FrameState, "The state of a frame is its instruction pointer, stack pointer, backing store pointer and frame mask.", nil, forTerms + " The last two exist only on IA-64, which is no ABI of SFrame."},
	{"C-ALL-CUR-02", All, FrameState, "The instruction pointer of the older frame is the return address that the younger one has saved.", []string{"SF3103", "SF3104"},
		"Only the code shows where it is saved. The rules find places where no code saves it."},
	{"C-ALL-CUR-03", All, FrameState, "The stack pointer of the older frame is that of the younger one plus the size of its frame, if that is fixed, else a saved value.", []string{"SF3101", "SF3109", "SF3114"},
		"Only the code shows how large a frame is. The rules find sizes that no frame has."},
	{"C-ALL-CUR-04", All, FrameState, "Backing store pointer and frame mask of the older frame come from saved registers of IA-64.", nil,
		"IA-64 is no ABI of SFrame."},
	{"C-ALL-CUR-05", All, FrameState, "The cursor represents the state at the instruction pointer: the state of the frame, and where the next younger frame has saved registers.", nil, forReaders},
	{"C-ALL-CUR-06", All, FrameState, "A step updates the state of the frame first, and where registers are saved afterwards.", nil, forReaders},
	{"C-ALL-CUR-07", All, FrameState, "A step needs the place of the return address, and the size of the frame or the place of the stack pointer.", []string{"SF3004", "SF3015", "SF3018"},
		"Only the CFI shows whether a PC without an FRE should have one."},
	{"C-ALL-CUR-08", All, FrameState, "The descriptors for the instruction pointer say how large the frame was at the call site, and what was saved before.", []string{"SF3203"},
		"Only the instructions show which state the code has at a call."},
	{"C-ALL-CUR-09", All, FrameState, "The start address of the procedure, its personality and its language-specific data are found apart from the frame state.", nil,
		"SFrame has only the start address, and each FDE has one."},
}
