package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// measured is a line of scripts/bench/results.tsv; scripts/bench/pairs describes it.
type measured struct {
	table, label, of string
	cpu, cpuOf       float64 // ms
	peak, peakOf     float64 // MiB; 0: not measured
	load             float64
	size, sizeOf     float64 // bytes
}

// measuredTable is a table of the page: its name in the results, what is before its rows, and a row.
type measuredTable struct {
	name, head string
	row        func(*measured) string
}

var measuredTables = []measuredTable{
	{"objdump", "Checks, and `dump`, against `objdump --sframe`:\n\n| work | CPU time | memory | objdump | memory | times as fast |\n|---|---|---|---|---|---|\n", (*measured).speedup},
	{"disassembler", "Work on machine code against `objdump -d`, which only decodes it:\n\n| work | CPU time | memory | objdump -d | memory | times as fast |\n|---|---|---|---|---|---|\n", (*measured).speedup},
	{"process", "Decoding and walking in one process against libsframe:\n\n| work | CPU time | libsframe | times as fast |\n|---|---|---|---|\n", func(m *measured) string {
		return fmt.Sprintf("| %s | %s | %s | %s |\n", m.label, ms(m.cpu), ms(m.cpuOf), digits(m.cpuOf/m.cpu))
	}},
	{"c", "Against C programs of the same checks (`scripts/bench/checks`), which count faults and explain none. The start is in all other rows:\n\n| work | CPU time | C | CPU time | times C |\n|---|---|---|---|---|\n", func(m *measured) string {
		return fmt.Sprintf("| %s | %s | %s | %s | %s |\n", m.label, ms(m.cpu), m.of, ms(m.cpuOf), m.ratio())
	}},
	{"unit", "The same for each FRE or instruction, without the start and what the row before it does:\n\n| work | CPU time | C | CPU time | times C |\n|---|---|---|---|---|\n", func(m *measured) string {
		return fmt.Sprintf("| %s | %s ns | %s | %s ns | %s |\n", m.label, digits(m.cpu*1e6/m.size), m.of, digits(m.cpuOf*1e6/m.sizeOf), m.ratio())
	}},
	{"compare", "Comparisons of files against reading the large program once:\n\n| work | CPU time | memory | reading once | times |\n|---|---|---|---|---|\n", func(m *measured) string {
		return fmt.Sprintf("| %s | %s | %.0f MiB | %s | %s |\n", m.label, ms(m.cpu), m.peak, ms(m.cpuOf), m.ratio())
	}},
	{"shapes", "Unusual sections of 200,000 functions against a plain one of 800,000 FREs:\n\n| section | CPU time | memory | of the plain one | CPU time a byte, of the plain one |\n|---|---|---|---|---|\n", func(m *measured) string {
		return fmt.Sprintf("| %s | %s | %.0f MiB | %s | %s |\n", m.label, ms(m.cpu), m.peak, m.ratio(), digits(m.cpu/m.cpuOf*m.sizeOf/m.size))
	}},
	{"cores", "From start to end, with two processors against one:\n\n| work | two | one | times as fast |\n|---|---|---|---|\n", func(m *measured) string {
		return fmt.Sprintf("| %s | %s | %s | %s |\n", m.label, ms(m.cpu), ms(m.cpuOf), digits(m.cpuOf/m.cpu))
	}},
	{"start", "Instructions (callgrind), which do not depend on the load:\n\n| work | instructions |\n|---|---|\n", func(m *measured) string {
		return fmt.Sprintf("| %s | %s million |\n", m.label, digits(m.cpu*1e3/1e6))
	}},
}

func (m *measured) speedup() string {
	return fmt.Sprintf("| %s | %s | %.0f MiB | %s | %.0f MiB | %s |\n", m.label, ms(m.cpu), m.peak, ms(m.cpuOf), m.peakOf, digits(m.cpuOf/m.cpu))
}

func (m *measured) ratio() string {
	if m.cpuOf == 0 {
		return ""
	}
	return digits(m.cpu / m.cpuOf)
}

// digits writes a number with two digits, or all that it has before the point.
func digits(v float64) string {
	switch {
	case v >= 10:
		return fmt.Sprintf("%.0f", v)
	case v >= 1:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

func ms(v float64) string {
	if v >= 1000 {
		return fmt.Sprintf("%.2f s", v/1000)
	}
	return digits(v) + " ms"
}

// performancePage returns docs/performance.md with the tables of what was measured.
func performancePage() (string, error) {
	old, err := os.ReadFile("docs/performance.md")
	if err != nil {
		return "", err
	}
	results, err := os.ReadFile("scripts/bench/results.tsv")
	if err != nil {
		return "", err
	}
	text, err := performanceText(string(results))
	if err != nil {
		return "", fmt.Errorf("scripts/bench/results.tsv: %w", err)
	}
	const begin, end = "<!-- measured -->\n", "<!-- end -->\n"
	head, rest, ok := strings.Cut(string(old), begin)
	_, tail, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return "", errors.New("docs/performance.md: no comments around what was measured")
	}
	return head + begin + "\n" + strings.TrimSpace(text) + "\n" + end + tail, nil
}

func performanceText(results string) (string, error) {
	var about []string
	tables := map[string]string{}
	var loads []float64
	for line := range strings.Lines(results) {
		line = strings.TrimSuffix(line, "\n")
		if comment, ok := strings.CutPrefix(line, "# "); ok {
			about = append(about, comment)
			continue
		}
		m, err := parseMeasured(line)
		if err != nil {
			return "", err
		}
		i := slices.IndexFunc(measuredTables, func(t measuredTable) bool { return t.name == m.table })
		if i < 0 {
			return "", fmt.Errorf("no table %q", m.table)
		}
		tables[m.table] += measuredTables[i].row(m)
		loads = append(loads, m.load)
	}
	if len(loads) == 0 {
		return "", fmt.Errorf("nothing was measured")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Measured on %s; the load of the machine was %.1f to %.1f. Times rise with the load; ratios are less affected.\n",
		strings.Join(about, ", "), slices.Min(loads), slices.Max(loads))
	for _, t := range measuredTables {
		if tables[t.name] != "" {
			b.WriteString("\n" + t.head + tables[t.name])
		}
	}
	return b.String(), nil
}

func parseMeasured(line string) (*measured, error) {
	f := strings.Split(line, "\t")
	if len(f) != 10 {
		return nil, fmt.Errorf("not a line of results: %q", line)
	}
	var v [7]float64
	for i, text := range f[3:] {
		var err error
		if v[i], err = strconv.ParseFloat(text, 64); err != nil {
			return nil, err
		}
	}
	return &measured{f[0], f[1], f[2], v[0] / 1e3, v[2] / 1e3, v[1] / 1024, v[3] / 1024, v[4], v[5], v[6]}, nil
}
