package proof

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/edit"
	"github.com/sframe-lint/sframe-lint/model"
)

// MaxSource is the maximum size of a source in bytes.
const MaxSource = 8 << 20

// Source is the text of an assembly source to which directives can be added.
type Source struct{ *edit.Text }

// ReadSource reads a source. It rejects control characters, because the text goes to a terminal and to other
// programs.
func ReadSource(r io.Reader) (Source, error) {
	b, err := io.ReadAll(io.LimitReader(r, MaxSource+1))
	switch {
	case err != nil:
	case len(b) > MaxSource:
		err = fmt.Errorf("it has more than %d bytes", MaxSource)
	case slices.ContainsFunc(b, func(c byte) bool { return c < ' ' && !strings.ContainsRune("\t\n\f\r", rune(c)) || c == 0x7f }):
		err = errors.New("it has control characters")
	}
	if err != nil {
		return Source{}, err
	}
	return Source{edit.NewText(slices.Collect(strings.Lines(string(b))))}, nil
}

// Placed is a directive to insert after the line with the preceding instruction.
type Placed struct {
	After int    // line number, from 1
	Text  string // for example ".cfi_def_cfa_offset 16"
}

// Errors of [Source.Apply].
var (
	errLine    = errors.New("the source has no such line")
	errSeveral = errors.New("a line has several statements, a macro or a comment over several lines")
)

// Apply adds each directive after the directives that already precede the next instruction. It removes existing
// directives there that set the same thing. On an error, Apply changes nothing.
func (s Source) Apply(abi *model.ABIInfo, edits []Placed) error {
	type change struct {
		at     int
		text   string
		remove []int
	}
	var all []change
	var offset int64 // of the CFA, after the last edit
	before := -1     // the line after which it is
	for _, e := range edits {
		i := e.After - 1
		if i < 0 || i >= len(s.Lines) {
			return errLine
		}
		if hasSeveral(s.Lines[i]) {
			return errSeveral
		}
		c := change{at: i, text: e.Text}
		indent := leading(s.Lines[i])
		sets := Sets(abi, e.Text)
		for n := i + 1; n < len(s.Lines) && quiet(s.Lines[n]); n++ {
			name, _ := ParseDirective(s.Lines[n])
			if name == "startproc" || name == "endproc" {
				break
			}
			if name == "" {
				continue
			}
			if hasSeveral(s.Lines[n]) {
				return errSeveral
			}
			c.at, indent = n, leading(s.Lines[n])
			if sets != "" && sets == Sets(abi, s.Lines[n]) {
				c.remove = append(c.remove, n)
			}
		}
		if sets == "CFA" {
			kept := before >= 0 && len(c.remove) == 1 && !s.changesCFA(abi, before, c.remove[0]) && follows(abi, s.Lines[c.remove[0]], e.Text, offset)
			if n, ok := cfaOffset(e.Text); ok {
				offset, before = n, c.at
			} else {
				before = -1
			}
			if kept { // what is there counts from the offset that an edit before has repaired
				continue
			}
		}
		end := "\n"
		if strings.HasSuffix(strings.TrimSuffix(s.Lines[i], "\n"), "\r") {
			end = "\r\n"
		}
		c.text = indent + c.text + end
		all = append(all, c)
	}
	for _, c := range all {
		for _, n := range c.remove {
			s.Remove(n)
		}
		s.Add(c.at, c.text)
	}
	return nil
}

// changesCFA reports whether a line between two others sets the CFA or begins or ends states.
func (s Source) changesCFA(abi *model.ABIInfo, from, to int) bool {
	return slices.ContainsFunc(s.Lines[from+1:to], func(l string) bool {
		name, _ := ParseDirective(l)
		return Sets(abi, l) == "CFA" || strings.HasSuffix(name, "_state") || strings.HasSuffix(name, "proc")
	})
}

