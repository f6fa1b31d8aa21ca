package lint

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
)

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
