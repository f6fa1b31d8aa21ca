package properties

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/internal/testkit/breaktest"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// findings checks that the rules find no error in a valid section.
func (r *run) findings() {
	if c := breaktest.Complaints(r.rawFindings(), rules.Error); c != "" {
		r.fail("errors in a valid section:%s", c)
	}
}

// container puts the section into a file, and checks that it is the same
// there and that the rules find the same as in the raw section.
func (r *run) container() {
	kinds := []int{r.m.Rand.IntN(len(wraps))}
	if r.Thorough {
		kinds = []int{executable, sharedObject, objectFile}
	}
	for _, kind := range kinds {
		name := wraps[kind].name
		f, err := r.file(kind)
		if err != nil {
			r.fail("%s: %v", name, err)
			return
		}
		raw := r.rawFindings()
		found := r.lint(f.Bytes, 0)
		if c := breaktest.Complaints(found, rules.Error); c != "" {
			r.fail("errors in a valid %s:%s", name, c)
		}
		if a, b := verdicts(raw, kind), verdicts(found, kind); a != b && len(f.Plan.Funcs) == len(r.p.Funcs) {
			r.fail("raw:\n%s%s:\n%s", a, name, b)
		}
		r.holds(f, name)
	}
}

// Rules that differ between a file and a raw section: linked files should be
// sorted, the starts and the padding of object files are not final, a raw
// section at 0 has no known address, and only a file has code to compare with.
const (
	unsortedInFile = "SF7005"
	farStart       = "SF2101"
	trailingZeros  = "SF1017"
	skewedStubs    = "SF2022"
	entryState     = "SF3106"
	signedByCode   = "SF3112"
	loweredBy4     = "SF3102"
	fpElsewhere    = "SF3111"
)

// verdicts lists the findings of the rules that say the same of a raw section
// and of a file of the kind.
func verdicts(all []rules.Finding, kind int) string {
	except := []string{unsortedInFile, skewedStubs, entryState, signedByCode, loweredBy4, fpElsewhere}
	if kind == objectFile {
		except = append(except, farStart, trailingZeros)
	}
	var lines []string
	for _, f := range all {
		if !f.Rule.OptIn && !slices.Contains(except, f.Rule.ID) {
			lines = append(lines, fmt.Sprintf("%s %v FDE %d FRE %d\n", f.Rule.ID, f.Severity, f.FDE, f.FRE))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// holds checks that the section in a file is that of the file's plan, and that
// look-ups in the file agree with a scan.
func (r *run) holds(f *generator.File, kind string) {
	r.input = f.Bytes
	err := reader.ScanReader("generated", bytes.NewReader(f.Bytes), int64(len(f.Bytes)), reader.Options{}, func(o *reader.Object) error {
		r.query(o)
		return holds(o, f)
	})
	if err != nil {
		r.fail("%s: %v", kind, err)
	}
}

// holds checks that the object's section is that of the file's plan.
func holds(o *reader.Object, f *generator.File) error {
	if len(o.SFrames) != 1 || o.SFrames[0].Section == nil || len(o.SFrames[0].Faults) > 0 || len(o.Faults) > 0 {
		return fmt.Errorf("%d sections, faults %v", len(o.SFrames), o.Faults)
	}
	q, err := generator.FromModel(o.SFrames[0].Section)
	if err != nil {
		return err
	}
	if d := differ(f.Plan, q); d != "" {
		return fmt.Errorf("read as something else: %s", d)
	}
	return nil
}

// stripped removes the section headers of an executable: the segment still
// points to the section.
func (r *run) stripped() {
	f, err := r.file(executable)
	if err != nil {
		return
	}
	s := *f
	s.Bytes = bytes.Clone(f.Bytes)
	for _, field := range []model.Span{elf64.EhdrShoff, elf64.EhdrShentsize, elf64.EhdrShnum, elf64.EhdrShstrndx} {
		clear(s.Bytes[field.Off:field.End()])
	}
	r.holds(&s, "executable without section headers")
}
