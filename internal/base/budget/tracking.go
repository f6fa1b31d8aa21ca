package budget

// Limits of following the stack through machine code. They are not budgets: above one, less is
// known of a function, and the instructions with unknown states are counted.
const (
	TrackRange      = 16 << 20
	TrackUnit       = 1 << 20
	TrackParts      = 1 << 10
	TrackInsns      = 1 << 17
	TrackBlocks     = 1 << 13
	TrackExecutions = 64
	TrackVisits     = 256
	TrackRounds     = 16
	TrackSlots      = 64
	TrackTables     = 256
	TrackEntries    = 4096
	TrackSites      = 1 << 15
	TrackSiteBytes  = 1 << 18
	TrackEdges      = 1 << 20
	TrackMiddles    = 1 << 16
	TrackStarts     = 1 << 20
	TrackRelocs     = 256 << 20
	TrackRows       = 1 << 15
	TrackWitnesses  = 64
	TrackReplays    = 1 << 22
)

// Fixed is a limit that no flag changes.
type Fixed struct {
	Limit int64
	Text  string // what is bounded, and what happens beyond
}

// Tracking returns the limits of following the stack through machine code.
func Tracking() []Fixed {
	return []Fixed{
		{TrackRange, "bytes of code that an FDE describes; larger ones are not tracked"},
		{TrackUnit, "bytes of code of a function with its parts; larger ones are not tracked"},
		{TrackParts, "parts of a function; jumps to further parts count as calls"},
		{TrackInsns, "instructions of a function with its parts; larger ones are not tracked"},
		{TrackBlocks, "blocks of a function; functions with more are not tracked"},
		{TrackExecutions, "average executions of an instruction of a function, where reading 8 words of a state counts as one; functions that need more are not tracked"},
		{TrackVisits, "changes of the state before a block; after them, the state is unknown"},
		{TrackRounds, "repetitions of tracking a function without calls that presumably do not return"},
		{TrackSlots, "words of the stack that are followed at once"},
		{TrackTables, "jump tables of a function; further ones are not read"},
		{TrackEntries, "entries of a jump table; further ones are not read"},
		{TrackSites, "call sites in a table of exceptions; larger tables are not read"},
		{TrackSiteBytes, "bytes of a table of exceptions; the rest is not read"},
		{TrackEdges, "jumps of a file from one function into another; further ones count as calls"},
		{TrackMiddles, "functions of a file for which calls into their middle are recorded"},
		{TrackStarts, "possible ends of jump tables in the code of a file"},
		{TrackRelocs, "bytes of relocations of a section of code; the rest is not read"},
		{TrackRows, "rows of a function that are compared with its code; further ones are not"},
		{TrackWitnesses, "errors of a kind in a function that are confirmed by a path; further ones are only counted"},
		{TrackReplays, "instructions of paths that confirm the errors of a function; further errors are not confirmed"},
	}
}
