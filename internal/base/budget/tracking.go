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
	TrackPrologue   = 1 << 16
)

// Fixed is a limit that no flag changes.
type Fixed struct {
	Limit int64
	Text  string // what is bounded, and what happens beyond
}

// Tracking returns the limits of following the stack through machine code.
func Tracking() []Fixed {
	return []Fixed{
		{TrackRange, "bytes of code that an FDE describes; that of a larger one is not tracked"},
		{TrackUnit, "bytes of code of a function with its parts; a larger one is not tracked"},
		{TrackParts, "parts of a function; jumps to others are calls"},
		{TrackInsns, "instructions of a function with its parts; a larger one is not tracked"},
		{TrackBlocks, "blocks of a function; one with more is not tracked"},
		{TrackExecutions, "times that instructions of a function are executed on the average, where 8 words of a state that are looked at count as one; a function that needs more is not tracked"},
		{TrackVisits, "times that the state before a block changes; nothing is known of it beyond"},
		{TrackRounds, "times that a function is tracked again without calls that presumably do not return"},
		{TrackSlots, "words of the stack that are followed at a time"},
		{TrackTables, "jump tables of a function; others are not read"},
		{TrackEntries, "entries of a jump table; others are not read"},
		{TrackSites, "call sites in a table of exceptions; a larger one is not read"},
		{TrackSiteBytes, "bytes of a table of exceptions; the others are not read"},
		{TrackEdges, "jumps of a file from one function into another; others are calls"},
		{TrackMiddles, "functions of a file that calls into their middle are recorded of"},
		{TrackStarts, "addresses in the code of a file that may be the end of a jump table"},
		{TrackRelocs, "bytes of relocations of a section of code; more are not read"},
		{TrackRows, "rows of a function that are held against its code; further ones are not"},
		{TrackWitnesses, "errors of a kind in a function that a path confirms; later ones only count"},
		{TrackReplays, "instructions of paths that confirm the errors of a function; further ones are not confirmed"},
		{TrackPrologue, "first instructions of a function that are recognised as its prologue; further ones are not"},
	}
}
