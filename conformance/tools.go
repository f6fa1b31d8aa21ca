package conformance

import (
	"bytes"
	"context"
	"debug/elf"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/sframe-lint/sframe-lint/internal/dumped"
	"github.com/sframe-lint/sframe-lint/internal/tinyelf"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Tool is a program that prints the SFrame data of an ELF file: objdump or readelf of binutils,
// or llvm-readobj. Its answers have what it prints; it has none for look-ups. In the arguments,
// @@ is the file and {arch} the machine: x86_64, aarch64 or s390x.
type Tool struct {
	Command []string
	LLVM    bool // the output is that of llvm-readobj
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
	path := filepath.Join(t.Dir, "section.elf")
	if err == nil {
		err = os.WriteFile(path, file, 0o600)
	}
	if err != nil {
		return &Answer{Crashed: err.Error()}
	}
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
	f := tinyelf.Of(abi, elf.ET_EXEC, data, s)
	f.Addr = addr
	return f.Bytes(), abi, s, nil
}

// arch returns the name of an ABI's machine in the names of tools.
func arch(abi model.ABIInfo) string {
	switch {
	case abi.Pauth:
		return "aarch64"
	case abi.RAPadding:
		return "s390x"
	}
	return "x86_64"
}

// refusal is a line with which the tools report that they do not decode a section.
var refusal = regexp.MustCompile(`(?im)^.*(\berror\b|corrupt|unsupported|invalid|not supported|failure|unexpected end of data).*$`)

// run runs the tool and returns its output, or why there is none.
func (t *Tool) run(path string, abi model.ABIInfo) (string, *Answer) {
	ctx, stop := context.WithTimeout(context.Background(), t.Timeout)
	defer stop()
	args := make([]string, len(t.Command))
	for i, a := range t.Command {
		args[i] = strings.NewReplacer("@@", path, "{arch}", arch(abi)).Replace(a)
	}
	var out bytes.Buffer
	c := exec.CommandContext(ctx, args[0], args[1:]...)
	c.Stdout, c.Stderr, c.WaitDelay = &out, &out, time.Second
	err := c.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return "", &Answer{Crashed: fmt.Sprintf("no answer in %v", t.Timeout)}
	case errors.As(err, &exit) && !exit.Exited():
		return "", &Answer{Crashed: exit.Error()}
	case err != nil && !errors.As(err, &exit):
		return "", &Answer{Crashed: err.Error()}
	}
	if line := refusal.FindString(out.String()); line != "" || err != nil {
		if line == "" { // the file's name and format come first
			text := strings.TrimSpace(out.String())
			line = text[strings.LastIndexByte(text, '\n')+1:]
		}
		return "", &Answer{Error: strings.TrimSpace(line + " (exit status " + strconv.Itoa(c.ProcessState.ExitCode()) + ")")}
	}
	return out.String(), nil
}

// content turns the output into an answer.
func (t *Tool) content(out string, abi model.ABIInfo, s *model.Section) *Answer {
	funcs := dumped.Objdump(out)
	if t.LLVM {
		funcs = dumped.LLVM(out)
	}
	all := []map[string]any{}
	for i, f := range funcs {
		rows := []map[string]any{}
		base := f.PC
		if s != nil && i < s.NumFDEs() && s.FDE(i).PCType() == model.SFRAME_FDE_PCTYPE_MASK {
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

var ruleToken = regexp.MustCompile(`^(?:(\()?(sp|fp|r\d+|c)(?:\+?([+-]\d+))?\)?|u|U|f)`)

// objdumpRow reads a row's rules in the notation of objdump: CFA, FP and RA without spaces.
func objdumpRow(row map[string]any, rule string, abi model.ABIInfo) {
	if rule == "RAundefined" {
		row["cfa"], row["fp"], row["ra"] = "undefined", "undefined", "undefined"
		return
	}
	if abi.Pauth {
		row["mangled_ra"] = strings.HasSuffix(rule, "[s]")
	}
	for _, what := range []string{"cfa", "fp", "ra"} {
		m := ruleToken.FindStringSubmatch(rule)
		if m == nil {
			return
		}
		rule = rule[len(m[0]):]
		switch {
		case m[0] == "f":
			row[what] = fmt.Sprintf("*(cfa%+d)", abi.FixedRA)
		case (m[0] == "U" || m[0] == "u") && !(what == "ra" && abi.FixedRA != 0):
			row[what] = "unchanged"
		case m[2] != "":
			off := m[3]
			if off == "" {
				off = "+0"
			}
			base := strings.NewReplacer("sp", fmt.Sprint("r", abi.SP), "fp", fmt.Sprint("r", abi.FP)).Replace(m[2])
			if m[2] == "c" {
				base = "cfa"
			}
			if m[1] == "(" || m[2] == "c" {
				row[what] = "*(" + base + off + ")"
			} else {
				row[what] = base + off
			}
		}
	}
}

var llvmOffset = regexp.MustCompile(`(CFA|RA|FP) Offset(-?\d+) `)

// llvmRow reads a row's rules as llvm-readobj prints them, default type only. A row without a CFA says
// nothing of FP, nor does one without FP if the header has a fixed offset.
func llvmRow(row map[string]any, rule string, abi model.ABIInfo, fixedFP bool) {
	base := abi.SP
	if strings.Contains(rule, "FP base") {
		base = abi.FP
	}
	if strings.Contains(rule, "CFA Offset") && !fixedFP {
		row["fp"] = "unchanged"
	}
	for _, m := range llvmOffset.FindAllStringSubmatch(rule, -1) {
		off, _ := strconv.ParseInt(m[2], 10, 64)
		switch m[1] {
		case "CFA":
			row["cfa"] = fmt.Sprintf("r%d%+d", base, off)
		default:
			row[strings.ToLower(m[1])] = fmt.Sprintf("*(cfa%+d)", off)
		}
	}
}
