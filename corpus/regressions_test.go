package corpus_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// TestFieldRegressions holds files that were judged wrongly against their exact findings.
func TestFieldRegressions(t *testing.T) {
	driver := &rules.Driver{Rules: catalogue.Default(), Limits: rules.Limits{Findings: -1}}
	for file, want := range map[string][]string{
		"after-empty-function.o":     {"SF2012 0x2c+8", "SF3114 0x4c+3"},
		"amounts-aarch64.o":          {"SF3114 0x34+5"},
		"amounts-amd64.o":            {"SF3114 0x64+4", "SF3114 0x74+4"},
		"amounts-s390x.o":            {"SF3114 0x39+5"},
		"call-then-jump.o":           {},
		"fill-in-function.o":         {},
		"frame-elsewhere.o":          {},
		"joined-frame-amd64.o":       {"SF3114 0x38+4"},
		"jump-into-another.o":        {"SF3114 0x41+3"},
		"lost-rows-aarch64.o":        {"SF3114 0x64+5", "SF3114 0x74+5", "SF3114 0x8e+5", "SF3115 0xa3+5", "SF3116 0xa3+5"},
		"lost-rows-amd64.o":          {"SF3114 0x94+4", "SF3114 0xa0+3", "SF3114 0xab+3", "SF3116 0xc1+3", "SF3116 0xd3+4"},
		"lost-rows-s390x.o":          {"SF3114 0x79+5", "SF3114 0x8e+5", "SF3115 0xa2+4", "SF3115 0xb9+8", "SF3116 0xb9+8"},
		"lost-rows-flexible-amd64.o": {"SF3114 0x40+7"},
		"loops-and-tables.o":         {"SF3114 0x8c+4", "SF3114 0x9b+3", "SF3114 0xc0+7", "SF3114 0xde+4", "SF3116 0xf5+4"},
		"masked-sp.o":                {},
		"results-aarch64.o": {
			"SF3114 0xce+5", "SF3114 0xf2+5", "SF3114 0x116+5", "SF3114 0x13a+5", "SF3114 0x15e+5",
			"SF3116 0x178+4", "SF3116 0x18c+5", "SF3115 0x1a6+5", "SF3116 0x1a6+5", "SF3114 0x1c0+5",
		},
		"results-amd64.o": {
			"SF3114 0x1ac+4", "SF3114 0x1c8+4", "SF3114 0x1e4+4", "SF3114 0x200+4", "SF3114 0x21c+4",
			"SF3114 0x238+4", "SF3114 0x254+4", "SF3114 0x270+4", "SF3114 0x28c+4", "SF3114 0x2a8+4",
			"SF3116 0x2c0+4", "SF3116 0x2d4+4", "SF3116 0x2e8+4", "SF3116 0x2fc+4", "SF3116 0x310+4",
			"SF3114 0x328+4", "SF3114 0x350+4",
		},
		"results-s390x.o": {
			"SF3114 0xf3+5", "SF3114 0x117+5", "SF3114 0x13b+5", "SF3114 0x15f+5", "SF3114 0x183+5",
			"SF3114 0x1a7+5", "SF3116 0x1c0+4", "SF3116 0x1d3+4", "SF3116 0x1ec+5", "SF3114 0x206+5",
			"SF3115 0x21c+6",
		},
		"shadow-stack-aarch64.o":           {},
		"none-reloc-empty.o":               {},
		"only-dropped.so":                  {"SF5014 file:0x158+4"},
		"outgoing-args.o":                  {"SF6014 0x8+4"},
		"push-ret.o":                       {},
		"pushed-args.o":                    {"SF6014 0x8+4"},
		"ra-state-by-expression-aarch64.o": {},
		"ra-state-with-pc-aarch64.o":       {},
		"other-stack-amd64.o":              {"SF3114 0x41+3"},
		"other-stack-s390x.o":              {"SF3114 0x34+4"},
		"redirected-return-aarch64.o":      {},
		"signal-through-plt.so":            {"SF5010 file:0x108+8", "SF3119 0x6e+1"},
		"sp-rule.o":                        {},
		"split-stack-pad.o":                {},
		"sums-aarch64.o":                   {"SF3114 0x34+5"},
		"sums-amd64.o":                     {"SF3114 0x58+4", "SF3114 0x6c+4"},
		"sums-s390x.o":                     {"SF3114 0x39+5"},
		"unknown-augmentation.o":           {},
		"unreached-rows-amd64.o":           {"SF3114 0x67+3", "SF3114 0x75+3", "SF3114 0x8c+3"},
		"varying-shift-aarch64.o":          {"SF3114 0x34+5"},
	} {
		found := []string{}
		require.NoError(t, reader.Scan(filepath.Join("regressions", file), reader.Options{}, func(o *reader.Object) error {
			res := driver.Run(o)
			assert.Empty(t, res.Failures)
			for _, f := range res.Findings {
				if f.Severity > rules.Note {
					found = append(found, brief(o, f))
				}
			}
			return nil
		}))
		assert.Equal(t, want, found, file)
	}
}

// TestAdviceNamesOtherVersions: the advice on what a release wrote is not to use a release that it is one of.
func TestAdviceNamesOtherVersions(t *testing.T) {
	driver := &rules.Driver{Rules: catalogue.Default()}
	const binutils, mold = `2\.4[67] (and|or) later`, "mold 3 (and|or) later"
	for pattern, advice := range map[string]string{
		"files/binutils-2.47/*/*.*":  binutils,
		"files/*/*ld-2.47*":          binutils,
		"files/*/*/*ld-2.47*":        binutils,
		"regressions/section-no-*.o": binutils,
		"regressions/ifunc.elf":      binutils,
		"regressions/aflex.o":        binutils,
		"files/mold-3/*":             mold,
		"regressions/*-mold-*":       mold,
	} {
		files, err := filepath.Glob(filepath.FromSlash(pattern))
		require.NoError(t, err)
		require.NotEmpty(t, files, pattern)
		for _, file := range files {
			require.NoError(t, reader.Scan(file, reader.Options{}, func(o *reader.Object) error {
				for _, f := range driver.Run(o).Findings {
					assert.NotRegexp(t, advice, f.Help, "%s: %s", file, brief(o, f))
				}
				return nil
			}))
		}
	}
}
