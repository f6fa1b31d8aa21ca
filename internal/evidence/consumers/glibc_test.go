package consumers_test

import (
	"testing"

	"github.com/sframe-lint/sframe-lint/internal/tool/campaign"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// TestInteropGlibc holds the profile of glibc against sysdeps/generic/sframe-read.c of
// the source tree that SFRAME_GLIBC names: all sections of the corpus in linked files of
// AMD64, every section that one bit tells from a good one, and a lookup for each FRE.
func TestInteropGlibc(t *testing.T) {
	driver := serve(t, campaign.Glibc, sourceTree(t, "SFRAME_GLIBC", "glibc 2.42"))
	d := &driven{profile: "glibc", takes: amd64, unclear: ambiguous, see: func(t *testing.T, o *reader.Object, f *reader.SFrame) outcome {
		if _, ok := segment(o, f); !ok {
			return outcome{"ignores", "there is no segment"}
		}
		return seeLookups(t, driver, campaign.Glibc, f, campaign.Request{})
	}}
	d.corpus(t)
	d.unclear = func(s *model.Section) bool { return ambiguous(s) || partial(s) }
	d.flips(t, 0x2000, "v2-amd64", "v2-amd64-section-relative")
}

// partial reports whether a lookup for each FRE does not show all that the reader does: FREs
// are missing or out of order, or have a signed RA, which a later step of glibc meets.
func partial(s *model.Section) bool {
	if s != nil && s.NumFDEs() == 0 {
		return true // there is nothing to look up
	}
	for i := 0; s != nil && i < s.NumFDEs(); i++ {
		f := s.FDE(i)
		if f.NumFREs() != int(f.ClaimedFREs()) {
			return true
		}
		last := int64(-1)
		for r := range f.FREs() {
			if r.MangledRA() || int64(r.Start()) <= last {
				return true
			}
			last = int64(r.Start())
		}
	}
	return false
}
