package main

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/clauses"
	"github.com/sframe-lint/sframe-lint/internal/testkit"
	"github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

//go:generate go test . -run TestExtendingNamesTheFiles -update

var update = flag.Bool("update", false, "write the lists of docs/extending.md anew")

const howTo = "run `go generate ./...`"

// TestCurrent: what is generated is what is there. A rule without an
// example fails here as well as a text that has changed.
func TestCurrent(t *testing.T) {
	t.Chdir("../..")
	files, err := generate(false)
	require.NoError(t, err)
	for path, want := range files {
		got, err := os.ReadFile(path)
		if assert.NoError(t, err, howTo) {
			// Not assert.Equal: a page says more than its difference.
			assert.True(t, string(got) == want, "%s is stale: %s", path, howTo)
		}
	}
	assert.Contains(t, files["docs/found.md"], "This page shows 60 of ", "the page is to stay short: mark as many rows as grave as others lose the mark")
	for _, r := range documented() {
		assert.Contains(t, files["docs/rules.md"], "["+r.ID+"]")
	}
}

// TestExamplesAreReal runs the command of each example of the catalogue.
func TestExamplesAreReal(t *testing.T) {
	t.Chdir("../..")
	lint := testkit.Build(t, ".", "sframe-lint")
	for _, r := range catalogue.Rules() {
		ex := clauses.ExampleOf(r.ID)
		if !assert.NotNil(t, ex, "%s has no example: %s", r.ID, howTo) {
			continue
		}
		args := strings.Fields(ex.Command)
		require.Equal(t, "sframe-lint", args[0])
		var out, diag bytes.Buffer
		c := exec.Command(lint, args[1:]...)
		c.Stdout, c.Stderr = &out, &diag
		_ = c.Run() // the status is checked
		assert.Contains(t, []int{0, 1, 3}, c.ProcessState.ExitCode(), "%s: %s", ex.Command, &diag)
		assert.True(t, strings.HasPrefix(help().ReplaceAllString(out.String(), "; help: ... [SF"), ex.Output), "%s\nwrites %s\nnot %s", ex.Command, &out, ex.Output)
		assert.Equal(t, strings.Count(ex.Output, "\n")+ex.More, strings.Count(out.String(), "\n"), ex.Command)
		assert.Contains(t, ex.Output, "["+r.ID+"]")
	}
}

// TestPreferredFilesFire: a preference that no file meets is dead.
func TestPreferredFilesFire(t *testing.T) {
	for rule, file := range preferred {
		if ex := clauses.ExampleOf(rule); assert.NotNil(t, ex, rule) {
			assert.Equal(t, "corpus/"+file, ex.File)
		}
	}
}

// TestExamplesMarkBytes: what a finding blames is marked in the listing.
func TestExamplesMarkBytes(t *testing.T) {
	for _, r := range documented() {
		ex := clauses.ExampleOf(r.ID)
		if ex == nil || strings.Contains(ex.Output, ex.File+": "+r.Severity.String()) {
			continue // about the whole file
		}
		assert.Contains(t, ex.Bytes, "\n> ", "%s marks nothing:\n%s", r.ID, ex.Bytes)
	}
}

// TestRows holds the rows that name files against the findings there: each rule reports one of the files, and each file draws
// one of the rules; a row that says so has no finding, apart from those of the input of a program that rewrites files.
func TestRows(t *testing.T) {
	t.Chdir("../..")
	all, known, _ := loadFound(t)
	bugs, tried := map[int]bool{}, 0
	for _, x := range known.rows() {
		if x.Bug != 0 {
			assert.False(t, bugs[x.Bug], "two rows of bug %d", x.Bug)
			bugs[x.Bug] = true
		}
		for _, text := range []string{x.Who, x.What, x.Expected, x.Seen + strings.Join(x.Files, "")} {
			assert.NotEmpty(t, text, "%+v", x)
		}
		files, err := x.linted(all)
		require.NoError(t, err)
		fires := func(id string) func(*linted) bool { return func(f *linted) bool { return f.fires[id] > 0 } }
		for _, id := range x.Rules {
			assert.True(t, slices.ContainsFunc(files, fires(id)), "no file of %v draws %s", x.Files, id)
			tried++
		}
		for _, f := range files {
			hit := slices.ContainsFunc(x.Rules, func(id string) bool { return fires(id)(f) })
			assert.True(t, hit || len(x.Rules) == 0, "%s draws none of %v", f.File, x.Rules)
			assert.True(t, x.Bug == 0 || f.Producer == "hand" || slices.Contains(f.KnownBug, x.Bug), "%s has no bug %d", f.File, x.Bug)
		}
		switch beside := x.otherRules(files); {
		case strings.Contains(x.Expected, "but those of the input"):
			input := &entry{Files: []string{"binutils-2.47/amd64/pie.elf"}}
			if x.Who == "dwz" {
				input.Files[0] = "lines/linked.elf"
			}
			its, err := input.linted(all)
			require.NoError(t, err)
			assert.Subset(t, input.otherRules(its), beside, x.Files)
		case strings.HasPrefix(x.Expected, "no finding"):
			assert.Empty(t, beside, x.Files)
			assert.NotEmpty(t, files, x.Seen)
		}
	}
	assert.Greater(t, tried, 150)
	for _, f := range all {
		for _, n := range f.KnownBug {
			assert.True(t, bugs[n], "%s has bug %d, which the table lacks", f.File, n)
		}
	}
}

