package consumers

import (
	"fmt"
	"strings"
)

// Markdown is the reference of all profiles, published as docs/consumers.md.
func Markdown() string {
	var b strings.Builder
	b.WriteString(preface)
	for _, f := range Families() {
		fmt.Fprintf(&b, "- %s\n", familyText(f))
	}
	b.WriteString(words)
	for _, p := range table {
		p.markdown(&b)
	}
	return b.String()
}

const preface = `# Consumers

What consumers of SFrame data demand of a section, and what they do where it is not met.
` + "`sframe-lint consumers FILE`" + ` judges a file by these profiles; the rules SF8001 to SF8004 report
what the consumers that were selected can't read. This page is made from the tables in package
` + "`consumers`" + `.

A name is that of a profile, that of a family, which means its newest version, a family with any
version that a profile holds for (gnu-ld-2.43), or ` + "`all`" + `:

`

const words = `
What a consumer does with a section:

- reads: it gets what the section says.
- misreads: it takes the section for something else, without a word.
- rejects: it refuses the section, or the function that it looks up in it.
- crashes: it dies.
- ignores: it does not look at the section, or not as at SFrame data.
- n/a: it does not read files of this type.

"May" means that it works with bytes which do not belong to the section, or takes bytes for
something else, so that anything may come of it. Checks are in the order in which the consumer
makes them: the first one that is not met and ends its reading counts. Little- and big-endian are
those of the section; the consumer is taken to run on a little-endian machine.
`

func familyText(family string) string {
	var names []string
	for _, p := range table {
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
	if p.Tools != "" {
		fmt.Fprintf(b, "The profile has been held against the tool itself.\n")
	}
	b.WriteString("\n| demand | else it | known from |\n|---|---|---|\n")
	for i := range p.Checks {
		c := &p.Checks[i]
		fmt.Fprintf(b, "| %s%s | %s | %s |\n", c.Text(), c.limits(), c.consequence(), p.sourceText(c.From))
	}
	b.WriteString("\nIt does not look at:\n\n")
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
}

// limits says which sections the check is for.
func (c *Check) limits() string {
	var out []string
	if len(c.Versions) > 0 {
		out = append(out, "version "+versionsText(c.Versions))
	}
	if c.Order != AnyOrder {
		out = append(out, string(c.Order)+"-endian")
	}
	if len(out) == 0 {
		return ""
	}
	return " (" + strings.Join(out, ", ") + ")"
}

func (c *Check) consequence() string {
	v := Verdict{Kind: c.Else, Maybe: c.Maybe}
	if c.How == "" {
		return v.outcome()
	}
	return v.outcome() + ": " + c.How
}

func (p *Profile) sourceText(key string) string {
	for _, s := range p.Sources {
		switch {
		case s.Key != key:
		case s.URL == "":
			return "measurement"
		default:
			return fmt.Sprintf("[%s](%s)", key, s.URL)
		}
	}
	return key
}
