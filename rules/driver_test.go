package rules_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/testkit"
	rt "github.com/sframe-lint/sframe-lint/internal/testkit/ruletest"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

func section(t *testing.T) *reader.Object { return rt.Raw(rt.V3AMD64.Bytes(t)) }

func TestOnePanicDoesNotStopTheOthers(t *testing.T) {
	damaged := &analysis.Analyzer{Name: "damaged", Run: func(*analysis.Pass) (any, error) { return nil, errors.New("no luck") }}
	d := &rules.Driver{Rules: []*rules.Rule{
		rules.New(rules.Rule{ID: "XX1", Severity: rules.Note}, func(c *rules.Context) {
			c.At(model.HdrFlags.Span(), "not kept")
			panic("oops")
		}),
		rules.New(rules.Rule{ID: "XX2", Severity: rules.Note, Requires: []*analysis.Analyzer{damaged}}, func(c *rules.Context) {
			c.At(model.HdrFlags.Span(), "not run")
		}),
		rules.New(rules.Rule{ID: "XX3", Severity: rules.Note}, func(c *rules.Context) {
			c.At(model.HdrFlags.Span(), "seen")
		}),
	}}
	res := d.Run(section(t))
	require.Len(t, res.Failures, 2)
	assert.Equal(t, "XX1", res.Failures[0].Rule)
	assert.Contains(t, res.Failures[0].Reason, "oops")
	assert.NotEmpty(t, res.Failures[0].Stack)
	assert.Equal(t, "prerequisite damaged: no luck", res.Failures[1].Reason)
	require.Len(t, res.Findings, 1)
	assert.Equal(t, "seen", res.Findings[0].Message)
}

// TestRefute: a rule that refutes a fact runs before those that need it, whatever their order.
func TestRefute(t *testing.T) {
	missing := rules.Absence{Fact: rules.StartsAsFlagged, Reason: "they are not", Causes: []string{"XX2"}}
	needs := rules.New(rules.Rule{ID: "XX1", Severity: rules.Note, Needs: rules.StartsAsFlagged}, func(c *rules.Context) {
		c.At(model.HdrFlags.Span(), "seen")
	})
	for _, refuted := range []bool{false, true} {
		d := &rules.Driver{Rules: []*rules.Rule{needs, rules.New(rules.Rule{ID: "XX2", Severity: rules.Note, Refutes: rules.StartsAsFlagged}, func(c *rules.Context) {
			if refuted {
				c.With(missing).At(model.HdrFlags.Span(), "refuted")
			}
		})}}
		runner := d.Runner()
		for range 3 { // what one section refutes holds for no other
			res := runner.Run(section(t))
			require.Empty(t, res.Failures)
			if !refuted {
				require.Len(t, res.Findings, 1)
				require.Empty(t, res.HeldBack)
				continue
			}
			require.Len(t, res.Findings, 1)
			require.Equal(t, "refuted", res.Findings[0].Message)
			require.Len(t, res.HeldBack, 1)
			require.Equal(t, "XX1", res.HeldBack[0].Rule)
			require.Equal(t, missing, res.HeldBack[0].Absence)
		}
	}
}

func TestPrerequisitesRunOnce(t *testing.T) {
	runs := 0
	shared := &analysis.Analyzer{Name: "shared", Doc: "shared", Requires: []*analysis.Analyzer{rules.Contents},
		Run: func(pass *analysis.Pass) (any, error) {
			runs++
			return pass.ResultOf[rules.Contents].(*reader.SFrame).Section.NumFDEs(), nil
		}}
	var got int
	reads := func(id string, needs rules.Fact) *rules.Rule {
		return rules.New(rules.Rule{ID: id, Severity: rules.Note, Needs: needs, Requires: []*analysis.Analyzer{shared, shared}}, func(c *rules.Context) {
			got += c.Pass.ResultOf[shared].(int)
		})
	}
	unmet := rules.New(rules.Rule{ID: "XX0", Severity: rules.Note, Refutes: rules.RAKnown}, func(c *rules.Context) {
		c.With(rules.Absence{Fact: rules.RAKnown}).At(model.HdrFlags.Span(), "refuted")
	})
	res := (&rules.Driver{Rules: []*rules.Rule{unmet, reads("XX1", rules.RAKnown)}}).Run(section(t))
	assert.Len(t, res.HeldBack, 1)
	assert.Zero(t, runs, "nothing runs for a rule that is held back")
	res = (&rules.Driver{Rules: []*rules.Rule{reads("XX1", 0), reads("XX2", 0)}}).Run(section(t))
	assert.Empty(t, res.Failures)
	assert.Equal(t, 10, got)
	assert.Equal(t, 1, runs, "rules of one section share what they need")
}

