//go:build unix

package campaign

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/internal/evidence/clauses"
	"github.com/sframe-lint/sframe-lint/internal/tool/dump"
	"github.com/sframe-lint/sframe-lint/model"
)

// fakeObjdump prints the functions of a file as objdump does, as far as they can be decoded, and
// reports no fault. Its name changes what it prints.
func fakeObjdump(name, path string) {
	data, err := os.ReadFile(path)
	o := object(data)
	if err != nil || o == nil || len(o.SFrames) == 0 || o.SFrames[0].Section == nil {
		return
	}
	fmt.Println("Contents of the SFrame section .sframe:")
	s := o.SFrames[0].Section
	for i := range s.NumFDEs() {
		f := s.FDE(i)
		size := f.Size()
		if name == "wrong" && s.NumFREs() != int(s.Header().NumFREs) {
			size++
		}
		fmt.Printf("  func idx [%d]: pc = 0x%x, size = %d bytes\n", i, f.Start(), size)
		for r := range f.FREs() {
			start := uint64(r.Start())
			if f.PCType() != model.SFRAME_FDE_PCTYPE_MASK {
				start += f.Start()
			}
			fmt.Printf("  %016x  %s\n", start, dump.ObjdumpRule(r))
		}
	}
}

// objdump returns the target of a fake objdump.
func objdump(t *testing.T, name string) *Target {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), name+"-objdump")
	require.NoError(t, os.Symlink(self, path))
	return newTarget(t, name+"="+path+" --sframe @@")
}

// TestDisputes: the target that prints another size than the section states is wrong, and the
// campaign finds and minimizes it.
func TestDisputes(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs two programs many times")
	}
	t.Parallel()
	right, wrong := objdump(t, "right"), objdump(t, "wrong")
	o := Setup{Dir: t.TempDir(), Targets: []*Target{right, wrong}, Seed: 1, Count: 2 * batchSize, Jobs: 1}
	s, err := Run(t.Context(), o)
	require.NoError(t, err)
	var found []FindSummary
	for _, f := range s.Finds {
		if f.Kind == Disagree {
			found = append(found, f)
		}
	}
	// What a function states is compared with what tools print, if nothing is wrong with it.
	want := map[Bucket]string{
		{"wrong", Disagree, "size, where the section is broken", "right"}: `does not meet C-ALL-HDR-\d+ there \(SF\d+\), so that neither is obliged, but its bytes say what right prints`,
		{"wrong", Disagree, "size", "right"}:                              `right is right: the section states it \(C-V`,
	}
	require.Len(t, found, len(want))
	for _, f := range found {
		b, err := os.ReadFile(filepath.Join(o.Dir, findsName, f.ID, "report.json"))
		require.NoError(t, err)
		var x Find
		require.NoError(t, json.Unmarshal(b, &x))
		text, err := os.ReadFile(filepath.Join(o.Dir, findsName, f.ID, "report.md"))
		require.NoError(t, err)
		assert.Contains(t, string(text), "Other program: ")
		assert.Contains(t, x.Message, "function 0, size: ")
		require.Contains(t, want, x.Bucket)
		assert.Regexp(t, want[x.Bucket], x.Message)
		all, err := Try(t.Context(), []*Target{right, wrong}, []string{filepath.Join(o.Dir, findsName, f.ID, x.File)})
		require.NoError(t, err)
		assert.Equal(t, Disagree, all[len(all)-1].Kind)
	}
}

// printedBy returns the reading of a target that prints what a section states.
func printedBy(name string, in *Input, section *model.Section, a *adapter) *reading {
	reads := map[form]bool{{section.Version(), section.ABI().ID}: true}
	r := &reading{target: &Target{Name: name, probed: probe{reads: reads}}, in: in, adapter: a}
	for i := range section.NumFDEs() {
		f := section.FDE(i)
		x := dump.Func{PC: f.Start(), Size: f.Size()}
		for fre := range f.FREs() {
			start := uint64(fre.Start())
			if f.PCType() != model.SFRAME_FDE_PCTYPE_MASK {
				start += f.Start()
			}
			x.Rows = append(x.Rows, dump.Row{Start: start, Rule: a.rule(fre)})
		}
		r.funcs = append(r.funcs, x)
	}
	return r
}

