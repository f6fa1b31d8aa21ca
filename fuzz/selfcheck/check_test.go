package selfcheck

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

func TestHealthy(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	c, total := New(), Stats{}
	for range 60 {
		conf := generator.Swarm(rnd)
		p, err := generator.Generate(conf)
		require.NoError(t, err)
		st, fs := c.Check(conf, p)
		assert.Empty(t, fs)
		total.Add(st)
	}
	assert.EqualValues(t, 60, total.Sections)
	assert.EqualValues(t, 180, total.Damaged)
	assert.Positive(t, total.Findings)
	assert.Positive(t, total.Bytes)
}

// plan is a small valid section.
func plan(t *testing.T) (generator.Config, *generator.Plan) {
	t.Helper()
	conf := generator.Default()
	p, err := generator.Generate(conf)
	require.NoError(t, err)
	return conf, p
}

// checks lists what has failed.
func checks(fs []Failure) (names []string) {
	for _, f := range fs {
		names = append(names, f.Check)
	}
	return names
}

// TestFaultsAreSeen plants faults in what is checked.
func TestFaultsAreSeen(t *testing.T) {
	conf, p := plan(t)
	p.Funcs[1].Start = p.Funcs[0].Start // as if the generator were broken
	_, fs := New().Check(conf, p)
	require.Contains(t, checks(fs), "round trip")
	assert.Contains(t, checks(fs), "findings")
	assert.Contains(t, fs[0].Detail, "overlap")

	conf, p = plan(t)
	p.Version = 9
	_, fs = New().Check(conf, p)
	assert.Contains(t, checks(fs), "round trip")
}

// TestBrokenRulesAreSeen: an error where there is none, and a panic.
func TestBrokenRulesAreSeen(t *testing.T) {
	conf, p := plan(t)
	wrong := rules.New(rules.Rule{ID: "SF9001", Title: "wrong", Severity: rules.Error, Text: "Wrong."},
		func(c *rules.Context) { c.Header(model.HdrFlags, "nothing is right") })
	_, fs := (&Checker{&rules.Driver{Rules: []*rules.Rule{wrong}}}).Check(conf, p)
	assert.Equal(t, []string{"findings", "container"}, checks(fs))
	assert.Contains(t, fs[0].Detail, "SF9001 error FDE -1 FRE -1: nothing is right")
	assert.NotEmpty(t, fs[0].Input)

	panics := rules.New(rules.Rule{ID: "SF9002", Title: "panics", Severity: rules.Note, Text: "Panics."},
		func(*rules.Context) { panic("broken") })
	_, fs = (&Checker{&rules.Driver{Rules: []*rules.Rule{panics}}}).Check(conf, p)
	require.NotEmpty(t, fs)
	assert.Contains(t, fs[0].Detail, "panic: broken")
}

func TestDiffer(t *testing.T) {
	_, p := plan(t)
	assert.Empty(t, differ(p, p.Clone()))
	for _, change := range []func(*generator.Plan){
		func(q *generator.Plan) { q.FixedRA++ },
		func(q *generator.Plan) { q.Funcs = q.Funcs[1:] },
		func(q *generator.Plan) { q.Funcs[2].Size++ },
		func(q *generator.Plan) { q.Funcs[0].Rows[0].Rules.CFA.Offset++ },
		func(q *generator.Plan) { q.Funcs[0].Rows[0].Mangled = true },
	} {
		q := p.Clone()
		change(q)
		assert.NotEmpty(t, differ(p, q))
	}
}