// follows reports whether a directive gives the CFA that another one states, after an offset that is right.
func follows(abi *model.ABIInfo, line, want string, offset int64) bool {
	n, known := cfaOffset(want)
	name, operands := ParseDirective(line)
	wants, to := ParseDirective(want)
	switch {
	case !known || len(operands) != 1:
		return false
	case name == "def_cfa_register":
		return wants == "def_cfa" && n == offset && RegisterOf(abi, operands[0]) == RegisterOf(abi, to[0])
	case name == "adjust_cfa_offset":
		by, err := strconv.ParseInt(operands[0], 0, 64)
		return wants == "def_cfa_offset" && err == nil && offset+by == n
	}
	return false
}

// cfaOffset returns the offset that a directive gives the CFA.
func cfaOffset(directive string) (int64, bool) {
	name, operands := ParseDirective(directive)
	if name != "def_cfa" && name != "def_cfa_offset" || len(operands) == 0 {
		return 0, false
	}
	n, err := strconv.ParseInt(operands[len(operands)-1], 0, 64)
	return n, err == nil
}

// leading returns the white space before the text of a line, a tab for a line without any.
func leading(line string) string {
	if n := len(line) - len(strings.TrimLeft(line, " \t")); n > 0 {
		return line[:n]
	}
	return "\t"
}

// hasSeveral reports whether a line may have more than one statement.
func hasSeveral(line string) bool {
	code, _, _ := strings.Cut(line, "//")
	return strings.Contains(code, ";") || strings.Contains(code, "/*") || strings.Contains(code, "*/") || strings.HasSuffix(strings.TrimSpace(code), "\\")
}

// quiet reports whether a line of assembly has no instruction: it is blank, a comment, a label or a directive.
func quiet(line string) bool {
	t := strings.TrimSpace(line)
	word, _, _ := strings.Cut(strings.ReplaceAll(t, "\t", " "), " ")
	return t == "" || strings.HasPrefix(t, ".") || strings.HasPrefix(t, "#") || strings.HasPrefix(t, "//") || strings.HasSuffix(word, ":") && word == t
}

// ParseDirective returns the name of the CFI directive in a line, without ".cfi_", and its operands. The name is ""
// if the line has no such directive.
func ParseDirective(line string) (name string, operands []string) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(line), ".cfi_")
	if !ok {
		return "", nil
	}
	rest, _, _ = strings.Cut(rest, "#")
	rest, _, _ = strings.Cut(rest, "//")
	name, rest, _ = strings.Cut(strings.ReplaceAll(rest, "\t", " "), " ")
	if rest = strings.TrimSpace(rest); rest != "" {
		for o := range strings.SplitSeq(rest, ",") {
			operands = append(operands, strings.TrimSpace(o))
		}
	}
	return strings.TrimSpace(name), operands
}

// Sets returns what the directive in a line sets: "CFA" or the name of a register. It returns "" for other lines.
func Sets(abi *model.ABIInfo, line string) string {
	switch name, operands := ParseDirective(line); name {
	case "def_cfa", "def_cfa_offset", "def_cfa_register", "adjust_cfa_offset":
		return "CFA"
	case "offset", "rel_offset", "restore", "undefined", "same_value", "register", "val_offset":
		if len(operands) > 0 {
			return RegisterOf(abi, operands[0])
		}
	}
	return ""
}

// RegisterOf returns the name of the register that a directive gives as a number or a name.
func RegisterOf(abi *model.ABIInfo, operand string) string {
	if n, err := strconv.ParseUint(operand, 10, 32); err == nil {
		return abi.RegName(uint32(n))
	}
	name := strings.TrimPrefix(operand, "%")
	if rest, ok := strings.CutPrefix(name, "w"); ok {
		return "x" + rest
	}
	return name
}

// Clone returns a copy of the source without the changes of Apply.
func (s Source) Clone() Source { return Source{edit.NewText(s.Lines)} }
