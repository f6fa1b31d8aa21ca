package campaign

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// report is a pattern of the text with which programs report that they have failed internally. Its
// key is made of its groups.
type report struct {
	*regexp.Regexp
	key string // with $1, $2, ...
}

// reports are in the order in which they are looked for.
var reports = []report{
	{regexp.MustCompile(`AddressSanitizer: (?:SEGV|BUS|unknown-crash|use-after-poison|heap-use-after-free|(?:heap|stack|global|dynamic-stack)-buffer-(?:over|under)flow)\b(?s:.*?)#\d+ 0x[0-9a-f]+ in (?:[^_\s]\S*|_[^_i]\S*|__sframe\S*) (?:\S*/)?([^/\s]+\.(?:c|cc|cpp|h|rs):\d+)`), "asan access $1"},
	{regexp.MustCompile(`AddressSanitizer: ([A-Za-z-]+)(?s:.*?)#\d+ 0x[0-9a-f]+ in (?:[^_\s]\S*|_[^_i]\S*|__sframe\S*) (?:\S*/)?([^/\s]+\.(?:c|cc|cpp|h|rs):\d+)`), "asan $1 $2"},
	{regexp.MustCompile(`(AddressSanitizer|LeakSanitizer|MemorySanitizer|ThreadSanitizer): ([A-Za-z-]+)`), "$1 $2"},
	{regexp.MustCompile(`(?m)^(?:\S*/)?([^/\s:]+:\d+):\d+: runtime error: ([^\n]*)`), "ubsan $1 $2"},
	{regexp.MustCompile("(?:\\S*/)?([^/\\s:]+:\\d+): ([^\\n]{0,200}?): Assertion [`']([^\\n]*?)' failed"), "assertion $1 $3"},
	{regexp.MustCompile(`BFD[^\n]*assertion fail \S*?([^/\s]+:\d+)`), "BFD assertion $1"},
	{regexp.MustCompile(`internal error[:,]? (?:aborting )?(?:at|in) \S*?([^/\s]+?:\d+)`), "internal error $1"},
	{regexp.MustCompile(`internal error:? ([^\n]{0,80})`), "internal error $1"},
	{regexp.MustCompile(`panicked at (?:[^\n]*, )?\S*?([^/\s:]+:\d+)`), "panic $1"},
	{regexp.MustCompile(`(?m)^panic: ([^\n]*)`), "panic $1"},
	{regexp.MustCompile(`terminate called after throwing an instance of '([^']+)'(?:\s+what\(\):\s+([^\n]*))?`), "exception $1 $2"},
	{regexp.MustCompile(`LLVM ERROR: ([^\n]*)`), "LLVM error $1"},
	{regexp.MustCompile(`\*\*\* ([a-z ]+ detected) \*\*\*`), "$1"},
	{regexp.MustCompile(`(?m)^((?:free|malloc|realloc|munmap_chunk|malloc_consolidate)\(\): [^\n]*|double free or corruption[^\n]*|corrupted [^\n]*|malloc\.c:[^\n]*)`), "heap $1"},
}

// internalFailure returns the key of the first report of an internal failure in a text, "" if there
// is none.
func internalFailure(text []byte) string {
	for _, r := range reports {
		if m := r.FindSubmatchIndex(text); m != nil {
			key := string(r.Expand(nil, []byte(r.key), text, m))
			if strings.HasPrefix(key, "assertion ") { // small numbers are those of its source
				return normalize(key, "", long)
			}
			return normal(key, "")
		}
	}
	return ""
}

var sanitizerLine = regexp.MustCompile(`AddressSanitizer: ([A-Za-z-]+)|(?:READ|WRITE) of size \d+|caused by a (?:READ|WRITE)`)

// crashMessage returns what a sanitizer says of a bad access: its kind, and whether it is a read or
// a write; "" for other crashes.
func crashMessage(text []byte) string {
	var words []string
	for _, m := range sanitizerLine.FindAllSubmatch(text, 3) {
		word := string(m[0])
		if len(m[1]) > 0 {
			word = string(m[1])
		}
		if !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return strings.Join(words, ", ")
}

var (
	hexNumber = regexp.MustCompile(`\b0x[0-9a-fA-F]+\b|\b[0-9a-f]{6,16}\b`)
	sourcePos = regexp.MustCompile(`[\w.+-]+\.(?:c|cc|cpp|h|rs|go):\d+`)
	decimal   = regexp.MustCompile(`\d+`)
	long      = regexp.MustCompile(`\d{3,}`)
	// directories are those of absolute paths; a program begins its messages with its name.
	directories = regexp.MustCompile(`(?:\.{1,2}|)/(?:[\w.+@-]+/)+|\.\./`)
	programName = regexp.MustCompile(`^[\w+-][\w.+-]*: `)
	spaces      = regexp.MustCompile(`\s+`)
)

// maxKey bounds the bytes of a key.
const maxKey = 160

// normal returns a message without what differs between runs: the directory of the input and its
// name, addresses and numbers, but with positions in sources.
func normal(text, dir string) string { return normalize(text, dir, decimal) }

// normalize is normal for numbers of a form.
func normalize(text, dir string, numbers *regexp.Regexp) string {
	if dir != "" {
		text = strings.ReplaceAll(text, dir+"/", "")
	}
	text = programName.ReplaceAllString(directories.ReplaceAllString(text, ""), "")
	text = hexNumber.ReplaceAllString(text, "N")
	var b strings.Builder
	at := 0
	for _, m := range sourcePos.FindAllStringIndex(text, -1) {
		b.WriteString(numbers.ReplaceAllString(text[at:m[0]], "N"))
		b.WriteString(text[m[0]:m[1]])
		at = m[1]
	}
	b.WriteString(numbers.ReplaceAllString(text[at:], "N"))
	text = strings.TrimSpace(spaces.ReplaceAllString(strings.ToValidUTF8(b.String(), "?"), " "))
	return text[:min(len(text), maxKey)]
}

// complaint matches the lines with which programs report a fault of their input.
var complaint = regexp.MustCompile(`(?i)\b(error|warning|fatal|invalid|corrupt\w*|failure|failed|truncated|bad|cannot|can't|unable|unknown|unsupported|not supported|not recognized|unexpected|inconsistent|exceeds?|beyond|malformed|out of memory)\b`)

// noEntry is what GNU ld reports of an input without code.
const noEntry = "cannot find entry symbol"

// complaints returns the lines of a run that report a fault, normalized.
func complaints(stdout, stderr []byte, dir string) (all []string) {
	for line := range strings.Lines(string(stderr[:min(len(stderr), maxText)])) {
		if line = normal(line, dir); line != "" && !strings.Contains(line, noEntry) {
			all = append(all, line)
		}
	}
	for line := range strings.Lines(string(stdout[:min(len(stdout), maxText)])) {
		if complaint.MatchString(line) {
			all = append(all, normal(line, dir))
		}
	}
	return all
}

// maxText bounds the bytes of a stream that are searched for messages.
const maxText = 1 << 16

var minorVersion = regexp.MustCompile(`(\.so\.\d+)(?:\.\d+)+`)

// moduleName returns the name of a module without its minor version, by whatever link it was found.
func moduleName(path string) string {
	return minorVersion.ReplaceAllString(filepath.Base(path), "$1")
}
