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

	"github.com/sframe-lint/sframe-lint/internal/examples"
	"github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
	"github.com/sframe-lint/sframe-lint/internal/testkit/program"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

//go:generate go test . -run TestExtendingNamesTheFiles -update

var update = flag.Bool("update", false, "write the lists of docs/extending.md anew")

const howTo = "run `go generate ./...`"

// TestCurrent: what is generated is what is there. A rule without a page, an
// example or a clause fails here as well as a text that has changed.
func TestCurrent(t *testing.T) {
	t.Chdir("../..")
	files, err := generate()
	require.NoError(t, err)
	for path, want := range files {
		got, err := os.ReadFile(path)
		if assert.NoError(t, err, howTo) {
			// Not assert.Equal: a page says more than its difference.
			assert.True(t, string(got) == want, "%s is stale: %s", path, howTo)
		}
	}
	old, err := stale(files)
	require.NoError(t, err)
	assert.Empty(t, old, "pages of rules that there are no more: %s", howTo)
	for _, r := range documented() {
		assert.Contains(t, files, pages+"/"+r.ID+".md")
		assert.Contains(t, files[pages+"/README.md"], "["+r.ID+"]")
		assert.Contains(t, files["docs/clauses.md"], "(rules/"+r.ID+".md)", "a clause, or what the rule rests on instead")
	}
}

// TestExamplesAreReal runs the command of each example of the catalogue.
func TestExamplesAreReal(t *testing.T) {
	t.Chdir("../..")
	lint := program.Build(t, ".", "sframe-lint")
	for _, r := range catalogue.Rules() {
		ex := examples.ExampleOf(r.ID)
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
		if ex := examples.ExampleOf(rule); assert.NotNil(t, ex, rule) {
			assert.Equal(t, "corpus/"+file, ex.File)
		}
	}
}

// TestExamplesMarkBytes: what a finding blames is marked in the listing.
func TestExamplesMarkBytes(t *testing.T) {
	for _, r := range documented() {
		ex := examples.ExampleOf(r.ID)
		if ex == nil || strings.Contains(ex.Output, ex.File+": "+r.Severity.String()) {
			continue // about the whole file
		}
		assert.Contains(t, ex.Bytes, "\n> ", "%s marks nothing:\n%s", r.ID, ex.Bytes)
	}
}

// TestBugsAreFound: each known bug that shows in bytes has a file, and one
// of its rules fires there; each other one says why it does not.
func TestBugsAreFound(t *testing.T) {
	t.Chdir("../..")
	found, err := lintCorpus()
	require.NoError(t, err)
	listed := map[int]bool{}
	for _, x := range knownBugs(t) {
		listed[x.Number] = true
		if len(x.Rules) == 0 {
			assert.NotEmpty(t, x.Reason, x.Fault)
			continue
		}
		assert.NotEmpty(t, x.showing(found), "no file shows %d: %s", x.Number, x.Fault)
		for _, id := range x.Rules {
			assert.NotEqual(t, "Other rules", familyOf(id))
		}
		for _, f := range found {
			for _, name := range x.Files {
				if f.File == name {
					assert.True(t, x.hits(f), "%s: none of %v fires", name, x.Rules)
				}
			}
		}
	}
	for _, f := range found {
		for _, n := range f.KnownBug {
			assert.True(t, listed[n], "%s has bug %d, which the table lacks", f.File, n)
		}
	}
}

func knownBugs(t *testing.T) []bug {
	all, err := load[bugs]("known-bugs.yaml")
	require.NoError(t, err)
	return slices.Concat(all.Producers, all.Triggers)
}

// TestEveryBugNamesExistingFiles: a file that the table names is there.
func TestEveryBugNamesExistingFiles(t *testing.T) {
	t.Chdir("../..")
	for _, x := range knownBugs(t) {
		for _, name := range x.Files {
			assert.FileExists(t, "corpus/"+name)
		}
	}
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
		assert.Equal(t, x.want, since(f, &corpus.Replay{Fails: x.fails}), x.target)
	}
	assert.Equal(t, "not run", since(corpus.ConsumerFind{Target: "ld-2.40"}, nil))
	silent := corpus.ConsumerFind{Kind: "silent", Target: "libsframe", Targets: []string{"libsframe", "objdump-2.44"}}
	assert.Equal(t, "2.44", since(silent, nil))
	assert.Equal(t, "the tree", since(corpus.ConsumerFind{Target: "glibc"}, nil))
	assert.Equal(t, "2.44", since(corpus.ConsumerFind{Target: "objdump-2.44", Kind: "silent"}, &corpus.Replay{}))
	assert.Equal(t, "ld 2.40, 2.44; mold 3; libsframe", versionsText([]string{"ld-2.40", "ld-2.44", "mold-3", "libsframe"}))
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