// TestDisputed: who is right is what the section states.
func TestDisputed(t *testing.T) {
	in, err := maker{seed: 1}.input(breakIndex("tail"), shape{kind: breaks.Exec})
	require.NoError(t, err)
	require.Equal(t, "tail", in.Break)
	in.Class = Mutated
	section := object(in.Data).SFrames[0].Section
	printed := func(name string) *reading {
		return printedBy(name, in, section, &adapter{nil, dump.ObjdumpRule, dump.ObjdumpColumns})
	}
	assert.Empty(t, disputes([]*reading{printed("a"), printed("b"), printed("c")}))
	for field, change := range map[string]func(*reading){
		"functions": func(r *reading) { r.funcs = r.funcs[:len(r.funcs)-1] },
		"size":      func(r *reading) { r.funcs[0].Size++ },
		"pc":        func(r *reading) { r.funcs[0].PC++ },
		"rows":      func(r *reading) { r.funcs[0].Rows = r.funcs[0].Rows[1:] },
		"start":     func(r *reading) { r.funcs[0].Rows[0].Start++ },
		"rule":      func(r *reading) { r.funcs[0].Rows[0].Rule = "sp+77c-16f" },
	} {
		for _, order := range []string{"ab", "ba"} {
			a, b := printed("a"), printed("b")
			change(b)
			all := []*reading{a, b}
			if order == "ba" {
				all = []*reading{b, a}
			}
			found := disputes(all)
			require.Len(t, found, 1, field)
			// The bytes after the section's data are no fault of a function, but one of the header.
			assert.True(t, strings.HasPrefix(found[0].Key, field), found[0].Key)
			assert.Equal(t, "b", a.rightOf(b, section), field)
		}
	}
}

// TestDisputedWords: what is wrong is the place of a difference, not a row before it for which programs use other words. That objdump follows
// the header is known from its profile; the second decoder, which follows it as well, is no other witness.
func TestDisputedWords(t *testing.T) {
	c := generator.Default()
	c.ABI, c.Version = model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE, model.SFRAME_VERSION_2
	s, err := breaks.Recipe{Config: c, Container: breaks.Exec, Breaks: []breaks.Step{{Name: "fixed-ra", Seed: 1}}}.Replay()
	require.NoError(t, err)
	in := inputOf(s.File())
	section := object(in.Data).SFrames[0].Section
	llvm := &adapter{nil, dump.LLVMRule, dump.LLVMColumns}
	right := printedBy("llvm-readobj", in, section, llvm)
	for _, version := range []string{"GNU objdump 2.47", "reader 1.0"} {
		wrong := printedBy("objdump", in, section, &adapter{nil, dump.ObjdumpRule, dump.ObjdumpColumns})
		wrong.target.Version = version
		for _, f := range wrong.funcs {
			for k, row := range f.Rows {
				f.Rows[k].Rule = confused.ReplaceAllString(row.Rule, "$1${2}f")
			}
		}
		found := disputes([]*reading{right, wrong})
		require.Len(t, found, 1)
		assert.Positive(t, wrong.differs(right).FRE, "a row before is printed in other words")
		if version == "reader 1.0" {
			assert.Equal(t, Bucket{"llvm-readobj", Disagree, "rule, where the section is broken", "objdump"}, found[0].Bucket)
			continue
		}
		assert.Equal(t, Bucket{"objdump", Disagree, "libsframe-2.47: fixed-ra", "llvm-readobj"}, found[0].Bucket)
	}
}

// confused matches CFA, FP and RA of objdump, which takes RA's word for FP's where it takes RA for fixed.
var confused = regexp.MustCompile(`^([sf]p\+\d+)(?:u|c-\d+)(u|c-\d+)`)

// rightOf returns the name of the reading that is not what the section states.
func (r *reading) rightOf(s *reading, section *model.Section) string {
	d, o := r.differs(s), object(r.in.Data)
	switch {
	case r.right(o, section, d) && !s.right(o, section, d):
		return s.target.Name
	case s.right(o, section, d) && !r.right(o, section, d):
		return r.target.Name
	}
	return ""
}

// breakIndex returns the index of the first input of a break.
func breakIndex(name string) int64 {
	for i, b := range breaks.All() {
		if b.Name == name {
			return int64(8*(i/3) + []int{1, 3, 6}[i%3])
		}
	}
	return -1
}

// TestSilent: a reader that reports nothing is a find if the section cannot be read, and only then.
func TestSilent(t *testing.T) {
	target := objdump(t, "silent")
	s := scratch{dir: t.TempDir()}
	require.NoError(t, s.probe(t.Context(), target))
	for name, want := range map[string]bool{
		"fdes-beyond": true, "freoff-beyond": true, "word-size": true, "fre-type": true, "cut-off": true,
		"num-fres": false, "unsorted": false, "low-cfa": false, "old-version": false, "tail": false,
	} {
		in, err := maker{seed: 1}.input(breakIndex(name), shape{kind: breaks.Exec})
		require.NoError(t, err)
		require.Equal(t, name, in.Break)
		_, v, bad, err := s.try(t.Context(), target, in)
		require.NoError(t, err)
		assert.Equal(t, Accepts, v.outcome)
		if !want {
			assert.Empty(t, bad, name)
		} else if assert.Len(t, bad, 1, name) {
			assert.Equal(t, Bucket{"silent", Silent, breaks.Lookup(name).Rule, ""}, target.failure(bad[0]))
		}
	}
}

func TestFieldClauses(t *testing.T) {
	for field := range fieldClauses {
		for _, v := range model.Versions(nil) {
			id, text, _ := strings.Cut(clauseOfField(field, v), ": ")
			found := slices.ContainsFunc(clauses.List(), func(c clauses.Clause) bool {
				return c.ID == id && c.Text == text && c.Scope.Includes(int(v))
			})
			assert.True(t, found, "%s, V%d: %s", field, v, id)
		}
	}
}
