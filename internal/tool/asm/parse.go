package asm

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
)

// Options say how a text is assembled.
type Options struct {
	// Name is the name of the text in errors.
	Name string
	// Read returns n bytes of a file that the text names, from an offset on or fewer if it has not so many, and the
	// size of the file; nil allows no files.
	Read func(name string, off, n int64) ([]byte, int64, error)
	// Limit is the largest size in bytes of what is written; 0 stands for 64 MiB, or the size of the
	// text if that is larger. With 16 times the size of the text, it bounds all that the text repeats, reads and states.
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

// Assemble returns what a text states. An error of the text is of type [Errors].
func Assemble(text []byte, opts Options) (*Output, error) {
	if opts.Limit == 0 {
		opts.Limit = max(defaultLimit, int64(len(text)))
	}
	if opts.Name == "" {
		opts.Name = "text"
	}
	p := &parser{opts: opts, unit: newUnit(), vars: map[string]int64{}, budget: opts.Limit + 16*int64(len(text))}
	p.left = p.budget
	p.lines(opts.Name, string(text), 1)
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

// full reports whether there are so many errors, or the text takes so much, that the rest is not read.
func (p *parser) full() bool { return len(p.errs) >= maxErrors || p.left < 0 }

func (p *parser) report(err error) {
	f, ok := err.(failure)
	if !ok {
		f = failure{pos{p.opts.Name, 1, 1}, err.Error()}
	}
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
		err := p.spend(int64(len(line))+costLine, at)
		if err == nil {
			p.begin(line, at)
			switch t := p.peek(); {
			case t.kind == 0:
			case t.kind == 'w' && t.text == ".repeat":
				block, lines := blockEnd(text)
				if lines < 0 {
					err = failure{t.pos, ".repeat without .end"}
					break
				}
				_, text, _ = strings.Cut(text[len(block):], "\n")
				err = p.repeat(file, block, at.line+1)
				at.line += lines
			default:
				err = p.statement()
			}
		}
		if err != nil {
			p.report(err)
		}
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
func (p *parser) repeat(file, block string, first int) error {
	at := p.peek().pos
	p.take()
	n, err := p.count("a number of times", maxTimes)
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
	if err := p.spend(int64(len(block)), at); err != nil {
		return err
	}
	if p.depth++; p.depth > maxDepth {
		return failure{at, fmt.Sprintf(".repeat and .include are nested deeper than %d", maxDepth)}
	}
	old, had := p.vars[name]
	for i := range n {
		if p.full() {
			break
		}
		if err = p.spend(int64(len(name))+costLine, at); err != nil {
			break
		}
		p.vars[name] = i
		p.lines(file, block, first)
	}
	if delete(p.vars, name); had {
		p.vars[name] = old
	}
	p.depth--
	return err
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
		err := p.spend(costStatement, t.pos)
		if err == nil {
			err = d(p, t)
		}
		if err == nil {
			err = p.end()
		}
		return err
	}
	if t.kind != 0 && p.ahead[1].kind == '=' {
		if err := p.spend(costStatement, t.pos); err != nil {
			return err
		}
		return p.assign()
	}
	return p.row()
}

func (p *parser) unknown(t token) error {
	return failure{t.pos, lookup.Unknown("directive", t.text, Directives(), "docs/asm.md has all").Error()}
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

func (p *parser) expect(sign byte) error {
	if p.accept(sign) {
		return nil
	}
	return p.wrong(fmt.Sprintf("%q", string(sign)))
}

// wrong is the error for a token that is something else than was expected.
func (p *parser) wrong(want string) error {
	t := p.peek()
	if t.kind == '!' {
		return failure{t.pos, t.text}
	}
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

// spend takes bytes from the budget.
func (p *parser) spend(n int64, at pos) error {
	if p.left -= n; p.left < 0 {
		return failure{at, fmt.Sprintf("the text takes more than %d bytes with its repetitions, files and results", p.budget)}
	}
	return nil
}
