package lint

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/internal/tool/asm"
	"github.com/sframe-lint/sframe-lint/rules"
)

const regressions = "../corpus/regressions/"

// found returns the findings of a run, with their messages where there is only one rule to look at.
func found(t *testing.T, o Options, paths ...string) (out []string, all []rules.Finding, s Summary) {
	t.Helper()
	files, s := run(t, o, paths...)
	for _, f := range files {
		for _, x := range f.Objects {
			for _, y := range x.Findings {
				out = append(out, fmt.Sprintf("%v %s 0x%x+%d", y.Severity, y.Rule.ID, y.Span.Off, y.Span.Len))
				all = append(all, y)
			}
		}
	}
	return out, all, s
}

// TestRequire: data that is missing is an error if the user requires it, and an allowed gap is none.
func TestRequire(t *testing.T) {
	const gap = regressions + "gap-named-by-debug-info-amd64.elf"
	out, all, _ := found(t, Options{RequireSFrame: true}, gap)
	assert.Equal(t, []string{"error SF6021 0x8+4"}, out)
	assert.Contains(t, all[0].Message, "2 in o.c, \"other2\", \"other\"")
	out, _, _ = found(t, Options{}, gap)
	assert.Equal(t, []string{"warning SF6021 0x8+4"}, out)
	out, _, _ = found(t, Options{RequireSFrame: true, AllowGaps: []string{"o.c"}}, gap)
	assert.Empty(t, out)
	_, all, _ = found(t, Options{RequireSFrame: true}, regressions+"gap-between-inputs-amd64.elf")
	assert.Contains(t, all[0].Message, `function between the function "fc" and d.c: a tracer stops in "bare"`)
	assert.Contains(t, all[1].Message, "(2 in inputs between a.c and b.c, \"asmf\", \"asmg\"; 2 in inputs between b.c and the function \"fc\", \"asmh\", \"asmi\")")
	const stripped = regressions + "gap-in-a-debug-file-amd64"
	_, all, _ = found(t, Options{RequireSFrame: true}, stripped+".elf")
	assert.Contains(t, all[0].Message, "2 in inputs that no symbol names, 0x4001a1, 0x4001a5")
	_, all, _ = found(t, Options{RequireSFrame: true, Sources: Sources{DebugFiles: []string{stripped + ".debug"}}}, stripped+".elf")
	assert.Contains(t, all[0].Message, "2 in asm.s, 0x4001a1, 0x4001a5")

	_, all, _ = found(t, Options{RequireSFrame: true}, regressions+"underscore.elf")
	assert.Contains(t, all[0].Message, `2 functions after the function "main": a tracer stops in "_asm_loop", "__asm_leaf" (no CFI)`, "functions of the C library have CFI")

	// A required share allows a rest.
	out, _, _ = found(t, Options{RequireSFrame: true, MinCoverage: 40}, gap)
	assert.Equal(t, []string{"warning SF6021 0x8+4"}, out)
	out, _, _ = found(t, Options{RequireSFrame: true, MinCoverage: 99}, gap)
	assert.Equal(t, []string{"error SF6020 0x2188+4", "warning SF6021 0x8+4"}, out)

	// Code shows the start files of a stripped program. Other functions without a name count.
	for _, file := range []string{"stripped-with-start-files-amd64.elf", "profiled-without-headers-amd64.elf", "profiled-stripped-aarch64.elf", "profiled-stripped-s390x.elf"} {
		out, _, _ = found(t, Options{RequireSFrame: true, MinCoverage: 99}, regressions+file)
		assert.Empty(t, out, file)
	}
	out, _, _ = found(t, Options{Show: rules.Note, Select: []string{"SF6014"}}, regressions+"stripped-with-start-files-amd64.elf")
	assert.Empty(t, out)
	out, _, _ = found(t, Options{RequireSFrame: true}, regressions+"stripped-with-an-input-without-data-amd64.elf")
	assert.Equal(t, []string{"error SF6021 0x8+4"}, out)

	// Without section headers, the code of stubs shows a PLT.
	out, _, _ = found(t, Options{RequireSFrame: true}, regressions+"plt-of-one-stub-without-headers-amd64.elf")
	assert.Empty(t, out)

	// So is that of an input of ld -r, and of an assembler that describes no function of a machine.
	const partial = regressions + "lost-input-of-a-partial-link-amd64.o"
	out, all, _ = found(t, Options{RequireSFrame: true}, partial)
	assert.Equal(t, []string{"error SF6014 0x8+4"}, out)
	assert.Contains(t, all[0].Message, `no FDE covers 1 function: a tracer stops in "two" (its CFI is simple, so its data was lost, `)
	out, _, _ = found(t, Options{}, partial)
	assert.Equal(t, []string{"warning SF6014 0x8+4"}, out)
	out, _, _ = found(t, Options{RequireSFrame: true}, "../corpus/files/llvm-23/aarch64/frames.o")
	assert.Equal(t, []string{"error SF6014 0x8+4"}, out)

	mixed := []string{regressions + "mixed-v2-amd64.o", regressions + "mixed-v3-amd64.o"}
	out, all, _ = found(t, Options{RequireSFrame: true}, mixed...)
	require.Equal(t, []string{"error SF5001 0x2+1"}, out)
	assert.Equal(t, mixed[1], all[0].Path)
	assert.Contains(t, all[0].Message, "this input has version 3 of the format, but "+mixed[0]+" has version 2: ")
	out, _, _ = found(t, Options{}, mixed...)
	assert.Empty(t, out)
}

