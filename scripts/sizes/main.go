// Command sizes compares the sizes of SFrame sections of real programs, by ABI and version, with
// .eh_frame, with what rewrite makes of them, and with what other layouts would take.
//
//	scripts/realworld/build DIR
//	go run -C scripts ./sizes -write docs/studies/size.md DIR
package main

import (
	"bytes"
	"debug/elf"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/rewrite"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/scripts/internal/page"
	"github.com/sframe-lint/sframe-lint/scripts/internal/root"
)

// linkers are the directories of the linkers that write each version.
var linkers = map[string]model.Version{"ld-2.40": model.SFRAME_VERSION_1, "ld-2.44": model.SFRAME_VERSION_2, "ld-2.47": model.SFRAME_VERSION_3}

// program is a program that was built for an ABI with all linkers.
type program struct {
	abi, name, options string
	ehFrame            int64 // of the build with version 3
	bytes              [4]int64
	least              int64
	ideas
}

// ideas are sizes of version 3 in other layouts, from the section that rewrite writes.
type ideas struct {
	rows   int64 // an FRE names its row in a dictionary
	starts int64 // start offsets count from the previous FRE, in LEB128
	both   int64
}

func main() {
	root.Enter()
	to := flag.String("write", "", "write the results into this `PAGE`, docs/studies/size.md")
	flag.Parse()
	if err := run(flag.Arg(0), *to); err != nil {
		fmt.Fprintln(os.Stderr, "sizes:", err)
		os.Exit(1)
	}
}

func run(dir, to string) error {
	programs := map[string]*program{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		parts := strings.Split(filepath.ToSlash(rel), "/") // ABI/PROJECT/OPTIONS/LINKER/NAME
		if len(parts) != 5 || strings.HasSuffix(parts[4], ".a") || strings.HasSuffix(parts[4], "-gc") || strings.HasSuffix(parts[0], "be") {
			return nil
		}
		for prefix, v := range linkers {
			if strings.HasPrefix(parts[3], prefix) {
				key := strings.Join([]string{parts[0], parts[4], parts[2]}, "/")
				if programs[key] == nil {
					programs[key] = &program{abi: parts[0], name: parts[4], options: parts[2]}
				}
				return programs[key].measure(path, v)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return page.Write(to, "sizes", table(programs))
}

// measure adds the build of a version.
func (p *program) measure(path string, v model.Version) error {
	return reader.Scan(path, reader.Options{}, func(o *reader.Object) error {
		if o.ELF == nil || !slices.ContainsFunc(o.ELF.Segments, func(s reader.Segment) bool { return s.Type == elf.PT_DYNAMIC }) {
			return nil // a relocatable file, or one with the functions of a libc that has no SFrame data
		}
		for _, sf := range o.SFrames {
			if sf.Section == nil || sf.Section.Version() != v {
				continue
			}
			z, err := rewrite.Measure(o, sf, 0)
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			p.bytes[v] = z.Bytes
			if v != model.SFRAME_VERSION_3 {
				continue
			}
			p.ehFrame, p.least = z.EHFrame, z.Least
			c, err := rewrite.Section(o, sf, rewrite.Options{Narrow: true})
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			p.ideas = ideasOf(c.Section)
		}
		return nil
	})
}

// ideasOf computes what a section would take in other layouts, with the same index and
// attributes. Of a row, a dictionary has the info byte and the words.
func ideasOf(s *model.Section) (x ideas) {
	uses, seen := map[string]int64{}, map[uint32]bool{}
	fixed := s.Size() - s.FRESubsection().Len
	widths, leb := int64(0), int64(0)
	for f := range s.FDEs() {
		if seen[f.StartFREOff()] && f.NumFREs() > 0 {
			continue
		}
		seen[f.StartFREOff()] = true
		fixed += f.AttrSpan().Len
		last := uint32(0)
		for r := range f.FREs() {
			uses[string(s.Bytes(r.InfoSpan()))+string(s.Bytes(r.WordsSpan()))]++
			widths += int64(f.FREType().Width())
			leb += lengthOf(uint64(r.Start() - last))
			last = r.Start()
		}
	}
	words, names := int64(0), int64(0) // of the rows in FREs; of the dictionary and the numbers in FREs
	rows := slices.SortedFunc(maps.Keys(uses), func(a, b string) int { return int(uses[b] - uses[a]) })
	for i, row := range rows { // those that are used most have the shortest numbers
		words += uses[row] * int64(len(row))
		names += int64(len(row)) + uses[row]*lengthOf(uint64(i))
	}
	return ideas{rows: fixed + widths + names, starts: fixed + leb + words, both: fixed + leb + names}
}

// lengthOf returns the bytes of a number in LEB128.
func lengthOf(v uint64) int64 {
	n := int64(1)
	for ; v >= 0x80; v >>= 7 {
		n++
	}
	return n
}

// table writes the programs that all linkers have linked, by ABI.
func table(programs map[string]*program) []byte {
	var b bytes.Buffer
	sums := map[string]*program{}
	for _, key := range slices.Sorted(maps.Keys(programs)) {
		p := programs[key]
		if p.bytes[1] == 0 && p.abi != "s390x" || p.bytes[3] == 0 {
			continue
		}
		sum := sums[p.abi]
		if sum == nil {
			sum = &program{abi: p.abi, name: "all"}
			sums[p.abi] = sum
			fmt.Fprintf(&b, "\n### %s\n\n| program | options | `.eh_frame` + header | V1 | V2 | V3 | V3, `rewrite` | rows by number | LEB128 starts | both |\n|---|---|---|---|---|---|---|---|---|---|\n", p.abi)
		}
		p.row(&b)
		sum.ehFrame, sum.least = sum.ehFrame+p.ehFrame, sum.least+p.least
		for v := range sum.bytes {
			sum.bytes[v] += p.bytes[v]
		}
		sum.rows, sum.starts, sum.both = sum.rows+p.rows, sum.starts+p.starts, sum.both+p.both
	}
	b.WriteString("\n### Sums\n\nBytes of all programs, in parts of `.eh_frame` with its header:\n\n| ABI | V1 | V2 | V3 | V3, `rewrite` | rows by number | LEB128 starts | both |\n|---|---|---|---|---|---|---|---|\n")
	for _, abi := range slices.Sorted(maps.Keys(sums)) {
		s := sums[abi]
		fmt.Fprintf(&b, "| %s |", abi)
		for _, n := range []int64{s.bytes[1], s.bytes[2], s.bytes[3], s.least, s.rows, s.starts, s.both} {
			if n == 0 {
				fmt.Fprintf(&b, " - |")
				continue
			}
			fmt.Fprintf(&b, " %.3f |", float64(n)/float64(s.ehFrame))
		}
		b.WriteString("\n")
	}
	return b.Bytes()
}

func (p *program) row(b *bytes.Buffer) {
	fmt.Fprintf(b, "| %s | %s | %d |", p.name, p.options, p.ehFrame)
	for _, n := range []int64{p.bytes[1], p.bytes[2], p.bytes[3], p.least, p.rows, p.starts, p.both} {
		if n == 0 {
			fmt.Fprintf(b, " - |")
			continue
		}
		fmt.Fprintf(b, " %d |", n)
	}
	b.WriteString("\n")
}
