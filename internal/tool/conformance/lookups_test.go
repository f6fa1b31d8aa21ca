package conformance_test

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/tool/campaign"
	"github.com/sframe-lint/sframe-lint/internal/tool/conformance"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
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
	s, _ := reader.DecodeSection(data, reader.SectionOptions{Addr: addr})
	return answer(l.kind, all[0], s, q.Lookups)
}

// answer turns the text of a driver into an answer. A row that is what the driver should write is the one of the section,
// another one its line.
func answer(kind campaign.Reader, a campaign.Answer, s *model.Section, asked []campaign.Lookup) *conformance.Answer {
	line, _, _ := strings.Cut(a.Text, "\n")
	switch {
	case a.Crashed:
		return &conformance.Answer{Crashed: line}
	case strings.HasPrefix(line, "refused"), strings.HasPrefix(line, "validate") && line != "validate 0":
		return &conformance.Answer{Error: line}
	}
	content := map[string]any{} // the section is taken
	if len(asked) > 0 {
		text := steps.ReplaceAllString(a.Text, " step 0 warnings 0")
		lines := strings.Split(strings.TrimSpace(text), "\n")
		switch line = lines[len(lines)-1]; {
		case strings.HasSuffix(line, " not found"), strings.Contains(line, " found ") && !strings.Contains(line, " found 0 "):
			content["row"] = nil
		case s != nil && text == kind.Expect(s, asked):
			_, r, _ := s.At(asked[0].PC)
			content["row"] = conformance.DescribeRow(r)
		default:
			content["row"] = line
		}
	}
	b, err := json.Marshal(content)
	if err != nil {
		return &conformance.Answer{Crashed: err.Error()}
	}
	return &conformance.Answer{Content: b}
}

// steps matches the result of Linux's step from an FRE, which has no part in look-ups.
var steps = regexp.MustCompile(` step \d+ warnings \d+`)

// TestLookups: what drivers write is an answer.
func TestLookups(t *testing.T) {
	data, err := os.ReadFile("../../../corpus/files/hand/v3-amd64.sframe")
	require.NoError(t, err)
	s, _ := reader.DecodeSection(data, reader.SectionOptions{Addr: 0x2000})
	asked := []campaign.Lookup{{PC: 0x1020}}
	const row = `{"row":{"start":0,"cfa":"r7+8","ra":"*(cfa-8)","fp":"unchanged"}}`
	for text, want := range map[string]conformance.Answer{
		"refused 22\n":                                     {Error: "refused 22"},
		"validate 14\npc 1 found 22\n":                     {Error: "validate 14"},
		"validate 0\npc 1020 found 22 step 0 warnings 0\n": {Content: json.RawMessage(`{"row":null}`)},
		"validate 0\npc 1020 found 0 step 22 warnings 1 cfa 0 8 0 ra *1 -8 0 fp 0 0 0\n": {Content: json.RawMessage(row)},
		"validate 0\npc 1020 found 0 step 0 warnings 0 cfa 0 16 0 ra *1 -8 0 fp 0 0 0\n": {Content: json.RawMessage(`{"row":"pc 1020 found 0 step 0 warnings 0 cfa 0 16 0 ra *1 -8 0 fp 0 0 0"}`)},
	} {
		assert.Equal(t, &want, answer(campaign.Linux, campaign.Answer{Text: text}, s, asked), text)
	}
	assert.JSONEq(t, row, string(answer(campaign.Glibc, campaign.Answer{Text: "pc 1020 base sp cfa 8 ra -8 fp none\n"}, s, asked).Content))
	assert.Equal(t, &conformance.Answer{Content: json.RawMessage(`{}`)}, answer(campaign.Linux, campaign.Answer{Text: "validate 0\n"}, s, nil))
	assert.Equal(t, &conformance.Answer{Crashed: "signal 11"}, answer(campaign.Linux, campaign.Answer{Crashed: true, Text: "signal 11\nlib+0x1\n"}, s, nil))
}
