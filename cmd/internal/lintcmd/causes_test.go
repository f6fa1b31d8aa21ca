package lintcmd

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Every report has the cause before its consequence, and what to do.
func TestCausesFirst(t *testing.T) {
	const path = "../../../corpus/files/lld-23/concatenated-v3.elf"
	// what begins the place in a report where the findings are, "" for its start
	begin := map[string]string{"sarif": `"results":`, "html": "<article"}
	for _, f := range formats {
		if f.name == "patch" {
			continue // it has no findings
		}
		status, out, _ := runMain(nil, "--no-config", "--format", f.name, path)
		assert.Equal(t, 1, status, f.name)
		_, found, ok := strings.Cut(out, begin[f.name])
		assert.True(t, ok, f.name)
		cause, effect := strings.Index(found, "SF1019"), regexp.MustCompile(`SF5009`).FindStringIndex(found)
		assert.GreaterOrEqual(t, cause, 0, f.name)
		if assert.NotNil(t, effect, f.name) {
			assert.Less(t, cause, effect[0], f.name)
		}
		text := strings.Join(strings.Fields(strings.ReplaceAll(found, "\n    ", " ")), " ")
		assert.Contains(t, text, "needs room that the file does not have", f.name)
		assert.Contains(t, text, "which write the segment", f.name)
	}
}

// Reports for people have one finding for a cause, others have all: also with -v. A finding without the cause is none of
// those.
func TestOneCause(t *testing.T) {
	const path = "../../../corpus/files/wrong-cfi/one-cause.o"
	const merged = "clang 19.1.7 wrote the CFI: without asynchronous tables its CFI holds at calls only, not in prologues and epilogues; the code of 7 functions contradicts it: "
	const named = `"one", "two", "three", "four", "on_sp" and 2 others (-v lists all): a tracer that interrupts the program there goes wrong`
	for format, want := range map[string]struct {
		mark           string
		merged, listed int
	}{
		"text": {`(?m)\[SF3114\]`, 2, 13}, "full": {`error\[SF3114\]`, 2, 13}, "github": {`title=SF3114`, 7, 13}, "gitlab": {`"check_name":"SF3114"`, 7, 13},
		"sarif": {`"ruleId":"SF3114"`, 7, 13}, "junit": {`(?m): error: `, 7, 13}, "json": {`"rule": ?"SF3114"`, 13, 13}, "jsonl": {`"rule":"SF3114"`, 13, 13},
	} {
		mark := regexp.MustCompile(want.mark)
		_, out, _ := runMain(nil, "--no-config", "--format", format, path)
		found := mark.FindAllString(out, -1)
		assert.Len(t, found, want.merged, format)
		if format == "text" {
			first, second, _ := strings.Cut(out, "\n")
			assert.Contains(t, first, ": .sframe+0xf1 (file 0x401): error: "+merged+named+"; help: compile with -fasynchronous-unwind-tables; or accept it")
			assert.Contains(t, second, `error: FDE 7 "wrong_slot" FRE 0: `)
			assert.True(t, strings.HasSuffix(second, ` [SF3114] and 5 more: "no_frame", "lost", "stray", "bare_call", "pushes"`+"\n"), second)
		}
		if format == "github" {
			assert.Equal(t, 1, strings.Count(out, merged))
		}
		_, out, _ = runMain(nil, "--no-config", "-v", "--format", format, path)
		assert.Len(t, mark.FindAllString(out, -1), want.listed, format)
	}
}