// A finding keeps the bytes that it was reported at even where they are
// outside of the section, and beyond what a token.File holds.
func TestPlacesAreExact(t *testing.T) {
	spans := []model.Span{{Off: 0, Len: 2}, {Off: 3, Len: 2}, {Off: 1 << 33, Len: 2}}
	r := rules.New(rules.Rule{ID: "XX1", Severity: rules.Note}, func(c *rules.Context) {
		for _, sp := range spans {
			c.At(sp, "in the section")
			c.With(rules.FDE(1)).File(sp, "in the file")
		}
	})
	var in, out []model.Span
	for _, f := range (&rules.Driver{Rules: []*rules.Rule{r}}).Run(section(t)).Findings {
		if f.InSection {
			in = append(in, f.Span)
			assert.False(t, f.HasPC)
		} else {
			out = append(out, f.Span)
			assert.True(t, f.HasPC)
		}
	}
	assert.Equal(t, spans, in)
	assert.Equal(t, spans, out)
}

func TestFindingsAreResults(t *testing.T) {
	res := (&rules.Driver{Rules: []*rules.Rule{
		rules.New(rules.Rule{ID: "XX1", Severity: rules.Note}, func(c *rules.Context) {
			c.Pass.Report(analysis.Diagnostic{Pos: 1, Message: "lost"})
		}),
	}}).Run(section(t))
	require.Len(t, res.Failures, 1)
	assert.Contains(t, res.Failures[0].Reason, "*Report")
}

func TestLimits(t *testing.T) {
	many := rules.New(rules.Rule{ID: "XX1", Severity: rules.Error}, func(c *rules.Context) {
		c.Rows(func(model.FRE) bool { return true }, func(r model.FRE) { c.FRE(r, r.Span(), "row %d", r.Index()) })
	})
	res := (&rules.Driver{Rules: []*rules.Rule{many}, Limits: rules.Limits{Findings: 5}}).Run(section(t))
	assert.Len(t, res.Findings, 5)
	assert.Equal(t, map[string]int{"XX1": 7}, res.Cut)
	res = (&rules.Driver{Rules: []*rules.Rule{many}, Limits: rules.Limits{Findings: -1}}).Run(section(t))
	assert.Len(t, res.Findings, 12)
	assert.Empty(t, res.Cut)
}

// counted counts how often it is formatted.
type counted struct{ n *int }

func (c counted) String() string { *c.n++; return "it" }

// TestNoMessageWithoutMemory: a finding for which no memory is left is counted, and no message is made for it.
func TestNoMessageWithoutMemory(t *testing.T) {
	const fdes = 20_000
	formatted := 0
	obj := rt.Raw(testkit.ShapeSection(testkit.Wide, fdes))
	obj.Context = budget.New(t.Context(), budget.Limits{budget.Memory: 64 << 10})
	res := (&rules.Driver{Rules: []*rules.Rule{rules.New(rules.Rule{ID: "XX1", Severity: rules.Error}, func(c *rules.Context) {
		c.FDEs(nil, func(f model.FDE) { c.FDE(f, model.FDEStart, "%v", counted{&formatted}) })
	})}, Limits: rules.Limits{Findings: -1}}).Run(obj)
	assert.NotEmpty(t, res.Findings)
	assert.Equal(t, fdes, len(res.Findings)+res.Cut["XX1"])
	assert.Equal(t, len(res.Findings)+1, formatted, "the first one that is refused is formatted")
}

func TestRulesThatMayNotReadCodeSaySo(t *testing.T) {
	looks := rules.New(rules.Rule{ID: "XX1", Needs: rules.CodeReadable, Severity: rules.Error}, func(c *rules.Context) {
		if c.Has(rules.CodeReadable) {
			c.At(model.HdrFlags.Span(), "looked")
		}
	})
	obj := rt.Linked(rt.V3AMD64.Bytes(t), rt.V3AMD64.ABI())
	res := (&rules.Driver{Rules: []*rules.Rule{looks}, Limits: rules.Limits{Code: 0x3ff}}).Run(obj)
	assert.Empty(t, res.Findings)
	require.Equal(t, []rules.HeldBack{{
		Rule: "XX1", Section: ".sframe", SectionIndex: obj.SFrames[0].Index,
		Absence: rules.Absence{Fact: rules.CodeReadable, Reason: "the file has 1024 bytes of machine code, more than the limit of 1023", Limit: true},
	}}, res.HeldBack)
	for _, limit := range []int64{0, -1, 0x400} {
		res = (&rules.Driver{Rules: []*rules.Rule{looks}, Limits: rules.Limits{Code: limit}}).Run(obj)
		assert.Len(t, res.Findings, 1)
		assert.Empty(t, res.HeldBack)
	}
}