// TestFindsHaveRows: each find of a campaign, and each file of files/cfi, is in one table.
func TestFindsHaveRows(t *testing.T) {
	t.Chdir("../..")
	all, known, c := loadFound(t)
	var want, got []string
	for _, f := range c.Finds {
		want = append(want, f.File)
	}
	for _, f := range all {
		if name, ok := strings.CutPrefix(f.File, "files/cfi/"); ok {
			want = append(want, name)
		}
	}
	for _, x := range known.rows() {
		if name, _, ok := strings.Cut(strings.TrimPrefix(x.input, "`"), "`"); ok {
			got = append(got, name)
		} else if strings.HasPrefix(strings.Join(x.Files, ""), "cfi/") {
			got = append(got, strings.TrimPrefix(x.Files[0], "cfi/"))
		}
	}
	assert.ElementsMatch(t, want, got)
}

func loadFound(t *testing.T) ([]*linted, *finds, *corpus.Consumers) {
	all, err := lintCorpus()
	require.NoError(t, err)
	c, err := corpus.LoadConsumers("corpus")
	require.NoError(t, err)
	replays, err := corpus.LoadReplays("corpus")
	require.NoError(t, err)
	known, err := loadFinds(all, c, replays)
	require.NoError(t, err)
	return all, known, c
}

func (known *finds) rows() (rows []*entry) {
	for _, t := range known.Tables {
		rows = append(rows, t.Rows...)
	}
	return rows
}

func TestFamilies(t *testing.T) {
	for _, r := range documented() {
		assert.NotEqual(t, "Other rules", familyOf(r.ID), r.ID)
	}
	assert.Equal(t, "Other rules", familyOf("XX"))
}

// TestSince: the oldest version that fails in the same way, and newer ones that do not.
func TestSince(t *testing.T) {
	for _, x := range []struct {
		target string
		fails  map[string]string
		want   string
	}{
		{"objdump-2.44", map[string]string{"objdump-2.44": "crash a", "readelf-2.40": "crash b", "ld-2.47": "crash c"}, "2.40, not in 2.47"},
		{"ld-2.40", map[string]string{"ld-2.40": "crash a", "objdump-2.44": "crash b"}, "2.40, not in 2.44 and 2.47"},
		{"libsframe", map[string]string{"objdump-2.44": "crash a", "objdump-2.40": "misreads b"}, "2.44"},
		{"mold-3", nil, "3"},
	} {
		f := corpus.ConsumerFind{Kind: "crash", Target: x.target}
		assert.Equal(t, x.want, failsSince(f, &corpus.Replay{Fails: x.fails}), x.target)
	}
	assert.Equal(t, "not run", failsSince(corpus.ConsumerFind{Target: "ld-2.40"}, nil))
	silent := corpus.ConsumerFind{Kind: "silent", Target: "libsframe", Targets: []string{"libsframe", "objdump-2.44"}}
	assert.Equal(t, "2.44", failsSince(silent, nil))
	assert.Equal(t, "the tree", failsSince(corpus.ConsumerFind{Target: "glibc"}, nil))
	assert.Equal(t, "2.44", failsSince(corpus.ConsumerFind{Target: "objdump-2.44", Kind: "silent"}, &corpus.Replay{}))
	who, which := programs([]string{"ld-2.40", "ld-2.44", "mold-3", "libsframe"})
	assert.Equal(t, "ld, mold, libsframe: ld 2.40, 2.44; mold 3", who+": "+which)
}

// TestFaultCounts holds the counts of README.md against the corpus.
func TestFaultCounts(t *testing.T) {
	c, err := corpus.LoadConsumers("../../corpus")
	require.NoError(t, err)
	b, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	assert.Contains(t, string(b), faultsText(c.Finds))
}

// TestByFault puts the places of a fault together, those of another project apart.
func TestByFault(t *testing.T) {
	sorted, numbers := byFault([]corpus.ConsumerFind{{Target: "objdump-2.40", Fault: "a", Kind: "crash"}, {Target: "mold-3", Fault: "a"}, {Target: "libsframe", Fault: "a", Kind: "crash"}})
	assert.Equal(t, []int{1, 1, 2}, numbers)
	assert.Equal(t, "libsframe", sorted[1].Target)
	assert.Equal(t, "2 faults, 3 places; of these 1 fault, 2 places of crashes", faultsText(sorted))
}
