package crosscheck

import (
	"math/rand/v2"
	"sort"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/ruletest"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

// Look-ups must find what a plain search finds, however the keys lie.
func TestTableAt(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	spread := []uint64{1, 2, 16, 4096, 1 << 40, 1<<64 - 1}
	for range 500 {
		var tab table
		top := spread[r.IntN(len(spread))]
		base := spread[r.IntN(len(spread))]
		for range r.IntN(40) {
			tab.keys = append(tab.keys, base+r.Uint64N(top))
			tab.sizes = append(tab.sizes, uint32(len(tab.sizes)))
		}
		before := append([]uint64(nil), tab.keys...)
		tab.finish()
		for p, key := range tab.keys {
			require.Equal(t, before[tab.number(p)], key)
			require.Equal(t, uint32(tab.number(p)), tab.sizes[p])
		}
		probes := append(before, 0, 1<<64-1, base)
		for _, k := range before {
			probes = append(probes, k-1, k+1)
		}
		for _, k := range probes {
			require.Equal(t, sort.Search(len(tab.keys), func(i int) bool { return tab.keys[i] >= k }), tab.at(k), "%#x in %#x", k, tab.keys)
		}
	}
}

// The table reads the entries itself; it must come to what the model says.
func TestLinkedTable(t *testing.T) {
	for _, base := range ruletest.Bases() {
		for _, set := range []string{"04", "00"} {
			f := ruletest.Raw(base.Bytes(t, ruletest.Set(3, set))).SFrames[0]
			if f.Section.Version() == 1 && set == "00" {
				continue
			}
			c := &rules.Context{SFrame: f, Section: f.Section}
			tab := linkedTable(c, prereq.PCRel(f.Section))
			other := linkedTable(c, !prereq.PCRel(f.Section))
			plain, faults := reader.DecodeSection(base.Bytes(t, ruletest.Set(3, map[string]string{"04": "00", "00": "04"}[set])), reader.SectionOptions{Addr: ruletest.Addr})
			require.Empty(t, faults)
			require.Len(t, tab.keys, f.Section.NumFDEs())
			for p := range tab.keys {
				d := f.Section.FDE(tab.number(p))
				require.Equal(t, d.Start(), tab.keys[p], base.Name)
				require.Equal(t, d.Size(), tab.sizes[p], base.Name)
				require.Equal(t, plain.FDE(other.number(p)).Start(), other.keys[p], base.Name)
			}
		}
	}
}
