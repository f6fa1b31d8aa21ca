package conformance

import (
	"context"
	"debug/elf"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sframe-lint/sframe-lint/internal/tool/dump"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
	"github.com/sframe-lint/sframe-lint/internal/tool/shrink"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Tool is a program that prints the SFrame data of an ELF file: objdump or readelf of binutils, or llvm-readobj. It
// does not support look-ups. In the arguments, @@ is the file and {arch} the machine: x86_64, aarch64 or s390x.
type Tool struct {
	Command []string
	LLVM    bool // it is llvm-readobj
	Timeout time.Duration
	Dir     string // for the files
}

// Close implements [Decoder].
func (*Tool) Close() error { return nil }

// Ask implements [Decoder].
func (t *Tool) Ask(r Request) *Answer {
	if r.PC != "" {
		return &Answer{Unsupported: true}
	}
	file, abi, s, err := wrap(r)
	path := ""
	if err == nil {
		path, err = program.Place(t.Dir, "section.elf", file)
	}
	if err != nil {
		return &Answer{Crashed: err.Error()}
	}
	defer os.RemoveAll(filepath.Dir(path))
	out, bad := t.run(path, abi)
	if bad != nil {
		return bad
	}
	return t.content(out, abi, s)
}

// wrap returns the smallest executable around a section, its ABI and the section, nil if it cannot be
// decoded.
func wrap(r Request) ([]byte, model.ABIInfo, *model.Section, error) {
	data, err := hex.DecodeString(r.Section)
	if err != nil {
		return nil, model.ABIInfo{}, nil, err
	}
	addr, err := strconv.ParseUint(r.Address, 0, 64)
	if err != nil {
		return nil, model.ABIInfo{}, nil, err
	}
	all := model.ABIs()
	abi := all[len(all)/2] // for a damaged identifier, any
	if len(data) > 4 {
		if a := model.LookupABI(model.ABI(data[4])); a.Known() {
			abi = a
		}
	}
	s, _ := reader.DecodeSection(data, reader.SectionOptions{Addr: addr})
	return shrink.Around(abi, elf.ET_EXEC, data, addr, s), abi, s, nil
}

// refusal is a line with which the tools report that they do not decode a section.
var refusal = regexp.MustCompile(`(?im)^.*(\berror\b|corrupt|unsupported|invalid|not supported|failure|unexpected end of data).*$`)

// run runs the tool and returns its output, or why there is none.
func (t *Tool) run(path string, abi model.ABIInfo) (string, *Answer) {
	c := program.External{Args: slices.Clone(t.Command), Timeout: t.Timeout, FixedAddresses: true}
	for i := range c.Args {
		c.Args[i] = strings.ReplaceAll(c.Args[i], "{arch}", abi.Arch)
	}
	o, err := c.Run(context.Background(), path, "")
	switch {
	case err != nil:
		return "", &Answer{Crashed: err.Error()}
	case o.Timeout:
		return "", &Answer{Crashed: fmt.Sprintf("no answer in %v", t.Timeout)}
	case o.Signal != 0:
		return "", &Answer{Crashed: o.String()}
	}
	out := string(o.Stdout)
	if line := refusal.FindString(out); line != "" || o.Exit != 0 {
		if line == "" { // the file's name and format come first
			text := strings.TrimSpace(out)
			line = text[strings.LastIndexByte(text, '\n')+1:]
		}
		return "", &Answer{Error: strings.TrimSpace(fmt.Sprintf("%s (%v)", line, o))}
	}
	return out, nil
}

// content turns the output into an answer.
func (t *Tool) content(out string, abi model.ABIInfo, s *model.Section) *Answer {
	funcs := dump.ParseObjdump(out)
	if t.LLVM {
		funcs = dump.ParseLLVM(out)
	}
	all := []map[string]any{}
	for i, f := range funcs {
		rows := []map[string]any{}
		base := f.PC
		if s != nil && i < s.NumFDEs() && s.FDE(i).Mask() {
			base = 0
		}
		for _, r := range f.Rows {
			row := map[string]any{"start": r.Start - base}
			if t.LLVM {
				llvmRow(row, r.Rule, abi, s != nil && s.Header().FixedFPOffset != 0)
			} else {
				objdumpRow(row, r.Rule, abi)
			}
			rows = append(rows, row)
		}
		all = append(all, map[string]any{"start": fmt.Sprintf("0x%x", f.PC), "size": f.Size, "rows": rows})
	}
	b, err := json.Marshal(map[string]any{"functions": all})
	if err != nil {
		return &Answer{Crashed: err.Error()}
	}
	return &Answer{Content: b}
}

// setRow states the columns of a row; one that is "" is not stated.
func setRow(row map[string]any, rule dump.Rule, abi model.ABIInfo) {
	names := strings.NewReplacer("sp", fmt.Sprint("r", abi.SP), "fp", fmt.Sprint("r", abi.FP), "c", "cfa")
	for what, column := range map[string]string{"cfa": rule.CFA, "fp": rule.FP, "ra": rule.RA} {
		inMemory := strings.HasPrefix(column, "(") || strings.HasPrefix(column, "c")
		column = strings.Trim(column, "()")
		switch {
		case column == "f":
			row[what] = fmt.Sprintf("*(cfa%+d)", abi.FixedRA)
		case column == "" || column == "?":
		case strings.EqualFold(column, "u"):
			if what != "ra" || abi.FixedRA == 0 {
				row[what] = "unchanged"
			}
		default:
			if !strings.ContainsAny(column, "+-") {
				column += "+0"
			}
			row[what] = names.Replace(column)
			if inMemory {
				row[what] = "*(" + names.Replace(column) + ")"
			}
		}
	}
}

// objdumpRow reads a row's rules in the notation of objdump: CFA, FP and RA without spaces.
func objdumpRow(r map[string]any, rule string, abi model.ABIInfo) {
	if rule == "RAundefined" {
		r["cfa"], r["fp"], r["ra"] = "undefined", "undefined", "undefined"
		return
	}
	if abi.Pauth {
		r["mangled_ra"] = strings.HasSuffix(rule, "[s]")
	}
	setRow(r, dump.ObjdumpColumns(rule), abi)
}

// llvmRow reads a row's rules as llvm-readobj prints them, default type only. A row without a CFA says
// nothing of FP, nor does one without FP if the header has a fixed offset.
func llvmRow(r map[string]any, rule string, abi model.ABIInfo, fixedFP bool) {
	columns := dump.LLVMColumns(rule)
	if columns.FP == "u" && fixedFP {
		columns.FP = ""
	}
	setRow(r, columns, abi)
}
