package dump_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
	"github.com/sframe-lint/sframe-lint/model"
)

var generated = flag.Int("generated", 250, "sections of each version and ABI to compare with objdump")

// batch is how many files an archive holds: objdump then starts once for all.
const batch = 250

// TestInteropGenerated compares random valid sections of every version and
// ABI that an objdump reads. Sections with an auxiliary header are not among
// them: objdump rejects those.
func TestInteropGenerated(t *testing.T) {
	bin := toolchain.Bin(t)
	for v := model.SFRAME_VERSION_1; v <= model.SFRAME_VERSION_3; v++ {
		for _, abi := range model.ABIs() {
			if !abi.InVersion(v) {
				continue
			}
			t.Run(fmt.Sprintf("%v %s", v, abi.Spec), func(t *testing.T) {
				rnd := rand.New(rand.NewPCG(uint64(v), uint64(abi.ID)))
				var sum tally
				for left := *generated; left > 0; left -= batch {
					path := filepath.Join(t.TempDir(), "generated.a")
					require.NoError(t, os.WriteFile(path, archiveOf(t, rnd, v, abi.ID, min(left, batch)), 0o600))
					sum.add(compare(t, bin, path))
				}
				require.Equal(t, *generated, sum.sections)
				t.Logf("%d sections, %d functions, %d rows are equal", sum.sections, sum.functions, sum.rows)
			})
		}
	}
}

// archiveOf returns an archive of files with sections, in turn relocatable
// and executable.
func archiveOf(t *testing.T, rnd *rand.Rand, v model.Version, abi model.ABI, n int) []byte {
	t.Helper()
	var members []generator.Member
	for len(members) < n {
		cfg := generator.Swarm(rnd)
		cfg.Version, cfg.ABI, cfg.Aux = v, abi, 0
		if v == model.SFRAME_VERSION_1 {
			cfg.FDEGap, cfg.FREGap, cfg.Trailing = 0, 0, 0 // 2.40 gives up at those
		}
		plan, err := generator.Generate(cfg)
		if err != nil {
			continue // drawn for another version: its functions are out of reach
		}
		i := len(members)
		wrap := generator.WrapRel
		if i%2 == 1 {
			wrap = generator.WrapExec
		}
		file, err := wrap(plan)
		if err != nil {
			continue // at its place in the file, a function is out of reach
		}
		members = append(members, generator.Member{Name: fmt.Sprintf("m%d.o", i), Bytes: file.Bytes})
	}
	data, err := generator.WrapArchive(members)
	require.NoError(t, err)
	return data
}
