package main

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"golang.org/x/tools/txtar"

	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// family is where the rules whose identifiers share a beginning live.
type family struct {
	Prefix  string
	Package string // below rules/internal
	List    string // the file with the variable Rules
	Breaks  string // the file in generator/breaks
	Var     string // the list of breaks in it
}

// families are in the order in which prefixes are tried.
var families = []family{
	{"SF31", "code", "code.go", "code.go", "codeBreaks"},
	{"SF32", "code", "code.go", "code.go", "codeBreaks"},
	{"SF1", "header", "header.go", "header.go", "headerBreaks"},
	{"SF2", "fde", "fde.go", "fde.go", "fdeBreaks"},
	{"SF3", "fre", "fre.go", "rows.go", "rowBreaks"},
	{"SF4", "fre", "fre.go", "abi.go", "abiBreaks"},
	{"SF5", "container", "container.go", "container.go", "containerBreaks"},
	{"SF6", "crosscheck", "crosscheck.go", "symbols.go", "symbolBreaks"},
	{"SF7", "size", "size.go", "size.go", "sizeBreaks"},
}

// spec is what the command line says of the rule.
type spec struct {
	family
	ID, Name, Title string
	Basis           string // a clause, or a sentence
	Slug            string // of file names
	ABI             abi    // of the corpus entry and the test
	OneABI          bool   // the rule is about that only
}

// OfRows and OfFDEs report what rules of the family look at; others look at the section or the file.
func (s *spec) OfRows() bool {
	return slices.Contains([]string{"fre", "code", "size"}, s.Package)
}

func (s *spec) OfFDEs() bool { return s.Package == "fde" || s.Package == "crosscheck" }

// abi is an ABI that a rule can name: in the corpus, and as a base of package ruletest.
type abi struct{ Name, Base, Model string }

// abiOf returns the ABI that a text names, AMD64 if it names none.
func abiOf(text string) abi {
	text = strings.ToLower(text)
	switch {
	case strings.Contains(text, "s390"):
		return abi{"s390x", "V3S390X", "SFRAME_ABI_S390X_ENDIAN_BIG"}
	case strings.Contains(text, "aarch64") && strings.Contains(text, "big-endian"):
		return abi{"aarch64-be", "V3AArch64BE", "SFRAME_ABI_AARCH64_ENDIAN_BIG"}
	case strings.Contains(text, "aarch64"):
		return abi{"aarch64", "V3AArch64", "SFRAME_ABI_AARCH64_ENDIAN_LITTLE"}
	}
	return abi{"amd64", "V3AMD64", "SFRAME_ABI_AMD64_ENDIAN_LITTLE"}
}

var (
	idForm   = regexp.MustCompile(`^SF[1-7]\d{3}$`)
	nameForm = regexp.MustCompile(`^[A-Z][A-Za-z0-9]+$`)
	wordForm = regexp.MustCompile(`S390X|[A-Z]+[a-z0-9]*`)
	abiForm  = regexp.MustCompile(`(?i)s390|aarch64|amd64`)
	lastForm = regexp.MustCompile(`_(amd64|s390x)$`)
)

func newSpec(id, name, title, basis string) (*spec, error) {
	switch {
	case !idForm.MatchString(id):
		return nil, fmt.Errorf("%q is not a rule identifier: SF and four digits, the first from 1 to 7", id)
	case !nameForm.MatchString(name):
		return nil, fmt.Errorf("%q is not an exported Go name", name)
	case basis == "":
		return nil, fmt.Errorf("%s rests on nothing: expected a clause or a sentence", id)
	case slices.ContainsFunc(catalogue.Rules(), func(r *rules.Rule) bool { return r.ID == id }):
		return nil, fmt.Errorf("%s exists", id)
	}
	s := &spec{ID: id, Name: name, Title: title, Basis: basis, ABI: abiOf(name + " " + title)}
	s.OneABI = abiForm.MatchString(name + " " + title)
	s.family = families[slices.IndexFunc(families, func(f family) bool { return strings.HasPrefix(id, f.Prefix) })]
	s.Slug = strings.ToLower(strings.Join(wordForm.FindAllString(name, -1), "_"))
	return s, nil
}

