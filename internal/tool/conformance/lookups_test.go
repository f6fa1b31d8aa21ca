package conformance_test

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/tool/campaign"
	"github.com/sframe-lint/sframe-lint/internal/tool/conformance"
	"github.com/sframe-lint/sframe-lint/model"
)

// lookups is a reader in process that looks PCs up. Of a section it states no more than that it takes it.
type lookups struct {
	kind   campaign.Reader
	server *campaign.Server
}

// newLookups compiles and starts the reader of a source tree.
func newLookups(t *testing.T, kind campaign.Reader, tree string) *lookups {
	t.Helper()
	run, err := (&campaign.Library{Kind: kind, Path: tree}).Compile(t.Context(), t.TempDir())
	require.NoError(t, err)
	s, err := campaign.StartServer(run, nil)
	require.NoError(t, err)
	return &lookups{kind, s}
}

// Close implements [conformance.Decoder].
func (l *lookups) Close() error {
	l.server.Close()
	return nil
}

// Ask implements [conformance.Decoder]. Sections of machines that the reader is not built for are not
// asked about.
func (l *lookups) Ask(r conformance.Request) *conformance.Answer {
	data, err1 := hex.DecodeString(r.Section)
	addr, err2 := strconv.ParseUint(r.Address, 0, 64)
	if err1 != nil || err2 != nil {
		return &conformance.Answer{Crashed: "no request"}
	}
	abi := l.kind.ABIs()[0]
	if len(data) > 4 {
		if x := model.LookupABI(model.ABI(data[4])); x.Known() {
			abi = x
		}
	}
	if !slices.ContainsFunc(l.kind.ABIs(), func(x model.ABIInfo) bool { return x.ID == abi.ID }) {
		return &conformance.Answer{Unsupported: true}
	}
	q := campaign.Request{Data: data, Addr: addr, Text: campaign.AnyText}
	if pc, err := strconv.ParseUint(r.PC, 0, 64); err == nil {
		q.Lookups = []campaign.Lookup{{PC: pc}}
	}
	all, err := l.server.Read(context.Background(), []campaign.Request{q})
	if err != nil {
		return &conformance.Answer{Crashed: err.Error()}
	}
	return answer(all[0], abi)
}

// answer turns the text of a driver into an answer.
func answer(a campaign.Answer, abi model.ABIInfo) *conformance.Answer {
	if a.Crashed {
		line, _, _ := strings.Cut(a.Text, "\n")
		return &conformance.Answer{Crashed: line}
	}
	content := map[string]any{} // the section is taken
	for line := range strings.Lines(a.Text) {
		word := strings.Fields(line)
		switch {
		case word[0] == "refused", word[0] == "validate" && word[1] != "0":
			return &conformance.Answer{Error: strings.TrimSpace(line)}
		case word[0] == "pc":
			content["row"] = nil
			if row := rowOf(word[2:], abi); row != nil {
				content["row"] = row
			}
		}
	}
	b, err := json.Marshal(content)
	if err != nil {
		return &conformance.Answer{Crashed: err.Error()}
	}
	return &conformance.Answer{Content: b}
}

// rowOf reads the words that follow a PC; it returns nil if no FRE is found.
func rowOf(word []string, abi model.ABIInfo) map[string]string {
	at := func(name string) []string { return word[slices.Index(word, name)+1:] }
	switch {
	case word[0] == "outermost":
		return map[string]string{"cfa": "undefined", "ra": "undefined", "fp": "undefined"}
	case word[0] == "base":
		base := abi.SP
		if word[1] == "fp" {
			base = abi.FP
		}
		word = word[2:]
		row := map[string]string{"cfa": fmt.Sprintf("r%d%s", base, signed(at("cfa")[0])), "ra": "unchanged", "fp": "unchanged"}
		for _, name := range []string{"ra", "fp"} {
			if v := at(name)[0]; v != "none" {
				row[name] = "*(cfa" + signed(v) + ")"
			}
		}
		return row
	case word[0] == "found" && word[1] == "0":
		row := map[string]string{}
		for _, name := range []string{"cfa", "ra", "fp"} {
			row[name] = linuxRule(name, at(name), abi)
		}
		return row
	}
	return nil
}

// linuxRule reads a rule of Linux: its number, an offset and a register.
func linuxRule(name string, word []string, abi model.ABIInfo) string {
	kind, deref := strings.CutPrefix(word[0], "*")
	base := "r" + word[2]
	switch {
	case kind == "2":
	case name == "cfa" && kind == "0":
		base = fmt.Sprint("r", abi.SP)
	case name == "cfa":
		base = fmt.Sprint("r", abi.FP)
	case kind == "0":
		return "unchanged"
	default:
		base = "cfa"
	}
	if deref {
		return "*(" + base + signed(word[1]) + ")"
	}
	return base + signed(word[1])
}

func signed(number string) string {
	if strings.HasPrefix(number, "-") {
		return number
	}
	return "+" + number
}

// TestLookups: what drivers write is an answer.
func TestLookups(t *testing.T) {
	amd64 := model.ABIs()[slices.IndexFunc(model.ABIs(), func(a model.ABIInfo) bool { return a.FixedRA == -8 })]
	for text, want := range map[string]conformance.Answer{
		"refused 22\n":                 {Error: "refused 22"},
		"validate 14\npc 1 found 22\n": {Error: "validate 14"},
		"validate 0\n":                 {Content: json.RawMessage(`{}`)},
		"validate 0\npc 1 found 22 step 0 warnings 0\n": {Content: json.RawMessage(`{"row":null}`)},
		"pc 1 not found\n":                   {Content: json.RawMessage(`{"row":null}`)},
		"pc 1 base fp cfa 16 ra -8 fp -16\n": {Content: json.RawMessage(`{"row":{"cfa":"r6+16","fp":"*(cfa-16)","ra":"*(cfa-8)"}}`)},
		"pc 1 outermost\n":                   {Content: json.RawMessage(`{"row":{"cfa":"undefined","fp":"undefined","ra":"undefined"}}`)},
		"pc 1 base sp cfa 8 ra -8 fp none\n": {Content: json.RawMessage(`{"row":{"cfa":"r7+8","fp":"unchanged","ra":"*(cfa-8)"}}`)},
		"validate 0\npc 1 found 0 step 22 warnings 1 cfa *1 -8 0 ra *1 -8 0 fp 0 0 0\n":  {Content: json.RawMessage(`{"row":{"cfa":"*(r6-8)","fp":"unchanged","ra":"*(cfa-8)"}}`)},
		"validate 0\npc 1 found 0 step 0 warnings 0 cfa 2 16 10 ra 2 0 14 fp *2 -16 6\n": {Content: json.RawMessage(`{"row":{"cfa":"r10+16","fp":"*(r6-16)","ra":"r14+0"}}`)},
	} {
		assert.Equal(t, &want, answer(campaign.Answer{Text: text}, amd64), text)
	}
	assert.Equal(t, &conformance.Answer{Crashed: "signal 11"}, answer(campaign.Answer{Crashed: true, Text: "signal 11\nlib+0x1\n"}, amd64))
}