func TestSeverityAndScope(t *testing.T) {
	note := func(c *rules.Context) { c.File(model.Span{}, "run") }
	all := []*rules.Rule{
		rules.New(rules.Rule{ID: "XX1", Severity: rules.Note}, note),
		rules.New(rules.Rule{ID: "XX2", Severity: rules.Error, Scope: rules.PerObject}, note),
		rules.New(rules.Rule{ID: "XX3", Severity: rules.Error, Scope: rules.PerBytes}, note),
		rules.New(rules.Rule{ID: "XX4", Severity: rules.Error, Versions: []model.Version{model.SFRAME_VERSION_1}}, note),
		rules.New(rules.Rule{ID: "XX5", Severity: rules.Error, ABIs: []model.ABI{model.SFRAME_ABI_S390X_ENDIAN_BIG}}, note),
		rules.New(rules.Rule{ID: "XX6", Severity: rules.Error}, note),
	}
	d := &rules.Driver{Rules: all, Severity: map[string]rules.Severity{"XX1": rules.Error, "XX6": rules.Off}}
	run := func(o *reader.Object) (ids []string) {
		for _, f := range d.Run(o).Findings {
			ids = append(ids, f.Rule.ID)
			assert.Equal(t, rules.Error, f.Severity)
		}
		return ids
	}
	assert.Equal(t, []string{"XX1", "XX2", "XX3"}, run(section(t)))
	assert.Equal(t, []string{"XX1", "XX2", "XX3", "XX4"}, run(rt.Raw(rt.V1AMD64.Bytes(t))))
	assert.Equal(t, []string{"XX1", "XX2", "XX3", "XX5"}, run(rt.Raw(rt.V3S390X.Bytes(t))))
	assert.Equal(t, []string{"XX2", "XX3"}, run(rt.Raw([]byte("no SFrame here"))))
	assert.Equal(t, []string{"XX2"}, run(&reader.Object{}))
}

func TestSortFDEs(t *testing.T) {
	// FDEs 0 and 1 change places.
	b := rt.V3AMD64.Bytes(t)
	swapped := append([]byte(nil), b...)
	copy(swapped[0x1c:], rt.Hex(t, "@8:1040 00000200 00000014 @8:1000 00000040 00000000", false))
	// Hex counts @ from the start of its own text.
	for _, at := range []int{0x1c, 0x2c} {
		v := uint64(0x1040)
		if at == 0x2c {
			v = 0x1000
		}
		v -= rt.Addr + uint64(at)
		for i := range 8 {
			swapped[at+i] = byte(v >> (8 * i))
		}
	}
	var sorted []byte
	get := rules.New(rules.Rule{ID: "XX1", Severity: rules.Note}, func(c *rules.Context) {
		var ok bool
		sorted, ok = prereq.SortedFDEs(c.Pass)
		assert.True(t, ok)
	})
	(&rules.Driver{Rules: []*rules.Rule{get}}).Run(rt.Raw(swapped))
	copy(swapped[0x1c:], sorted)
	assert.Equal(t, b, swapped)
}

// A caller may set Section alone: the survey is made from the section's bytes.
func TestSectionWithoutData(t *testing.T) {
	s := section(t).SFrames[0].Section
	res := (&rules.Driver{Rules: []*rules.Rule{rules.New(rules.Rule{ID: "XX1", Severity: rules.Note}, func(c *rules.Context) {
		c.Rows(func(r model.FRE) bool { return r.NumWords() > 0 }, func(r model.FRE) { c.FRE(r, r.InfoSpan(), "seen") })
	})}}).Run(&reader.Object{SFrames: []*reader.SFrame{{Section: s}}})
	assert.Empty(t, res.Failures)
	assert.NotEmpty(t, res.Findings)
}

// TestContextEndsDuringAWalk: rules visit few more FDEs after the context of an
// object's budget has ended, and no rule begins.
func TestContextEndsDuringAWalk(t *testing.T) {
	const fdes = 20_000
	visited, began := 0, false
	later := rules.New(rules.Rule{ID: "XX2", Severity: rules.Note}, func(*rules.Context) { began = true })
	for name, walk := range map[string]func(*rules.Context, func(model.FDE)){
		"each FDE": func(c *rules.Context, visit func(model.FDE)) { c.FDEs(nil, visit) },
		"a test of FDEs": func(c *rules.Context, visit func(model.FDE)) {
			c.FDEs(func(model.FDE) bool { return true }, visit)
		},
	} {
		run := func(after int) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			visited, began = 0, false
			d := &rules.Driver{Rules: []*rules.Rule{
				rules.New(rules.Rule{ID: "XX1", Severity: rules.Note}, func(c *rules.Context) {
					walk(c, func(model.FDE) {
						if visited++; visited == after {
							cancel()
						}
					})
				}),
				later,
			}}
			data := testkit.ShapeSection(testkit.Wide, fdes)
			require.NoError(t, reader.ScanReader("raw", bytes.NewReader(data), int64(len(data)), reader.Options{Context: budget.New(ctx, budget.Limits{})}, func(o *reader.Object) error {
				d.Run(o)
				return nil
			}))
		}
		run(0)
		assert.Equal(t, fdes, visited, name)
		assert.True(t, began, name)
		run(100)
		assert.Less(t, visited, 100+2*1024, name)
		assert.False(t, began, name)
	}
}