// TestBareFunctions: functions of assembly without CFI are named, also those whose symbols have no size or no type. Labels in other
// functions, at padding and of data are none.
func TestBareFunctions(t *testing.T) {
	const lines, none, object = regressions + "bare-functions-with-lines-amd64.elf", regressions + "bare-functions-amd64.elf", regressions + "bare-functions-amd64.o"
	const help = "compile with -fasynchronous-unwind-tables, and write .cfi_ directives in assembly: without CFI an assembler writes no FDE and prints nothing"
	for _, c := range []struct {
		file     string
		options  Options
		findings []string
	}{
		{lines, Options{RequireSFrame: true}, []string{`error SF6014 line 6: no FDE covers 4 functions of bare.s: a tracer stops in "near", "sized", "unsized" and 1 more (no CFI)`}},
		{lines, Options{RequireSFrame: true, AllowGaps: []string{"bare.s"}}, nil},
		{lines, Options{RequireSFrame: true, MinCoverage: 60}, nil},
		{none, Options{RequireSFrame: true}, []string{
			`error SF6014 line 0: no FDE covers 1 function of bare.s: a tracer stops in "near" (no CFI)`,
			`error SF6014 line 0: no FDE covers 3 functions after the function "_start": a tracer stops in "sized", "unsized", "untyped" (no CFI)`,
		}},
		{none, Options{}, nil},
		{object, Options{RequireSFrame: true}, []string{`error SF6014 line 0: no FDE covers 4 functions: a tracer stops in "near", "sized", "unsized" and 1 more (no CFI)`}},
	} {
		_, all, _ := found(t, c.options, c.file)
		var got []string
		for _, f := range all {
			line := 0
			if f.Source != nil {
				line = f.Source.Line
			}
			got = append(got, fmt.Sprintf("%v %s line %d: %s", f.Severity, f.Rule.ID, line, f.Message))
			assert.Equal(t, help, f.Help)
		}
		assert.ElementsMatch(t, c.findings, got, "%s %+v", c.file, c.options)
	}
}

// TestProofWithoutHeaders: the instruction that proves a finding is shown in a file without section headers, too.
func TestProofWithoutHeaders(t *testing.T) {
	out, all, _ := found(t, Options{}, regressions+"wrong-cfa-without-headers-amd64.elf")
	require.Equal(t, []string{"error SF3114 0xe8+3"}, out)
	assert.Contains(t, all[0].Message, `(0x11c2: 4883ec20 "sub $0x20,%rsp";`)
}

