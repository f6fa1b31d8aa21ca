package campaign

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// TestJudgeRead: verdicts on what a driver writes about a valid section.
func TestJudgeRead(t *testing.T) {
	c := generator.Default()
	c.Seed, c.Funcs, c.ABI, c.Version = 1, 2, model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, model.SFRAME_VERSION_3
	s, err := breaks.Recipe{Config: c, Container: breaks.Raw}.Subject()
	require.NoError(t, err)
	in := &Input{Class: Valid, ABI: s.Plan().ABIInfo(), Version: s.Plan().Version, Data: s.File(), Addr: s.Addr()}
	requests := requestsOf([]*Input{in})
	require.NotEmpty(t, requests[0].Lookups)
	assert.Equal(t, AnyText, requests[0].Text)
	decoded, _ := reader.DecodeSection(in.Data, reader.SectionOptions{Addr: in.Addr})
	for _, kind := range []Reader{Linux, Glibc} {
		target := &Target{lib: &Library{Kind: kind}, probed: probe{reads: map[form]bool{{in.Version, in.ABI.ID}: true}}}
		judge := func(text string, crashed bool) (ending, []ending) {
			return target.judgeRead(in, Answer{Crashed: crashed, Text: text})
		}
		good := kind.Expect(decoded, requests[0].Lookups)
		require.Contains(t, good, "cfa")
		v, bad := judge(good, false)
		assert.Equal(t, Accepts, v.outcome)
		assert.Empty(t, bad)
		for _, x := range []struct {
			text    string
			crashed bool
			kind    Outcome
			key     string
		}{
			{strings.Replace(good, "cfa ", "cfa 9", 1), false, Misreads, "a PC has another rule"},
			{good[:len(good)-1], false, Misreads, "number of lines"},
			{"refused 22\n", false, RejectsValid, "refused 22"},
			{"validate 14\n" + good, false, RejectsValid, "validate 14"},
			{"signal 11\nlib.so f+0x1\n", true, Crash, "SIGSEGV at lib.so f+0x1"},
			{"signal 14\n", true, Hang, "timeout"},
			{"/x/sframe.c:520:3: runtime error: division by zero\n", true, Crash, "ubsan sframe.c:520 division by zero"},
		} {
			_, bad := judge(x.text, x.crashed)
			require.Len(t, bad, 1, x.text)
			assert.Equal(t, x.kind, bad[0].outcome, x.text)
			if kind == Glibc && in.Version == model.SFRAME_VERSION_3 && x.kind != Crash && x.kind != Hang {
				assert.Equal(t, "glibc-2.42: version", bad[0].key, "the profile explains it")
			} else {
				assert.Equal(t, x.key, bad[0].key)
			}
		}
	}
	linux := &Target{lib: &Library{Kind: Linux}}
	for _, arch := range model.Arches() {
		assert.Equal(t, arch == "x86_64", linux.isRunOn(&Input{ABI: map[string]model.ABIInfo{"x86_64": in.ABI,
			"aarch64": model.LookupABI(model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE), "s390x": model.LookupABI(model.SFRAME_ABI_S390X_ENDIAN_BIG)}[arch]}))
	}
}
