package producers_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/producers"
	"github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

func TestQuirks(t *testing.T) {
	get := func(name string) []string {
		out, err := producers.Quirks(name)
		require.NoError(t, err, name)
		return out
	}
	assert.Contains(t, get("gnu-ld-2.44"), "SF2008")
	assert.Contains(t, get("gnu-ld-2.43.1"), "SF2008")
	assert.Contains(t, get("gnu-ld-2.44.90"), "SF2008", "what goes on is of that version")
	assert.NotContains(t, get("gnu-ld-2.40"), "SF2008")
	assert.NotContains(t, get("gnu-ld-2.45"), "SF2008")
	assert.Contains(t, get("gnu-ld"), "SF2008")
	assert.Contains(t, get("gas-2.40"), "SF1004")
	assert.NotContains(t, get("gas-2.47"), "SF5003")
	assert.Equal(t, []string{"SF6005"}, get("mold-3.0.1"))
	for _, name := range []string{"", "icc", "gas-", "gas-2", "gas-2.39", "gas-2.48", "gas-x", "gasp", "gnu-ld 2.44", "GAS", "gas-2.40-1", "gas-2..40"} {
		_, err := producers.Quirks(name)
		assert.Error(t, err, name)
	}
}

// tools are the producers behind what the corpus says of a file.
func tools(e corpus.Entry) []string {
	version := e.Version
	if p := strings.Split(version, "."); p[0] == "2" {
		version = strings.Join(p[:2], ".")
	} else {
		version = p[0]
	}
	switch e.Producer {
	case "gas":
		return []string{"gas-" + version}
	case "ld":
		return []string{"gas-" + version, "gnu-ld-" + version}
	case "gold", "lld", "mold":
		return []string{e.Producer + "-" + version, "gas"}
	case "llvm-mc":
		return []string{"llvm-mc-" + version}
	}
	return nil
}

// seen returns the rules with findings in a file.
func seen(t *testing.T, e corpus.Entry) map[string]rules.Severity {
	t.Helper()
	d := rules.Driver{Rules: catalogue.Rules()}
	out := map[string]rules.Severity{}
	require.NoError(t, reader.Scan(filepath.Join("../../../corpus", e.File), reader.Options{}, func(o *reader.Object) error {
		for _, f := range d.Run(o).Findings {
			out[f.Rule.ID] = f.Severity
		}
		return nil
	}))
	return out
}

// A quirk is in the table because a file shows it, and what sound files of a
// producer show is in the table.
func TestQuirksAreReal(t *testing.T) {
	entries := must.Get(corpus.Load("../../../corpus"))(t)
	shown := map[string]bool{}
	// Found in files that are as they were meant to be.
	meant := map[string]bool{
		"SF2101": true, // a program over more than a GB
		"SF5001": true, // none of its inputs was asked for SFrame data
		"SF3106": true, // a function that is entered with another frame
		"SF6014": true, // the assembler leaves out all functions
		"SF6022": true, // assembly whose CFI does not follow its code
	}
	for _, e := range entries {
		of := tools(e)
		if of == nil || strings.Contains(e.File, "/hand/") {
			continue
		}
		quirks := map[string]bool{}
		for _, name := range of {
			ids, err := producers.Quirks(name)
			require.NoError(t, err, e.File)
			for _, id := range ids {
				quirks[id] = true
			}
		}
		for id, severity := range seen(t, e) {
			for _, name := range of {
				shown[name+" "+id] = true
			}
			if e.Healthy && severity > rules.Note && !meant[id] {
				assert.True(t, quirks[id], "%s: %s is no quirk of %v", e.File, id, of)
			}
		}
	}
	// Versions that the corpus has no files of.
	unseen := map[string]bool{"gas SF5002": true, "gnu-ld SF2013": true}
	for _, p := range producers.All() {
		for _, q := range p.Quirks {
			found := false
			for key := range shown {
				name, id, _ := strings.Cut(key, " ")
				quirks := must.Get(producers.Quirks(name))(t)
				found = found || strings.HasPrefix(name, p.Name+"-") && id == q.Rule && slices.Contains(quirks, id)
			}
			assert.NotEqual(t, unseen[p.Name+" "+q.Rule], found, "%s %s", p.Name, q.Rule)
		}
	}
}

