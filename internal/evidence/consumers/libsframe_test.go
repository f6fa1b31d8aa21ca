package consumers_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
	"github.com/sframe-lint/sframe-lint/internal/tool/campaign"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// TestInteropLibsframe holds the profile of libsframe's functions against the library:
// all sections of the corpus in linked files, and a lookup for each FRE.
func TestInteropLibsframe(t *testing.T) { libsframeDriven(t).corpus(t) }

// TestInteropLibsframeFlips does the same for every section that one bit tells from a
// good one.
func TestInteropLibsframeFlips(t *testing.T) {
	if testing.Short() {
		t.Skip("reads every one-bit change of three sections: run without -short")
	}
	// At an address from which that of few functions wraps.
	libsframeDriven(t).flips(t, 1<<60, "v2-amd64", "v3-amd64", "v3-aarch64-be")
}

func libsframeDriven(t *testing.T) *driven {
	lib := filepath.Join(filepath.Dir(toolchain.Bin(t)), "sid/usr/lib/x86_64-linux-gnu/libsframe.so.3")
	if _, err := os.Stat(lib); err != nil {
		t.Skip("there is no libsframe.so.3 among the toolchains")
	}
	driver := serve(t, campaign.Libsframe, lib)
	return &driven{profile: "libsframe-api-2.47", unclear: ambiguous, see: func(t *testing.T, _ *reader.Object, f *reader.SFrame) outcome {
		return seeLookups(t, driver, campaign.Libsframe, f, campaign.Request{})
	}}
}

// ambiguous reports whether nothing says what a lookup should find: the ABI is not known,
// functions overlap, no PC has an FRE or its words make no sense, or the distance of one from the section is beyond an end of the
// address space.
func ambiguous(s *model.Section) bool {
	if s == nil {
		return false
	}
	if !s.ABI().Known() || s.StartsAscend() && !s.Disjoint() {
		return true
	}
	for f := range s.FDEs() {
		for r := range f.FREs() {
			if unreachable(f, r) || f.Type() <= model.SFRAME_FDE_TYPE_FLEX && !r.Row().Valid() {
				return true
			}
		}
		if int64(f.Start()-s.Addr()) < 0 != (f.Start() < s.Addr()) {
			return true
		}
	}
	return false
}
