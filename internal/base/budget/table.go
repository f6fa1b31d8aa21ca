package budget

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Resource is something that a limit bounds.
type Resource uint8

// Resources. The limits from Findings to CFI apply to a rule or a file before the check. The others are spent during
// a run.
const (
	Findings Resource = iota // of a rule in a section or file
	Section                  // bytes of a .sframe section
	Code                     // bytes of machine code that rules check
	Symbols                  // bytes of symbol tables that rules use
	CFI                      // bytes of call frame information that rules use
	Memory                   // bytes of memory for a file; its largest .sframe section and as much again up to 32 MiB are free
	Read                     // bytes read for a file
	Work                     // table entries, FDEs, FREs and instructions visited for a file
	Names                    // bytes of names held for a file
	Output                   // bytes of a report
	Time                     // nanoseconds for a file

	NumKinds = int(iota)
)

// Unit is the unit of a limit, which determines the syntax of its values.
type Unit uint8

// Units.
const (
	Bytes Unit = iota
	Count
	Duration
)

// Bound describes one limit.
type Bound struct {
	Kind    Resource
	Name    string // of the budget, in messages
	Flag    string // without the dashes; also the key below limits: in a configuration
	Unit    Unit
	Default int64
	// PerByte is added to the limit for each byte that a file really has (see [Budget.File]). For Memory it is added
	// for each byte of an object's sections (see [Budget.Content]).
	PerByte int64
	Help    string // for the flag; the placeholder of the value is in back quotes
	Text    string // for the documentation: what is bounded, and the effect of exceeding it
}

// Defaults. No real build reaches any of them, as some limits grow with the file.
const (
	DefaultFindings = 1000
	DefaultSection  = 1 << 30
	DefaultCode     = 1 << 30
	DefaultSymbols  = 1 << 30
	DefaultCFI      = 1 << 30
	DefaultMemory   = 28 << 20
	DefaultRead     = 2 << 30
	DefaultWork     = 2 << 30
	DefaultNames    = 8 << 20
	DefaultOutput   = 1 << 30
	DefaultTime     = 10 * time.Minute

	MemoryPerByte = 4
	ReadPerByte   = 8
	WorkPerByte   = 128
	NamesPerByte  = 1
)

var table = [NumKinds]Bound{
	Findings: {Findings, "findings", "max-findings", Count, DefaultFindings, 0,
		"report at most `N` findings of a rule in a section; 0: all",
		"findings of a rule in a section; further findings are only counted"},
	Section: {Section, "section", "max-bytes", Bytes, DefaultSection, 0,
		"do not read .sframe sections of more than `SIZE` bytes (4096, 64M,\n1G); 0: read all up to 2 GiB",
		"bytes of a `.sframe` section; larger sections are not read, and SF5031 reports them. No section of 2 GiB or more is read"},
	Code: {Code, "code", "code-limit", Bytes, DefaultCode, 0,
		"skip rules on machine code for files with more than `SIZE` bytes\nof it; 0: never",
		"bytes of machine code in a file; rules on machine code skip larger files"},
	Symbols: {Symbols, "symbols", "symbol-limit", Bytes, DefaultSymbols, 0,
		"skip rules on symbols for files with symbol tables of more than\n`SIZE` bytes; 0: never",
		"bytes of symbol tables in a file; rules on symbols skip larger files"},
	CFI: {CFI, "CFI", "cfi-limit", Bytes, DefaultCFI, 0,
		"skip sections .eh_frame and .debug_frame of more than `SIZE` bytes;\n0: never",
		"bytes of a section `.eh_frame` or `.debug_frame`; rules on CFI skip larger sections and use the smaller ones"},
	Memory: {Memory, "memory", "max-memory", Bytes, DefaultMemory, MemoryPerByte,
		"hold at most `SIZE` bytes for a file, without its largest .sframe\nsection and as much again up to 32M; 0: any number",
		"bytes held in memory for a file at once (tables of the container, relocations, findings). The largest `.sframe` section does not count, nor does the same number of bytes again, up to 32M"},
	Read: {Read, "reading", "max-read", Bytes, DefaultRead, ReadPerByte,
		"read at most `SIZE` bytes for a file; 0: any number",
		"bytes read for a file; a second read counts again"},
	Work: {Work, "work", "max-work", Bytes, DefaultWork, WorkPerByte,
		"visit at most `N` table entries, FDEs, FREs and instructions for a\nfile (1G); 0: any number",
		"entries of tables, FDEs, FREs and instructions visited for a file; a second visit counts again"},
	Names: {Names, "names", "max-names", Bytes, DefaultNames, NamesPerByte,
		"hold at most `SIZE` bytes of names for a file; 0: any number",
		"bytes of the names of sections, functions and archive members held in memory for a file; each name counts once"},
	Output: {Output, "output", "max-output", Bytes, DefaultOutput, 0,
		"write at most `SIZE` bytes of findings to a report; 0: any number",
		"bytes of a report; findings beyond the limit are only counted"},
	Time: {Time, "time", "timeout", Duration, int64(DefaultTime), 0,
		"skip the rest of a file after this `DURATION` (500ms, 1m30s);\n0: never",
		"time for a file; the rest of the file is skipped"},
}

// Table returns all limits, ordered by kind.
func Table() []Bound { return table[:] }

// Reading returns the limits of reading a file. They also apply to commands that run no rules and write no reports.
func Reading() []Bound {
	return slices.DeleteFunc(slices.Clone(table[:]), func(b Bound) bool {
		return b.Kind == Findings || b.Kind == Code || b.Kind == Symbols || b.Kind == CFI || b.Kind == Output
	})
}

// Bound returns the limit's description.
func (k Resource) Bound() *Bound { return &table[k] }

// Parse parses the value of a flag; 0 means no limit.
func (b *Bound) Parse(text string) (int64, error) {
	switch b.Unit {
	case Count:
		n, err := strconv.ParseUint(text, 10, 31)
		if err != nil {
			return 0, fmt.Errorf("expected a number of at least 0")
		}
		return int64(n), nil
	case Duration:
		d, err := time.ParseDuration(text)
		if err != nil || d < 0 {
			return 0, fmt.Errorf("expected a duration like 500ms or 1m30s")
		}
		return int64(d), nil
	}
	return parseSize(text)
}

// Format is the inverse of Parse.
func (b *Bound) Format(v int64) string {
	switch b.Unit {
	case Count:
		return strconv.FormatInt(v, 10)
	case Duration:
		text := time.Duration(v).String()
		if cut, ok := strings.CutSuffix(text, "m0s"); ok {
			text = cut + "m"
		}
		return text
	}
	return formatSize(v)
}

// Limits has a limit of each kind. 0 means the default; a negative value means no limit.
type Limits [NumKinds]int64

// Of returns the limit of a kind, negative for none.
func (l *Limits) Of(k Resource) int64 {
	if l[k] == 0 {
		return table[k].Default
	}
	return l[k]
}

// Set sets the limit of a kind to the value of a flag; 0 means no limit.
func (l *Limits) Set(k Resource, v int64) {
	if v == 0 {
		v = -1
	}
	l[k] = v
}