// TestManyWrongRows: a function with very many wrong FREs is checked within the budget.
func TestManyWrongRows(t *testing.T) {
	const rows = 32000
	text := fmt.Appendf(nil, ".elf exec\n.abi amd64\n.func 0x401000, %d\n", rows)
	for i := range rows {
		text = fmt.Appendf(text, "  %d: cfa = rsp+%d\n", i, 8+8*(i%2))
	}
	b := must.Get(asm.Assemble(text, asm.Options{}))(t)
	path := filepath.Join(t.TempDir(), "many.elf")
	require.NoError(t, os.WriteFile(path, b.Bytes, 0o600))
	out, all, _ := found(t, Options{Profile: "toolchain"}, path)
	require.Equal(t, []string{"error SF3114 0x35+4"}, out)
	assert.Contains(t, all[0].Message, "(one of 16000 wrong FREs)")
}

// TestNoData: a run says that none of its files has data, also where a section is empty.
func TestNoData(t *testing.T) {
	_, _, s := found(t, Options{}, "../corpus/files/field/discarded.elf")
	assert.True(t, s.NoData)
	_, _, s = found(t, Options{}, "../corpus/files/field/discarded.elf", regressions+"mixed-v3-amd64.o")
	assert.False(t, s.NoData)
}

// TestQuirkWithoutSectionHeaders: the code shows that an FDE is for .plt.got.
func TestQuirkWithoutSectionHeaders(t *testing.T) {
	out, all, _ := found(t, Options{Show: rules.Note, Select: []string{"SF6"}}, regressions+"plt-got-without-headers-amd64.elf")
	require.Equal(t, []string{"note SF6018 0x10f+3"}, out)
	assert.Equal(t, "GNU ld 2.46 to 2.47", all[0].Quirk)
}

// TestLostByPartialLink: of the seven functions of a relocatable file, each in a section of its own, one lacks an FDE.
func TestLostByPartialLink(t *testing.T) {
	out, _, _ := found(t, Options{}, regressions+"lost-by-partial-link-amd64.o", regressions+"right-partial-link-amd64.o")
	assert.Equal(t, []string{"warning SF6014 0x8+4"}, out)
}

// TestOneFunctionReadOtherwise: three FREs of one function show that the base register is inverted.
func TestOneFunctionReadOtherwise(t *testing.T) {
	out, _, _ := found(t, Options{}, regressions+"one-function-with-inverted-base-amd64.o")
	assert.Equal(t, []string{"error SF6027 0x34+1"}, out)
}

// TestOneCauseWithProfiler: epilogues that clang does not describe are one cause, also after a call of __fentry__.
func TestOneCauseWithProfiler(t *testing.T) {
	out, all, _ := found(t, Options{}, regressions+"one-cause-mfentry-s390x.o")
	require.Equal(t, []string{"error SF3114 0x7e+5"}, out)
	assert.Equal(t, "clang 14.0.6 wrote the CFI: its CFI for s390x does not describe epilogues", all[0].Correction.Cause.Text)
}

// TestBlame: where the CFI is right, no remedy is a change of the source, and no compiler is at fault.
func TestBlame(t *testing.T) {
	for file, want := range map[string][]string{
		"cfi-right-cfa-amd64.o":     {"error SF6007 0x31+3", "warning SF3101 0x33+1"},
		"cfi-right-fp-amd64.o":      {"error SF6009 0x34+4", "warning SF3103 0x37+1"},
		"cfi-right-fp-llvm-amd64.o": {"error SF6009 0x37+6", "warning SF3103 0x3b+2"},
	} {
		out, all, _ := found(t, Options{}, regressions+file)
		assert.Equal(t, want, out, file)
		for _, f := range all {
			assert.Equal(t, "assemble or link with another version of the tools", f.Help, file)
			assert.NotContains(t, f.Message, "proves neither")
		}
	}
}

