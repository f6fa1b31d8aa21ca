package profile

import (
	"strconv"
	"strings"
)

// parse returns a number, 0 for none.
func parse(s string, base int) int64 {
	n, _ := strconv.ParseInt(strings.TrimSpace(s), base, 64)
	return n
}

func parseHex(s string) (uint64, bool) {
	n, err := strconv.ParseUint(strings.TrimPrefix(s, "0x"), 16, 64)
	return n, err == nil
}

// kernelStart is the first address that user space does not have.
const kernelStart = 1 << 63

// parseFrame reads a line of a stack:
//
//	    119a leaf+0xa (/usr/bin/prog)      of perf, and of bpftrace with a decimal offset
//	leaf+10                                of bpftrace
//	0x7f2c8014e0d0                         of bpftrace, without a symbol or with ustack(raw)
//	<build ID> + 0x119a                    of bpftrace with ustack(build_id)
//
// It reports false for other lines, and whether the frame is one of user space.
func parseFrame(line string) (f Frame, user, ok bool) {
	s := strings.TrimSpace(line)
	if s == "" {
		return f, false, false
	}
	if i := strings.LastIndex(s, " ("); i >= 0 && strings.HasSuffix(s, ")") {
		s, f.File = s[:i], s[i+2:len(s)-1]
	}
	first, rest, _ := strings.Cut(s, " ")
	if len(first) >= 32 && isHex(first) {
		f.BuildID = strings.ToLower(first)
		f.IP, f.HasIP = parseHex(strings.TrimLeft(rest, "+ "))
		return f, true, f.HasIP
	}
	if id, off, cut := strings.Cut(first, "+"); cut && len(id) >= 32 && isHex(id) {
		f.BuildID = strings.ToLower(id)
		f.IP, f.HasIP = parseHex(off)
		return f, true, f.HasIP
	}
	if f.IP, f.HasIP = parseHex(first); !f.HasIP {
		rest = s
	}
	f.symbol(strings.TrimSpace(rest))
	if !f.HasIP && !f.HasOffset {
		return f, false, false
	}
	user = f.IP < kernelStart
	if f.File == "inlined" {
		f.File, f.Inlined = "", true
	}
	if strings.HasPrefix(f.File, "[") && f.File != "[vdso]" || f.File == "unknown" {
		user = user && !strings.HasPrefix(f.File, "[kernel") && !strings.HasPrefix(f.File, "[guest")
		f.File = ""
	}
	return f, user, true
}

// symbol takes a symbol and the distance from it, which perf prints in hexadecimal.
func (f *Frame) symbol(s string) {
	i := strings.LastIndex(s, "+")
	if i < 0 {
		if s != "[unknown]" {
			f.Symbol = s
		}
		return
	}
	off, err := strconv.ParseUint(s[i+1:], 0, 64)
	if err == nil {
		f.Symbol, f.Offset, f.HasOffset = s[:i], off, true
	}
}

func isHex(s string) bool { return strings.Trim(s, "0123456789abcdefABCDEF") == "" }

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// parseHeader reads the first line of a sample of perf script: command, thread or process and
// thread, perhaps the processor, time, perhaps the period, event, and perhaps a frame.
func parseHeader(line string) (title string, thread int, rest string, ok bool) {
	fields := strings.Fields(line)
	for i := 1; i+1 < len(fields); i++ {
		id := fields[i]
		if _, tid, cut := strings.Cut(id, "/"); cut {
			id = tid
		}
		next := fields[i+1]
		if strings.HasPrefix(next, "[") && strings.HasSuffix(next, "]") && i+2 < len(fields) {
			next = fields[i+2]
		}
		time, colon := strings.CutSuffix(next, ":")
		if !isDigits(id) || !colon || !isDigits(strings.Replace(time, ".", "", 1)) {
			continue
		}
		head := line[:strings.Index(line, next)+len(time)]
		after := line[len(head)+1:]
		if j := strings.Index(after, ": "); j >= 0 {
			rest = after[j+2:]
		}
		return strings.Join(strings.Fields(head), " "), int(parse(id, 10)), rest, true
	}
	return "", 0, "", false
}

// isHeader reports whether a line that begins with blanks is the first one of a sample: perf
// aligns the names of commands.
func isHeader(line string) bool {
	_, _, _, ok := parseHeader(line)
	return ok
}