// Every rule of the table exists, and its page names the producers.
func TestQuirksOfRules(t *testing.T) {
	for _, p := range producers.All() {
		for _, q := range p.Quirks {
			i := slices.IndexFunc(catalogue.Rules(), func(r *rules.Rule) bool { return r.ID == q.Rule })
			if assert.GreaterOrEqual(t, i, 0, q.Rule) {
				assert.True(t, slices.ContainsFunc(catalogue.Rules()[i].Quirk, func(s string) bool { return strings.HasPrefix(s, p.Title) }), q.Rule)
			}
		}
	}
	assert.Equal(t, []string{"GNU as", "llvm-mc"}, producers.Breaking("SF3006"))
	assert.Equal(t, []string{"GNU as 2.40", "GNU ld 2.40"}, producers.Breaking("SF1004"))
	assert.Equal(t, []string{"GNU ld up to 2.44 with -r"}, producers.Breaking("SF2011"))
	assert.Equal(t, []string{"GNU as 2.45", "GNU ld 2.47 with -r given sections of version 2"}, producers.Breaking("SF5002"))
	assert.Empty(t, producers.Breaking("SF2001"))
}

// Rules have their producers from the table alone.
func TestRulesNameNoProducers(t *testing.T) {
	for _, r := range catalogue.Rules() {
		assert.Equal(t, producers.Breaking(r.ID), r.Quirk, r.ID)
	}
}

// The sections in the corpus look as the table says.
func TestOutput(t *testing.T) {
	entries := must.Get(corpus.Load("../../../corpus"))(t)
	packages := map[string]string{"gas": "binutils", "ld": "binutils", "llvm-mc": "LLVM", "mold": "mold"}
	met := map[string]bool{}
	for _, e := range entries {
		if packages[e.Producer] == "" || !e.Healthy || strings.Contains(e.File, "/hand/") {
			continue
		}
		require.NoError(t, reader.Scan(filepath.Join("../../../corpus", e.File), reader.Options{}, func(o *reader.Object) error {
			for _, sf := range o.SFrames {
				if sf.Section == nil {
					continue
				}
				h := sf.Section.Header()
				text := producers.Writing(producers.LookOf(h, e.Kind != "object"))
				met[text] = true
				assert.Contains(t, text, packages[e.Producer], e.File)
			}
			return nil
		}))
	}
	assert.Equal(t, map[string]bool{
		"binutils 2.40": true, "binutils 2.41 to 2.44": true, "binutils 2.45 or LLVM 23": true, "binutils 2.46 to 2.47 or mold 3": true,
	}, met)
}

// The documentation has the table.
func TestQuirksAreDocumented(t *testing.T) {
	doc := must.Get(os.ReadFile("../../../docs/configuration.md"))(t)
	for _, p := range producers.All() {
		var list []string
		for _, q := range p.Quirks {
			s := q.Rule
			switch first, last := q.First, q.Last; {
			case first == "" && last == "":
			case first == last || first == "" && last == p.First:
				s += " (" + last + ")"
			case first == "":
				s += " (to " + last + ")"
			default:
				s += " (" + first + " to " + last + ")"
			}
			list = append(list, s)
		}
		row := fmt.Sprintf("| `%s` | %s to %s | %s |\n", p.Name, p.First, p.Last, strings.Join(list, ", "))
		row = strings.Replace(row, fmt.Sprintf("%s to %s", p.First, p.First), p.First, 1)
		assert.Contains(t, string(doc), row)
	}
}

// A file shows by its section, its linking and .comment whose habits it has.
func TestHabit(t *testing.T) {
	old := producers.Look{Linked: true, Version: model.SFRAME_VERSION_2}
	assert.Equal(t, "GNU ld 2.41 to 2.44", old.Habit("SF5003", ""))
	assert.Equal(t, "GNU ld 2.41 to 2.44", old.Habit("SF2008", ""))
	assert.Equal(t, "GNU as 2.41 to 2.44", old.Habit("SF3006", ""))
	assert.Empty(t, old.Habit("SF2011", ""), "of relocatable files")
	assert.Empty(t, old.Habit("SF1019", ""), "nobody's habit")
	assert.Empty(t, old.Habit("SF6004", ""), "functions are lost")
	assert.Equal(t, "GNU ld 2.41 to 2.44", old.Habit("SF6018", ".plt.got"))
	assert.Empty(t, old.Habit("SF6018", ".plt"))
	partial := producers.Look{Version: model.SFRAME_VERSION_2}
	assert.Equal(t, "GNU ld 2.41 to 2.44", partial.Habit("SF2011", ""))
	assert.Empty(t, partial.Habit("SF2008", ""), "of linked files")
	assert.Empty(t, partial.Habit("SF5016", ""), "consumers misread the data")
	recent := producers.Look{Linked: true, Version: model.SFRAME_VERSION_3, PCRelative: true}
	assert.Equal(t, "GNU ld 2.46 to 2.47", recent.Habit("SF5010", ""))
	assert.Empty(t, recent.Habit("SF5003", ""), "of older versions")
	for _, x := range []producers.Look{
		{Comment: "\x00mold 3.0.0 (compatible with GNU ld)\x00"}, {Comment: "Linker: Debian LLD 23.1.4\x00"}, {Sections: []string{".note.gnu.gold-version"}},
	} {
		x.Linked, x.Version, x.PCRelative = true, model.SFRAME_VERSION_3, true
		assert.Empty(t, x.Habit("SF5010", ""), "not of GNU ld: %v", x)
	}
}