// Sections with the same name are listed by index, and what no finding explains is hidden.
func TestNotChecked(t *testing.T) {
	cause := rules.New(rules.Rule{ID: "SF9001", Title: "the cause", Severity: rules.Warning}, nil)
	held := func(section string, index int) rules.HeldBack {
		return rules.HeldBack{Rule: "SF9002", Absence: rules.Absence{Reason: "a gap is there", Causes: []string{"SF9001"}}, Section: section, SectionIndex: index}
	}
	o := &Object{
		HeldBack: []rules.HeldBack{held(".sframe", 3), held(".sframe", 7), held("other", 9)},
		Findings: []rules.Finding{{Rule: cause, Severity: rules.Warning, SectionIndex: 7}, {Rule: cause, Severity: rules.Note, SectionIndex: 9}},
	}
	all := o.NotChecked()
	var got []string
	for _, n := range all {
		got = append(got, n.Section)
	}
	assert.Equal(t, []string{".sframe (section 3)", ".sframe (section 7)", "other"}, got)
	assert.True(t, all[0].Hidden)
	assert.False(t, all[1].Hidden)
	assert.False(t, all[2].Hidden)
	assert.True(t, all[2].Accepted, "the finding is shown with a lower severity")
	assert.Equal(t, []rules.Severity{rules.Error, rules.Warning, rules.Note}, []rules.Severity{all[0].Severity(), all[1].Severity(), all[2].Severity()})
	assert.True(t, o.Hidden())
}

// Every fault of a container that ends reading is reported by a rule, or else by name.
func TestHiddenGaps(t *testing.T) {
	ids := map[string]bool{}
	for _, r := range Rules() {
		ids[r.ID] = true
	}
	for code, id := range gapRules {
		assert.True(t, ids[id], code)
	}
	for _, path := range []string{"hand/archive-damaged.a", "hand/object-cut.o", "hand/thin-missing.a"} {
		_, sum := run(t, Options{}, corpus+path)
		cut := 0
		if path == "hand/archive-damaged.a" { // members that cannot be found count as a failure
			cut = 1
		}
		assert.Equal(t, cut, sum.Failed, path)
		assert.Zero(t, sum.Hidden, path)
		files, sum := run(t, Options{Ignore: []string{"SF502", "SF503"}}, corpus+path)
		assert.Equal(t, 1, sum.Hidden, path)
		last := &files[0].Objects[len(files[0].Objects)-1]
		assert.NotEmpty(t, last.HiddenGaps(), path)
		assert.True(t, last.Unread(), path)
	}
}

// Who accepts a finding accepts that rules do not run for its reason. The run says so.
func TestAccepted(t *testing.T) {
	const path = corpus + "hand/v3-amd64-concatenated.sframe"
	_, sum := run(t, Options{}, path)
	assert.Equal(t, [3]int{1, 0, 0}, [3]int{sum.Partly, sum.Accepted, sum.Hidden}, "the finding is shown")
	_, sum = run(t, Options{Select: []string{"SF3"}}, path)
	assert.Equal(t, [3]int{1, 0, 1}, [3]int{sum.Partly, sum.Accepted, sum.Hidden}, "nobody has named the rule")
	everything := []Exception{{Rules: []string{"SF1019"}, Reason: "known"}}
	for name, o := range map[string]Options{
		"ignored":  {Ignore: []string{"sf1019"}},
		"off":      {Severity: []Override{{ID: "SF1019", Level: rules.Off}}},
		"a note":   {Severity: []Override{{ID: "SF1019", Level: rules.Note}}},
		"excepted": {Exceptions: everything},
		"recorded": {Baseline: recorded(t, path)},
	} {
		files, sum := run(t, o, path)
		assert.Equal(t, [3]int{1, 1, 0}, [3]int{sum.Partly, sum.Accepted, sum.Hidden}, name)
		n := files[0].Objects[0].NotChecked()
		assert.True(t, n[0].Accepted && !n[0].Hidden, name)
	}
	_, sum = run(t, Options{Exceptions: everything}, path, corpus+"hand/v3-amd64-bad-version.sframe")
	assert.Equal(t, [3]int{2, 1, 0}, [3]int{sum.Partly, sum.Accepted, sum.Hidden}, "a reason in another file")
}

// recorded returns a baseline with all findings in a file.
func recorded(t *testing.T, path string) *Baseline {
	t.Helper()
	l := must.Get(New(Options{Record: true, Show: rules.Note}))(t)
	r := l.Run(context.Background(), path)
	for range r.Files() {
	}
	rec := must.Get(r.Recorded())(t)
	var b bytes.Buffer
	require.NoError(t, rec.Write(&b))
	known := must.Get(ReadBaseline(&b))(t)
	return known
}
