package lint

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// TestDisposition: each finding is shown or has one reason why not; both lists keep the order.
func TestDisposition(t *testing.T) {
	rule, other := &rules.Rule{ID: "SF9901", Severity: rules.Error}, &rules.Rule{ID: "SF9902", Severity: rules.Error}
	cause := &rules.Correction{Cause: &rules.Cause{Text: "a cause"}}
	named := func(name string) rules.Finding {
		return rules.Finding{Rule: rule, Severity: rules.Error, Path: "a", Section: ".sframe", Function: name, FDE: -1, FRE: -1}
	}
	known := named("known")
	var b strings.Builder
	recorder := &Recorder{Reason: "later"}
	recorder.Add(&known)
	require.NoError(t, recorder.Write(&b))
	base := must.Get(ReadBaseline(strings.NewReader(b.String())))(t)
	o := Options{Show: rules.Warning, Baseline: base, Exceptions: []Exception{{Functions: []string{"exc*"}, Reason: "hand-written"}}}
	o.Limits[budget.Findings] = 5
	excused, quirk, minor, first, second := named("excused"), named("quirk"), named("minor"), named("first"), named("second")
	quirk.Severity, quirk.Quirk, minor.Severity = rules.Note, "ld", rules.Note
	first.Correction, second.Correction = cause, cause
	all := []rules.Finding{excused, minor, first, known, quirk, second, named("fifth"), named("beyond"), {Rule: other, Severity: rules.Error, FDE: -1, FRE: -1}}
	f := &File{Path: "a", Objects: []Object{{Input: Input{Path: "a"}, Findings: slices.Clone(all)}, {}}}
	r := must.Get(Replay(t.Context(), o, nil, slices.Values([]*File{f})))(t)
	for range r.Files() {
	}
	got := &f.Objects[0]
	assert.Equal(t, []rules.Finding{first, all[6], all[8]}, got.Findings)
	var why []string
	for _, x := range got.Omitted {
		why = append(why, x.Function+": "+x.Why.String()+": "+x.Reason)
	}
	assert.Equal(t, []string{"excused: exception: hand-written", "minor: severity: ", "known: baseline: later", "quirk: quirk: ", "second: cause: a cause"}, why)
	assert.Equal(t, map[string]int{"SF9901": 1}, got.Cut)
	assert.Equal(t, Tally{Shown: 3, ByException: 1, ByBaseline: 1, ByLimit: 1, ByQuirk: 1, BySeverity: 1, ByCause: 1}, got.Tally)
	assert.Equal(t, slices.Delete(slices.Delete(slices.Delete(slices.Clone(all), 7, 8), 3, 4), 0, 1), got.Counted())
	assert.Equal(t, []rules.Finding{first, second, all[6], all[8]}, got.Including(ByCause))
	s := r.Summary()
	assert.Equal(t, []int{4, 0, 2, 1, 2}, []int{s.Errors, s.Warnings, s.Notes, s.Cut, s.LessSevere()})
	assert.Empty(t, f.Objects[1].Omitted)
}

// results returns the findings of a file, and how many of them have listings.
func results(t *testing.T, path string, memory int64, listings bool) (found []string, listed int) {
	l := must.Get(New(Options{Profile: "toolchain", Listings: listings, Limits: budget.Limits{budget.Memory: memory}}))(t)
	for f := range l.Run(t.Context(), path).Files() {
		for i := range f.Objects {
			o := &f.Objects[i]

			for j := range o.Findings {
				if o.Findings[j].Listing != nil {
					listed++
				}
				found = append(found, fmt.Sprint(o.Input.Member, o.Findings[j].Rule.ID, o.Findings[j].Span))
			}
		}
	}
	return found, listed
}

// Listings change no verdict, whatever the budget is, and a file has a bounded number of them.
func TestListingsChangeNoVerdict(t *testing.T) {
	for _, path := range []string{corpus + "binutils-2.44/amd64/pltgot.elf", corpus + "binutils-2.44/amd64/archives/static.a", corpus + "lld-23/concatenated-v3.elf"} {
		for memory := int64(20_000); memory < 64<<20; memory *= 2 {
			plain, none := results(t, path, memory, false)
			found, listed := results(t, path, memory, true)
			assert.Equal(t, plain, found, "%s with %d", path, memory)
			assert.Zero(t, none)
			assert.LessOrEqual(t, listed, len(found))
			if memory > 32<<20 {
				assert.NotZero(t, listed, path)
			}
		}
	}
}

// The bytes of every finding are those that the file has there.
func TestListings(t *testing.T) {
	for _, name := range []string{"hand/twice.o", "binutils-2.44/amd64/archives/static.a", "hand/segment-alone.elf", "hand/v3-amd64-trailing-bytes.sframe"} {
		path := corpus + name
		file := must.Get(os.ReadFile(path))(t)
		d := rules.Driver{Rules: catalogue.Rules()}
		n := 0
		require.NoError(t, reader.Scan(path, reader.Options{}, func(o *reader.Object) error {
			found := d.Run(o).Findings
			for i := range found {
				f := &found[i]
				for _, x := range ListingOf(o, f).Fields {
					at := f.FileOffset - f.Span.Off + x.Off
					assert.Equal(t, file[at:at+int64(len(x.Bytes))], x.Bytes, "%s: %s", name, f.Message)
					n++
				}
			}
			return nil
		}))
		assert.NotZero(t, n, name)
	}
}

// TestZeroOptions: without options, a run judges as the command does. GNU ld writes the .plt.got of
// each PIE wrongly, which is a note that is not shown.
func TestZeroOptions(t *testing.T) {
	const file = "../corpus/files/binutils-2.47/amd64/pltgot.elf"
	shown := func(o Options) (out []string) {
		files, _ := run(t, o, file)
		require.Len(t, files, 1)
		for _, x := range files[0].Objects {
			for _, f := range x.Findings {
				out = append(out, f.Rule.ID+" "+f.Severity.String())
			}
		}
		return out
	}
	assert.Empty(t, shown(Options{}))
	assert.Equal(t, []string{"SF6018 error"}, shown(Options{Profile: "toolchain", Show: rules.Error}))
	_, err := New(Options{Profile: "nosuch"})
	assert.ErrorContains(t, err, "profile: ")
}

// TestKernelProfile: an object file with a function that has CFI and no FDE fails in profile kernel only.
func TestKernelProfile(t *testing.T) {
	for profile, want := range map[string][]string{"kernel": {"SF6025"}, "app": nil, "strict": nil} {
		files, _ := run(t, Options{Profile: profile, Show: rules.Error}, "../corpus/files/field/object-lost.o")
		var got []string
		for _, o := range files[0].Objects {
			for _, f := range o.Findings {
				got = append(got, f.Rule.ID)
			}
		}
		assert.Equal(t, want, got, profile)
	}
}