// TestLinker: what a linker leaves in its output names it, also without SFrame data.
func TestLinker(t *testing.T) {
	for name, want := range map[string]string{
		"lld-23/single-v3.elf": "lld", "gold-2.40/single-v3.elf": "gold", "mold-3/program.elf": "mold", "binutils-2.47/amd64/program.elf": "gnu-ld", "other/none.elf": "gnu-ld",
	} {
		require.NoError(t, reader.Scan("../../../corpus/files/"+name, reader.Options{}, func(o *reader.Object) error {
			assert.Equal(t, want, producers.Linker(o.ELF), name)
			return nil
		}))
	}
}

func TestCompilerOf(t *testing.T) {
	for text, want := range map[string]string{
		"GCC: (Debian 12.2.0-14) 12.2.0":              "GCC 12.2.0",
		"GCC: 14.1.0":                                 "GCC 14.1.0",
		"GNU C17 12.2.0 -mtune=generic -O2":           "GCC 12.2.0",
		"GNU C++17 13.2.0":                            "GCC 13.2.0",
		"Debian clang version 14.0.6":                 "clang 14.0.6",
		"Ubuntu clang version 18.1.3 (1ubuntu1)":      "clang 18.1.3",
		"GNU AS 2.40":                                 "",
		"Linker: LLD 14.0.6":                          "",
		"rustc version 1.80.0 (051478957 2024-07-21)": "",
		"": "",
	} {
		got, ok := producers.CompilerOf(text)
		assert.Equal(t, want != "", ok, text)
		if ok {
			assert.Equal(t, want, got.String())
		}
	}
}

func TestCompilerAdvice(t *testing.T) {
	sp := func(id model.ABI, n int64) (model.ABIInfo, model.Recovery) {
		abi := model.LookupABI(id)
		return abi, model.Recovery{Kind: model.InRegister, Reg: abi.SP, Offset: n}
	}
	s390x, early := sp(model.SFRAME_ABI_S390X_ENDIAN_BIG, 160)
	_, right := sp(model.SFRAME_ABI_S390X_ENDIAN_BIG, 328)
	arm, entry := sp(model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE, 0)
	w := producers.Wrong{ABI: s390x, Rule: "SF3114", Says: early, Truth: right}
	gcc := producers.Compiler{Name: "GCC", Version: "12.2.0"}
	assert.Contains(t, gcc.Advice(&w), "-fno-schedule-insns2")
	assert.NotContains(t, producers.Compiler{Name: "GCC", Version: "13.1.0"}.Advice(&w), "known")
	w.Says, w.Truth = right, early
	assert.Equal(t, "GCC 12.2.0 wrote the CFI: report the fault to its authors", gcc.Advice(&w))
	w = producers.Wrong{ABI: s390x, Rule: "SF3116", Proof: []string{`.text+0x6: 60a0f070 "std %f10,112(%r15)"`}}
	assert.Contains(t, gcc.Advice(&w), "-mpacked-stack")
	w = producers.Wrong{ABI: arm, Rule: "SF3114", Says: entry}
	assert.NotContains(t, producers.Compiler{Name: "clang", Version: "14.0.6"}.Advice(&w), "known", "wrong at calls, too")
	w.AtCalls = true
	assert.Contains(t, producers.Compiler{Name: "clang", Version: "14.0.6"}.Advice(&w), "clang 15 or later")
	assert.Contains(t, producers.Compiler{Name: "clang", Version: "17.0.1"}.Advice(&w), "compile with -fasynchronous-unwind-tables")
}
