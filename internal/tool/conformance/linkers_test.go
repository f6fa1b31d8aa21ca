package conformance_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
	"github.com/sframe-lint/sframe-lint/internal/tool/conformance"
	"github.com/sframe-lint/sframe-lint/internal/tool/conformance/build"
)

// linkers are those that the page is about: tools of the toolchains, and drivers of the suite. A driver runs the tool in a variable of the
// environment: one of the toolchains, or what the user has set.
var linkers = []struct{ name, command, driver, variable string }{
	{"ld 2.40", "bookworm-{arch}-ld -{endian}", "", ""}, {"ld 2.44", "trixie-{arch}-ld -{endian}", "", ""}, {"ld 2.47", "sid-{arch}-ld -{endian}", "", ""},
	{"gold 2.40", "bookworm-x86_64-gold", "", ""}, {"mold 2.37", "trixie-mold", "", ""}, {"mold 2.42", "forky-mold", "", ""}, {"mold 3.0", "sid-mold", "", ""}, {"lld 23", "sid-lld", "", ""},
	{"tcc 0.9.27", "bookworm-tcc", "tcc-ld", "TCC"}, {"Zig 0.14", "", "zig-ld", "SFRAME_ZIG"},
}

// linkerCommand returns the command of a linker, nil if it is not at hand.
func linkerCommand(t *testing.T, i int) []string {
	x := linkers[i]
	tool := os.Getenv(x.variable)
	if x.command != "" {
		words := strings.Fields(x.command)
		tool = filepath.Join(toolchain.Bin(t), words[0])
		if x.driver == "" {
			return append([]string{tool}, words[1:]...)
		}
	}
	if _, err := os.Stat(tool); err != nil {
		t.Logf("%s is not at hand", x.name)
		return nil
	}
	t.Setenv(strings.TrimPrefix(x.variable, "SFRAME_"), tool)
	driver, err := filepath.Abs("../../../conformance/drivers/" + x.driver)
	require.NoError(t, err)
	return []string{driver}
}

// linkCauses are the causes of failures, the first that fits: linker, outcome, and the case or what the linker
// said, as regular expressions.
var linkCauses = []struct{ linker, outcome, where, cause string }{
	{"ld 2.47", "dropped|missing", "unexpected SFrame (section type|format version)", "it merges version 3 only: it reports an error, ignores the input, and exits with status 0"},
	{"ld 2.47", "dropped|missing", "/(unknown-version|relocatable[^ ]*) .*section ignored", "it reports an error for an input that it does not merge, ignores it, and exits with status 0"},
	{"ld 2.47", "missing", "/shared-rows ", "of big-endian inputs it swaps shared FREs twice, takes the input for damaged, ignores it, and exits with status 0"},
	{"ld 2.4[04]", "dropped", "gc-sections ", "`--gc-sections` discards every section .sframe, to which nothing refers"},
	{"ld 2.44", "damaged|stale-sizes", "/v2-aarch64-be/relocatable", "the output of `-r` has stale relocations, which make a link of it write wrong sizes"},
	{"ld 2.4[04]", "concatenated|damaged|wrong-start|stale-sizes|stray|missing|lost-plt", "no .sframe will be created",
		"it merges one version only: it reports an error, concatenates the inputs' sections, and exits with status 0"},
	{"ld 2.44", "refused", "/v1-", "its sections have version 2: inputs of version 1 make the link fail"},
	{"ld 2.4[04]", "refused|stale-relocs", "/relocatable", "`-r` leaves the relocations at their old offsets, and those of discarded copies"},
	{"ld", "wrong-segment", "", "the segment has the size of the inputs' sections before they are merged"},
	{"ld 2.47", "lost-plt", "(amd64|s390x)/plt-gc-sections ", "`--gc-sections` discards what the linker has made for the PLT"},
	{"ld 2.4[47]", "lost-plt", "aarch64", "it describes the PLT of AMD64 and s390x, not that of AArch64"},
	{"mold 2.37|lld|gold", "dropped", "gc-sections ", "`--gc-sections` discards the section .sframe, to which nothing refers"},
	{"mold (2.42|3)", "dropped|missing", "/v[12]|/mixed|/unknown", "it merges version 3 only, drops other inputs, and reports nothing"},
	{"mold (2.42|3)", "lost-plt", "", "it describes no PLT"},
	{"tcc", "dropped|wrong-start", "/(v2e1|v3)-", "it drops sections of type SHT_GNU_SFRAME, and reports nothing"},
	{"Zig", "refused", "R_X86_64_PC64", "it does not support the relocation R_X86_64_PC64, which version 3 has"},
	{"lld|gold", "refused", "discarded", "it relocates the FDEs of discarded functions, and fails"},
	{"mold 2.37|lld|gold|tcc|Zig", "concatenated", "/relocatable-comdat ", "`-r` concatenates the sections, with FDEs of the discarded copies"},
	{"mold 2.37|lld|gold|tcc|Zig", "concatenated|stale-sizes|damaged", "", "it does not know the section, and concatenates those of the inputs"},
	{"mold 2.37|lld|gold|tcc|Zig", "wrong-start|missing", "/v[12]-", "it copies a single section: the starts become relative to their fields, and no flag says so"},
	{"mold 2.37|lld|gold", "duplicate", "/icf ", "it folds the functions and copies the section, which then has two FDEs for one address"},
	{"mold 2.37|lld|gold|tcc|Zig", "lost-plt", "", "it describes no PLT"},
}