// similarRules returns the rules that have two words in common with the title of the new one, in their titles, or nearly all in title and text.
func (s *spec) similarRules() (all []*rules.Rule) {
	own := lookup.Stems(s.Title)
	for _, r := range catalogue.Rules() {
		if lookup.Shared(own, r.Title) > 1 || len(own) > 2 && lookup.Shared(own, r.Title+" "+r.Text) >= len(own)-1 {
			all = append(all, r)
		}
	}
	return all
}

// texts are the stubs.
//
//go:embed templates
var texts embed.FS

var templates = template.Must(template.ParseFS(texts, "templates/*"))

// stubs returns the files to write, by path in the repository.
func (s *spec) stubs(read func(path string) ([]byte, error)) (map[string][]byte, error) {
	dir := "rules/internal/" + s.Package + "/"
	base := dir + strings.ToLower(s.ID) + "_" + lastForm.ReplaceAllString(s.Slug, "$1") // other processors leave x_amd64.go out
	dashed := strings.ReplaceAll(s.Slug, "_", "-")
	files := map[string][]byte{}
	for path, name := range map[string]string{
		base + ".go":       "rule.go.tmpl",
		base + "_test.go":  "rule_test.go.tmpl",
		dir + s.ID + ".md": "rule.md.tmpl",
	} {
		if _, err := read(path); err == nil {
			return nil, &fs.PathError{Op: "write", Path: path, Err: os.ErrExist}
		}
		var b bytes.Buffer
		if err := templates.ExecuteTemplate(&b, name, s); err != nil {
			return nil, err
		}
		files[path] = b.Bytes()
	}
	var err error
	if files[sections], err = s.addSection(read, "v3-"+s.ABI.Name+"-"+dashed); err != nil {
		return nil, err
	}
	var entry bytes.Buffer
	if err := templates.ExecuteTemplate(&entry, "break.go.tmpl", map[string]string{"ID": s.ID, "Name": dashed}); err != nil {
		return nil, err
	}
	for _, list := range []struct{ path, name, entry string }{
		{dir + s.List, "Rules", s.Name},
		{"generator/breaks/" + s.Breaks, s.Var, entry.String()},
	} {
		src, err := read(list.path)
		if err != nil {
			return nil, err
		}
		if files[list.path], err = appendTo(src, list.name, list.entry); err != nil {
			return nil, fmt.Errorf("%s: %w", list.path, err)
		}
	}
	if s.OfClause() {
		files[clauses], err = s.addToClause(read)
	}
	return files, err
}

// sections are the sections written by hand, sorted by name.
const sections = "corpus/src/hand/sections.txtar"

// addSection adds an entry to the sections written by hand.
func (s *spec) addSection(read func(path string) ([]byte, error), name string) ([]byte, error) {
	src, err := read(sections)
	if err != nil {
		return nil, err
	}
	all := txtar.Parse(src)
	i, ok := slices.BinarySearchFunc(all.Files, name, func(f txtar.File, name string) int { return cmp.Compare(f.Name, name) })
	if ok {
		return nil, fmt.Errorf("%s: %s exists", sections, name)
	}
	var b bytes.Buffer
	if err := templates.ExecuteTemplate(&b, "corpus.txt.tmpl", s); err != nil {
		return nil, err
	}
	all.Files = slices.Insert(all.Files, i, txtar.File{Name: name, Data: b.Bytes()})
	return txtar.Format(all), nil
}

// appendTo adds an element to the composite literal that a variable of a Go file is set to.
func appendTo(src []byte, name, element string) ([]byte, error) {
	at := regexp.MustCompile(`(?m)^var ` + name + ` += [^\n{]*\{`).FindIndex(src)
	if at == nil {
		return nil, fmt.Errorf("no variable %s that is set to a composite literal", name)
	}
	end := at[1]
	for open := 1; open > 0; end++ {
		switch src[end] {
		case '{':
			open++
		case '}':
			open--
		}
	}
	end-- // the brace that closes it
	head := bytes.TrimRight(src[:end], " \t\n,")
	if !bytes.HasSuffix(head, []byte("{")) {
		head = append(slices.Clone(head), ',')
	}
	return format.Source(slices.Concat(head, []byte("\n\t"+element+",\n"), src[end:]))
}
