package campaign

import (
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// internalFailure returns a crash for the first report of an internal failure in a text, false if there is none.
func internalFailure(text []byte) (v ending, ok bool) {
	v = ending{outcome: Crash, message: crashMessage(text)}
	for i := range programs().Failures {
		f := &programs().Failures[i]
		if !f.in(text) {
			continue
		}
		m := f.pattern.FindSubmatchIndex(text)
		if m == nil {
			continue
		}
		v.key = string(f.pattern.Expand(nil, []byte(f.Key), text, m))
		if strings.HasPrefix(v.key, "assertion ") { // small numbers are those of its source
			v.key = normalize(v.key, "", long)
			return v, true
		}
		if s := programs().Stacks[f.Stack]; s != nil {
			from, to := m[0], len(text)
			if s.Last {
				to = m[1]
			} else if len(m) > 2 && m[2] >= 0 {
				from = m[2]
			}
			var place string
			if place, v.frames = s.read(text[from:to]); place == "" && f.Place != "" {
				place = " " + string(f.pattern.Expand(nil, []byte(f.Place), text, m))
			}
			v.key += place
			_, v.allocated = s.read(s.allocated.Find(text[from:to]))
		}
		v.key = normal(v.key, "")
		return v, true
	}
	return ending{}, false
}

// LastWords returns the key of the internal failure that the standard error of a program reports, or "" for none.
func LastWords(stderr string) string {
	v, _ := internalFailure([]byte(stderr))
	return v.key
}

// leakKey is how the keys of memory that is never freed begin.
const leakKey = "leak"

// mostFrames bounds the frames of a stack that a report has.
const mostFrames = 12

// read returns the place of a failure, after a space, and the frames of its stack. If a function there only
// reads a number, its callers belong to the place.
func (s *stack) read(text []byte) (place string, frames []string) {
	text = s.part.Find(text)
	if from := s.after.FindAllIndex(text, -1); len(from) > 0 {
		text = text[from[len(from)-1][1]:]
	}
	fn, file, whole, line := s.frame.SubexpIndex("func"), s.frame.SubexpIndex("file"), s.frame.SubexpIndex("path"), s.frame.SubexpIndex("line")
	all := s.frame.FindAllSubmatch(text, -1)
	if s.Last {
		slices.Reverse(all)
	}
	begun, helping := false, true
	for _, m := range all[:min(len(all), 4*mostFrames)] {
		name, base := string(m[fn]), ""
		outside := s.outside.MatchString(name)
		if whole >= 0 {
			base = path.Base(string(m[whole]))
			outside = outside || s.outside.Match(m[whole])
		} else {
			base = string(m[file])
		}
		if outside && !begun {
			continue
		}
		at := base + ":" + string(m[line])
		if helping {
			if begun {
				place += " from"
			}
			place += " " + at
		}
		begun, helping = true, helping && programs().helper.MatchString(name)
		if len(frames) < mostFrames {
			frames = append(frames, name+" "+at)
		}
	}
	return place, frames
}

var sanitizerLine = regexp.MustCompile(`AddressSanitizer: ([A-Za-z-]+)|(?:READ|WRITE) of size \d+|caused by a (?:READ|WRITE)`)

// crashMessage returns what a sanitizer says of a bad access: its kind, and whether it is a read or
// a write; "" for other crashes.
func crashMessage(text []byte) string {
	var words []string
	for _, m := range sanitizerLine.FindAllSubmatch(text, 4) {
		word := string(m[0])
		if len(m[1]) > 0 {
			word = string(m[1])
		}
		if !slices.Contains(words, word) && word != "attempting" && word != "requested" {
			words = append(words, word)
		}
	}
	return strings.Join(words, ", ")
}

// overwrites reports whether a crash is a write out of bounds, by the words of sanitizers and of the C library, which have
// nothing but a text. Journals and the corpus keep no more of a crash than its key and message.
func overwrites(key, message string) bool {
	return strings.Contains(message, "WRITE") || strings.HasPrefix(key, "heap ") || strings.HasPrefix(key, "asan write") || strings.HasPrefix(key, "sanitizer write")
}

var (
	hexNumber = regexp.MustCompile(`\b0x[0-9a-fA-F]+\b|\b[0-9a-f]{6,16}\b`)
	sourcePos = regexp.MustCompile(`[\w.+-]+\.(?:c|cc|cpp|cxx|h|hpp|rs|go|zig|py|java|kt|m?js|ts):\d+`)
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
