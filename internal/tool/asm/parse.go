package asm

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
)

// Options control how a text is assembled.
type Options struct {
	// Name is what errors call the text.
	Name string
	// Read returns up to n bytes at an offset of a file that the text names, and the size of the file. If it is nil,
	// a text cannot use files.
	Read func(name string, off, n int64) ([]byte, int64, error)
	// Limit is the maximum size of the output in bytes; 0 means 64 MiB, or the size of the text if that is larger.
	// Limit plus 16 times the size of the text bounds everything that the text repeats, reads and states.
	Limit int64
}

const (
	defaultLimit = 64 << 20
	// maxTimes bounds the number of a .repeat.
	maxTimes = 1 << 18
	// maxDepth bounds how deep .repeat and .include may be nested.
	maxDepth = 8
)

// What is charged for what a text states, in bytes.
const (
	costLine      = 16 // of the text or .repeat, in addition to its bytes
	costRow       = 256
	costElement   = 256 // a function, section, symbol or relocation
	costStatement = 128 // a statement of another kind, or of the one before in addition
)

// parser executes the statements of a text.
type parser struct {
	opts    Options
	unit    *unit
	errs    Errors
	now     *function   // that rows are added to
	section *elfSection // that bytes are added to
	dir     string      // of the file
	vars    map[string]int64
	budget  int64 // for the lines with their repetitions, for files and for results, in bytes
	left    int64 // of the budget
	depth   int
	relocs  map[string]int64 // types of relocations by name, as the text has them

	line   string // with the statement
	at     pos    // of the line
	offset int    // of what follows the next two tokens
	ahead  [2]token
}

// Assemble assembles a text. Errors in the text have the type [Errors].
func Assemble(text []byte, opts Options) (out *Output, err error) {
	if opts.Limit == 0 {
		opts.Limit = max(defaultLimit, int64(len(text)))
	}
	if opts.Name == "" {
		opts.Name = "text"
	}
	p := &parser{opts: opts, unit: newUnit(), vars: map[string]int64{}, budget: opts.Limit + 16*int64(len(text))}
	p.left = p.budget
	p.lines(opts.Name, string(text), 1)
	if len(p.errs) == 0 {
		p.try(func() { out = p.unit.assemble(opts) })
	}
	if len(p.errs) > 0 {
		return nil, p.errs
	}
	return out, nil
}

// full reports whether there are so many errors, or the text takes so much, that the rest is not read.
func (p *parser) full() bool { return len(p.errs) >= maxErrors || p.left < 0 }

// fail ends what [parser.try] tries.
func fail(at pos, format string, args ...any) { panic(failure{at, fmt.Sprintf(format, args...)}) }

// try reports the failure that ends a function.
func (p *parser) try(do func()) {
	depth := p.depth
	defer func() {
		switch f := recover().(type) {
		case nil:
		case failure:
			p.depth = depth
			p.report(f)
		default:
			panic(f)
		}
	}()
	do()
}

func (p *parser) report(f failure) {
	e := Error{f.at.file, f.at.line, f.at.col, escape.Cut(f.why, escape.MaxMessage)}
	if len(p.errs) >= maxErrors || slices.Contains(p.errs, e) { // .repeat repeats errors
		return
	}
	p.errs = append(p.errs, e)
	if len(p.errs) >= maxErrors {
		p.errs[len(p.errs)-1].Message += " (too many errors: the rest is not read)"
	}
}

// lines executes a text, the first line of which has a number.
func (p *parser) lines(file, text string, first int) {
	for at := (pos{file, first, 1}); text != "" && !p.full(); at.line++ {
		line, rest, _ := strings.Cut(text, "\n")
		text = rest
		p.try(func() {
			p.spend(int64(len(line))+costLine, at)
			p.begin(line, at)
			switch t := p.peek(); {
			case t.kind == 0:
			case t.kind == 'w' && t.text == ".repeat":
				block, lines := blockEnd(text)
				if lines < 0 {
					fail(t.pos, ".repeat without .end")
				}
				_, text, _ = strings.Cut(text[len(block):], "\n")
				first := at.line + 1
				at.line += lines
				p.repeat(file, block, first)
			default:
				p.statement()
			}
		})
	}
}

