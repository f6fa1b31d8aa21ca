package asm

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/suggest"
)

// Options say how a text is assembled.
type Options struct {
	// Name is the name of the text in errors.
	Name string
	// Open returns the contents of a file that the text names; nil allows none.
	Open func(name string) ([]byte, error)
	// Limit is the largest size in bytes of what is written; 0 stands for 64 MiB, or the size of the
	// text if that is larger.
	Limit int64
}

const (
	defaultLimit = 64 << 20
	// freeStatements is how many statements .repeat may add to those of the text; less if the limit is.
	freeStatements = 1 << 18
	// maxDepth bounds how deep .repeat and .include may be nested.
	maxDepth = 8
	// maxIncluded bounds the bytes of all included texts.
	maxIncluded = 16 << 20
)

// parser executes the statements of a text.
type parser struct {
	opts     Options
	unit     *unit
	errs     Errors
	now      *function   // that rows are added to
	section  *elfSection // that bytes are added to
	dir      string      // of the file
	opened   string      // the last file that the text has named
	contents []byte      // of that file
	vars     map[string]int64
	left     int // statements
	written  int64
	included int64
	depth    int
	relocs   map[string]int64 // types of relocations by name, as the text has them

	tokens []token // of the statement
	next   int
}

// Assemble returns what a text states. An error of the text is of type [Errors].
func Assemble(text []byte, opts Options) (*Output, error) {
	if opts.Limit == 0 {
		opts.Limit = max(defaultLimit, int64(len(text)))
	}
	if opts.Name == "" {
		opts.Name = "text"
	}
	p := &parser{opts: opts, unit: newUnit(), vars: map[string]int64{}, left: int(min(freeStatements, opts.Limit))}
	p.text(opts.Name, string(text))
	if len(p.errs) > 0 {
		return nil, p.errs
	}
	out, err := p.unit.assemble(opts)
	if err != nil {
		p.report(err)
		return nil, p.errs
	}
	return out, nil
}

// text executes a file.
func (p *parser) text(name, text string) {
	lines := strings.Split(text, "\n")
	p.left += len(lines)
	p.lines(name, lines, 1)
}

// full reports whether there are so many errors that the rest is not read.
func (p *parser) full() bool { return len(p.errs) >= maxErrors }

func (p *parser) report(err error) {
	f, ok := err.(failure)
	if !ok {
		f = failure{pos{p.opts.Name, 1, 1}, err.Error()}
	}
	e := Error{f.at.file, f.at.line, f.at.col, f.why}
	if p.full() || slices.Contains(p.errs, e) { // .repeat repeats errors
		return
	}
	p.errs = append(p.errs, e)
	if p.full() {
		p.errs[len(p.errs)-1].Message += " (too many errors: the rest is not read)"
	}
}

// lines executes lines, the first of which has a number.
func (p *parser) lines(file string, lines []string, first int) {
	for i := 0; i < len(lines) && !p.full(); i++ {
		at := pos{file, first + i, 1}
		if !p.spendStatement(at) {
			return
		}
		var err error
		if p.tokens, err = scan(p.tokens[:0], lines[i], at); err != nil {
			p.report(err)
			continue
		}
		p.next = 0
		if p.tokens[0].kind == 0 {
			continue
		}
		if p.tokens[0].text == ".repeat" {
			n := blockEnd(lines[i+1:])
			if n < 0 {
				p.report(failure{p.tokens[0].pos, ".repeat without .end"})
				continue
			}
			if err := p.repeat(file, lines[i+1:i+1+n], first+i+1); err != nil {
				p.report(err)
			}
			i += n + 1
			continue
		}
		if err := p.statement(); err != nil {
			p.report(err)
		}
	}
}

// spendStatement counts a statement, and a repetition. It reports whether there may be more.
func (p *parser) spendStatement(at pos) bool {
	if p.left--; p.left == -1 {
		p.report(failure{at, "too many statements by .repeat"})
	}
	return p.left >= 0
}

// blockEnd returns the index of the line that ends a block, -1 for none.
func blockEnd(lines []string) int {
	depth := 0
	for i, l := range lines {
		word, _, _ := strings.Cut(strings.TrimSpace(l), " ")
		word, _, _ = strings.Cut(word, "#")
		switch strings.TrimSpace(word) {
		case ".repeat":
			depth++
		case ".end":
			if depth--; depth < 0 {
				return i
			}
		}
	}
	return -1
}

// repeat executes a block as often as the statement says, with a variable that counts from 0.
func (p *parser) repeat(file string, block []string, first int) error {
	at := p.peek().pos
	p.take()
	n, err := p.count("a number of times", freeStatements)
	if err != nil {
		return err
	}
	name := "i"
	if p.peek().kind == 'w' {
		name = p.take().text
	}
	if err := p.end(); err != nil {
		return err
	}
	if p.depth++; p.depth > maxDepth {
		return failure{at, fmt.Sprintf(".repeat and .include are nested deeper than %d", maxDepth)}
	}
	old, had := p.vars[name]
	for i := range n {
		if p.full() || !p.spendStatement(at) {
			break
		}
		p.vars[name] = i
		p.lines(file, block, first)
	}
	if delete(p.vars, name); had {
		p.vars[name] = old
	}
	p.depth--
	return nil
}

// statement executes the statement of a line.
func (p *parser) statement() error {
	t := p.peek()
	if t.kind == 'w' && t.text[0] == '.' {
		p.take()
		d, ok := directives()[t.text]
		if !ok {
			return p.unknown(t)
		}
		if err := d(p, t); err != nil {
			return err
		}
		return p.end()
	}
	if t.kind != 0 && p.tokens[1].kind == '=' {
		return p.assign()
	}
	return p.row()
}

func (p *parser) unknown(t token) error {
	return failure{t.pos, suggest.Unknown("directive", t.text, Directives(), "docs/asm.md has all").Error()}
}

// peek returns the next token.
func (p *parser) peek() token { return p.tokens[p.next] }

// take returns the next token and steps over it.
func (p *parser) take() token {
	t := p.tokens[p.next]
	if t.kind != 0 {
		p.next++
	}
	return t
}

// accept steps over a sign if it is next.
func (p *parser) accept(sign byte) bool {
	if p.peek().kind != sign {
		return false
	}
	p.next++
	return true
}

// word steps over a word if it is next.
func (p *parser) word(text string) bool {
	if t := p.peek(); t.kind != 'w' || t.text != text {
		return false
	}
	p.next++
	return true
}

func (p *parser) expect(sign byte) error {
	if p.accept(sign) {
		return nil
	}
	return p.wrong(fmt.Sprintf("%q", string(sign)))
}

// wrong is the error for a token that is something else than was expected.
func (p *parser) wrong(want string) error {
	t := p.peek()
	got := fmt.Sprintf("%q", t.text)
	if t.kind == 0 {
		got = t.text
	}
	return failure{t.pos, fmt.Sprintf("expected %s, not %s", want, got)}
}

func (p *parser) end() error {
	if p.peek().kind != 0 {
		return p.wrong("the end of the line")
	}
	return nil
}

// name returns a name: a word or a string.
func (p *parser) name(what string) (string, error) {
	if t := p.peek(); t.kind != 'w' && t.kind != '"' || t.text == "" {
		return "", p.wrong(what)
	}
	return p.take().text, nil
}

// spend takes bytes from the limit of what may be written.
func (p *parser) spend(n int64, at pos) error {
	if p.written += n; p.written > p.opts.Limit {
		return failure{at, fmt.Sprintf("more than %d bytes", p.opts.Limit)}
	}
	return nil
}
