package consumers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Markdown returns the page about profiles, docs/consumers.md.
func Markdown() string {
	var b strings.Builder
	b.WriteString(preface)
	for _, f := range families() {
		fmt.Fprintf(&b, "- %s\n", familyText(f))
	}
	b.WriteString(words)
	mostSevere(&b)
	b.WriteString(since)
	b.WriteString(verified)
	for _, p := range table() {
		fmt.Fprintf(&b, "| [%s](#%s) | %s |\n", p.Name, strings.ReplaceAll(p.Name, ".", ""), p.Verified)
	}
	for _, p := range table() {
		p.markdown(&b)
	}
	return b.String()
}

// most is the number of demands that the page shows.
const most = 60

// mostSevere writes the demands with the worst consequences, each with its profiles.
func mostSevere(b *strings.Builder) {
	severity := []Outcome{Crashes, Misreads, Rejects, Ignores, Reads}
	type row struct {
		text     string
		severity int
		who      []string
	}
	var rows []*row
	for _, p := range table() {
		for i := range p.Checks {
			c := &p.Checks[i]
			text := c.Text() + c.limits()
			if c.Rule != "" {
				text += fmt.Sprintf(" ([%s])", c.Rule)
			}
			text += " | " + c.consequence()
			k := slices.IndexFunc(rows, func(r *row) bool { return r.text == text })
			if k < 0 {
				k = len(rows)
				rows = append(rows, &row{text: text, severity: slices.Index(severity, c.Else)})
			}
			if !slices.Contains(rows[k].who, p.Name) {
				rows[k].who = append(rows[k].who, p.Name)
			}
		}
	}
	slices.SortStableFunc(rows, func(x, y *row) int {
		return cmp.Or(cmp.Compare(x.severity, y.severity), cmp.Compare(len(y.who), len(x.who)))
	})
	fmt.Fprintf(b, "\nThe %d demands of %d of which the consequences are the worst:\n\n| demand | otherwise the consumer | profiles |\n|---|---|---|\n", most, len(rows))
	for _, r := range rows[:most] {
		fmt.Fprintf(b, "| %s | %s |\n", r.text, strings.Join(r.who, ", "))
	}
}

// families returns the names of the families, in the order of All.
func families() []string {
	var out []string
	for _, p := range table() {
		if !slices.Contains(out, p.Family) {
			out = append(out, p.Family)
		}
	}
	return out
}

const preface = `# Consumers

This page describes what SFrame consumers demand of a section, and what a consumer does if a demand
is not met. ` + "`sframe-lint consumers FILE`" + ` judges a file by these profiles, and ` + "`sframe-lint consumers --consumer NAMES`" + ` lists
all demands, in the order in which the consumer checks them. The rules SF8001 to
SF8004 report sections that a selected consumer cannot read. The page is generated from
[profiles.json](../internal/evidence/consumers/profiles.json), which also has the source of each demand.

A consumer is selected by the name of a profile, by a family (its newest version, or
all parts of ` + "`linux`" + `, each of which reads other files), by a family and any version to which a profile applies
(gnu-ld-2.43), or by ` + "`all`" + `:

`

const words = `
What a consumer does with a section:

- reads: it reads the section correctly.
- misreads: it misinterprets the section and reports no error.
- rejects: it refuses the section, or the function that it looks up.
- crashes: it crashes.
- ignores: it does not read the section, or treats it as plain data.
- n/a: it does not read files of this type.

"May" means that the consumer uses bytes outside the section or misinterprets bytes, so that the
outcome is uncertain. The first demand
that is not met and ends its reading decides the outcome. "Little-endian" and "big-endian" are the
byte order of the section; the profiles assume that the consumer runs on a little-endian machine.
A demand names the rule that reports each section that does not meet it, if there is one.
`

// since lists programs by what they read. The last ones have no profile.
const since = `
Who reads the section, and since when:

| program | versions of the format |
|---|---|
| GNU ld, objdump and readelf | 1 in 2.40; 2 from 2.41, with errata 1 from 2.45; 3 from 2.46, which still prints 2 and no longer 1 |
| libsframe | the same; an interface for lookups since 2.40, changed with each version of the format |
| glibc | 2 from 2.42, if built with ` + "`--enable-sframe`" + `, as Debian's 2.43 is not; 2.44 reads 2 only, and a patch for 3 was proposed in April 2026 |
| Linux | 3, in patch series that are not merged |
| mold | 3 from 2.42; earlier ones concatenate |
| lld up to 23, gold, tcc, Zig's and Go's linkers | none: [found.md](found.md#other-linkers) has what they make of the section |
| wild | 2, with an option |
| DataDog's java-profiler | 2, in the source of 2026 |
| simple-frame-rs 0.3 | 1, 2 and 3 |
| nframe | 2, and it reads every version as 2 |
| LLVM | llvm-readobj 23 and 24 read 2, llvm-mc 23 and 24 write 2 |
| gdb 18.1 | none: its list of unwinders has none by SFrame; it contains libsframe as a part of BFD |
| elfutils 0.188 to 0.196 | none: eu-readelf prints the type of the section as a number, eu-elflint reports it as unsupported, eu-strip keeps the section |
| perf 7.2 | none: stacks come from the kernel |
| bpftrace 0.27 | none: stacks come from the kernel; it contains libsframe as a part of BFD |

Options of GNU tools that matter to readers: ` + "`as --gsframe-3`" + ` of 2.47 names the version to write. With ` + "`--reloc-section-sym=none`" + `
relocations refer to a symbol of each function, in place of one of the section ([such an object](../corpus/files/field/reloc-none.o));
GNU ld and mold merge both. ` + "`ld --discard-sframe`" + `, from 2.46, leaves a section of size 0 and no segment
([such a program](../corpus/files/field/discarded.elf)); other linkers at hand do not have the option.
`

const verified = `
How the profiles were verified; [conformance.md](conformance.md#results-of-linkers) has what each linker makes of small inputs:

| profile | how, and when |
|---|---|
`

func familyText(family string) string {
	var names []string
	for _, p := range table() {
		if p.Family == family {
			names = append(names, "`"+p.Name+"`")
		}
	}
	if len(names) == 1 && names[0] == "`"+family+"`" {
		return names[0]
	}
	return fmt.Sprintf("`%s`: %s", family, strings.Join(names, ", "))
}

func (p *Profile) markdown(b *strings.Builder) {
	fmt.Fprintf(b, "\n## %s\n\n%s. %s.\n", p.Name, p.Title, roleText[p.Role])
	if p.Lookup != "" {
		fmt.Fprintf(b, "%s\n", p.Lookup.Text())
	}
	if p.Tools != "" {
		fmt.Fprintf(b, "The profile has been tested with the tool itself.\n")
	}
	b.WriteString("\nIt does not check:\n\n")
	for _, s := range p.Ignores {
		fmt.Fprintf(b, "- %s\n", s)
	}
	b.WriteString("\nSources:\n\n")
	for _, s := range p.Sources {
		if s.URL == "" {
			fmt.Fprintf(b, "- %s\n", s.Title)
		} else {
			fmt.Fprintf(b, "- %s: <%s>\n", s.Title, s.URL)
		}
	}
	if len(p.Notes) > 0 {
		b.WriteString("\nNotes:\n\n")
		for _, s := range p.Notes {
			fmt.Fprintf(b, "- %s\n", s)
		}
	}
}

var roleText = map[Role]string{
	Tool:     "Prints the section of any ELF file",
	Linker:   "Merges the sections of relocatable files",
	Unwinder: "Looks functions up in the section of a linked file, in memory",
	Loader:   "Loads relocatable files, and looks functions up in their sections",
}