// blockEnd returns the lines up to the one that ends a block, and the number of lines with that one, -1 if there is none.
func blockEnd(text string) (string, int) {
	depth, n := 0, 0
	for rest := text; rest != ""; {
		at := len(text) - len(rest)
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		n++
		word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		word, _, _ = strings.Cut(word, "#")
		switch strings.TrimSpace(word) {
		case ".repeat":
			depth++
		case ".end":
			if depth--; depth < 0 {
				return text[:at], n
			}
		}
	}
	return "", -1
}

// repeat executes a block as often as the statement says, with a variable that counts from 0.
func (p *parser) repeat(file, block string, first int) {
	at := p.peek().pos
	p.take()
	n := p.count("a number of times", maxTimes)
	name := "i"
	if p.peek().kind == 'w' {
		name = p.take().text
	}
	p.end()
	p.spend(int64(len(block)), at)
	p.deeper(at)
	old, had := p.vars[name]
	for i := int64(0); i < n && !p.full(); i++ {
		p.spend(int64(len(name))+costLine, at)
		p.vars[name] = i
		p.lines(file, block, first)
	}
	if delete(p.vars, name); had {
		p.vars[name] = old
	}
	p.depth--
}

// deeper goes into a block or another text.
func (p *parser) deeper(at pos) {
	if p.depth++; p.depth > maxDepth {
		fail(at, ".repeat and .include are nested deeper than %d", maxDepth)
	}
}

// statement executes the statement of a line.
func (p *parser) statement() {
	switch t := p.peek(); {
	case t.kind == 'w' && t.text[0] == '.':
		p.take()
		d, ok := directives()[t.text]
		if !ok {
			fail(t.pos, "%v", lookup.Unknown("directive", t.text, Directives(), "docs/asm.md has all"))
		}
		p.spend(costStatement, t.pos)
		d(p, t)
		p.end()
	case t.kind != 0 && p.ahead[1].kind == '=':
		p.spend(costStatement, t.pos)
		p.assign()
	default:
		p.row()
	}
}

// begin begins to read a line.
func (p *parser) begin(line string, at pos) {
	p.line, p.at, p.offset = line, at, 0
	p.step()
	p.step()
}

func (p *parser) step() {
	p.ahead[0] = p.ahead[1]
	p.ahead[1], p.offset = scan(p.line, p.offset, p.at)
}

// peek returns the next token.
func (p *parser) peek() token { return p.ahead[0] }

// take returns the next token and steps over it.
func (p *parser) take() token {
	t := p.peek()
	p.step()
	return t
}

// accept steps over a sign if it is next.
func (p *parser) accept(sign byte) bool {
	if p.peek().kind != sign {
		return false
	}
	p.step()
	return true
}

// word steps over a word if it is next.
func (p *parser) word(text string) bool {
	if t := p.peek(); t.kind != 'w' || t.text != text {
		return false
	}
	p.step()
	return true
}

func (p *parser) expect(sign byte) {
	if !p.accept(sign) {
		p.wrong(fmt.Sprintf("%q", string(sign)))
	}
}

// wrong fails because a token is something else than was expected.
func (p *parser) wrong(want string) {
	t := p.peek()
	if t.kind == '!' {
		fail(t.pos, "%s", t.text)
	}
	got := fmt.Sprintf("%q", t.text)
	if t.kind == 0 {
		got = t.text
	}
	fail(t.pos, "expected %s, not %s", want, got)
}

func (p *parser) end() {
	if p.peek().kind != 0 {
		p.wrong("the end of the line")
	}
}

// name returns a name: a word or a string.
func (p *parser) name(what string) string {
	if t := p.peek(); t.kind != 'w' && t.kind != '"' || t.text == "" {
		p.wrong(what)
	}
	return p.take().text
}

// spend takes bytes from the budget.
func (p *parser) spend(n int64, at pos) {
	if p.left -= n; p.left < 0 {
		fail(at, "the text takes more than %d bytes with its repetitions, files and results", p.budget)
	}
}
