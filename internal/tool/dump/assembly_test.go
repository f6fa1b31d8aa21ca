package dump_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/internal/tool/asm"
	"github.com/sframe-lint/sframe-lint/internal/tool/dump"
	"github.com/sframe-lint/sframe-lint/reader"
)

// assembled checks that the text of a section assembles to its bytes, and returns the text.
func assembled(t *testing.T, o *reader.Object, s *reader.SFrame) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, dump.Assembly(&b, o, s))
	out, err := asm.Assemble([]byte(b.String()), asm.Options{})
	if err != nil {
		t.Fatalf("%v\n%s\n%x", err, b.String(), s.Data)
	}
	if !bytes.Equal(s.Data, out.Section) {
		t.Fatalf("assembled to\n%x, not\n%x\n%s", out.Section, s.Data, b.String())
	}
	return b.String()
}

// TestAssemblyOfDamage assembles the texts of sections with a bit turned over, and cut ones.
func TestAssemblyOfDamage(t *testing.T) {
	for _, c := range sections {
		data := unhex(t, c.hex)
		flips(data, 1, func(int) {
			o, s := rawSection("flipped", bytes.Clone(data), c.addr)
			assembled(t, o, s)
		})
		for n := range data {
			o, s := rawSection("cut", bytes.Clone(data[:n]), c.addr)
			assembled(t, o, s)
		}
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		data := unhex(t, sections[rnd.IntN(len(sections))].hex)
		for range 1 + rnd.IntN(8) {
			if len(data) > 0 {
				data[rnd.IntN(len(data))] = byte(rnd.IntN(256))
			}
		}
		o, s := rawSection("random", data, 0x1000)
		assembled(t, o, s)
	}
}

// TestAssemblyOfCorpus assembles the texts of all sections of the corpus. Those of real tools state no
// bytes besides their meaning.
func TestAssemblyOfCorpus(t *testing.T) {
	files := must.Get(corpus.Load("../../../corpus"))(t)
	n := 0
	for _, f := range files {
		err := reader.Scan(corpusPath(strings.TrimPrefix(f.File, "files/")), reader.Options{}, func(o *reader.Object) error {
			for _, s := range o.SFrames {
				text := assembled(t, o, s)
				n++
				if f.Healthy {
					require.NotRegexp(t, `(?m)^\.at|info2?=`, text, f.File)
				}
			}
			return nil
		})
		require.NoError(t, err)
	}
	require.Greater(t, n, 500)
}

// TestAssemblyOfSharedNothing: an FDE that shares the place of an FDE without FREs can state FREs of
// another width, which are the bytes of FDEs.
func TestAssemblyOfSharedNothing(t *testing.T) {
	out := must.Get(asm.Assemble([]byte(".version 2\n.fres_at 0x1c\n.fre_len 40\n.func f0 0 0\n.func f1 0 0 fres=f0 addr2 num_fres=0x7c00"), asm.Options{}))(t)
	o, s := rawSection("shared", out.Bytes, 0)
	require.Contains(t, assembled(t, o, s), ".func f1 0x0 0x0 fres=f0 addr2 num_fres=0x7c00")
}

// TestAssemblyOfWideNothing: an FDE without FREs states a width that the next one, which shares its
// place, does not have.
func TestAssemblyOfWideNothing(t *testing.T) {
	out := must.Get(asm.Assemble([]byte(".version 1\n.fres_at 0x1c\n.fre_len 40\n.func f0 0 0 addr2\n.func f1 0 0 fres=f0 addr1 num_fres=1"), asm.Options{}))(t)
	o, s := rawSection("shared", out.Bytes, 0)
	require.Contains(t, assembled(t, o, s), ".func f1 0x0 0x0 fres=f0 addr1 num_fres=0x1")
}