// resultsPage has a row for each linker and each decoder that was tried.
const resultsPage = "../../../docs/conformance.md"

// replaceRow puts a row into a page, in the place of the one with its name.
func replaceRow(t *testing.T, page, row string) string {
	name, _, _ := strings.Cut(row[2:], " |")
	of := regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(name) + ` \|.*\n`)
	require.Len(t, of.FindAllString(page, -1), 1, "rows of %s", name)
	return of.ReplaceAllLiteralString(page, row)
}

// TestLinkers runs the suite with real linkers: the page has their results, and each failure has a cause.
func TestLinkers(t *testing.T) {
	if testing.Short() {
		t.Skip("links some thousand files: run without -short")
	}
	toolchain.Bin(t)
	cases, err := build.Links()
	require.NoError(t, err)
	old, err := os.ReadFile(resultsPage)
	require.NoError(t, err)
	page := string(old)
	for i, x := range linkers {
		command := linkerCommand(t, i)
		if command == nil {
			continue
		}
		l := &conformance.Linker{Command: command, Timeout: time.Minute, Dir: t.TempDir()}
		r, err := conformance.RunLinks(context.Background(), x.name, l, cases)
		require.NoError(t, err)
		page = replaceRow(t, page, scoreLine(r))
		t.Log(linkerCauses(t, r))
	}
	if *update {
		require.NoError(t, os.WriteFile(resultsPage, []byte(page), 0o644))
		return
	}
	assert.Equal(t, string(old), page, "stale: the page has the command")
}

func scoreLine(r *conformance.Report) string {
	cell := func(prefix string) string {
		some := r.Of(prefix)
		tried := len(some.Results) - some.Count("", conformance.Skipped)
		return fmt.Sprintf("%d of %d", tried-some.Failed(), tried)
	}
	var faults []string
	for _, o := range append([]conformance.Outcome{conformance.Refused, conformance.Crash}, conformance.LinkFaults...) {
		if n := r.Count("", o); n > 0 {
			faults = append(faults, fmt.Sprintf("%d %s", n, o))
		}
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %d %% | %s |\n", r.Linker, cell("link/v1-"), cell("link/v2-"), cell("link/v2e1-"), cell("link/v3-"),
		r.Score(), strings.Join(faults, ", "))
}

// linkerCauses writes the causes of a linker's failures, a line each, those with most cases first.
func linkerCauses(t *testing.T, r *conformance.Report) string {
	type group struct {
		outcome conformance.Outcome
		cause   string
	}
	count, such := map[group]int{}, map[group]string{}
	for _, x := range r.Results {
		if !x.Outcome.Failed() {
			continue
		}
		g := group{x.Outcome, causeOf(r.Linker, &x)}
		assert.NotEmpty(t, g.cause, "no cause is known: %s: %s: %s: %s", r.Linker, x.Case.Name, x.Outcome, x.Detail)
		if count[g]++; count[g] == 1 {
			such[g] = x.Case.Name
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s:\n", r.Linker)
	for _, g := range slices.SortedFunc(maps.Keys(count), func(a, b group) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a.outcome, b.outcome), cmp.Compare(a.cause, b.cause))
	}) {
		fmt.Fprintf(&b, "%s, %d cases: %s; such as %s\n", g.outcome, count[g], g.cause, strings.TrimPrefix(such[g], "link/"))
	}
	return b.String()
}

func causeOf(linker string, x *conformance.Result) string {
	for _, c := range linkCauses {
		if regexp.MustCompile(c.linker).MatchString(linker) && regexp.MustCompile("^("+c.outcome+")$").MatchString(string(x.Outcome)) &&
			regexp.MustCompile(c.where).MatchString(x.Case.Name+" "+x.Detail) {
			return c.cause
		}
	}
	return ""
}
