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

// measuredTable is a table of the page: the name in the results, what is before the table, and the columns.
type measuredTable struct{ name, head, columns string }

var measuredTables = []measuredTable{
	{"objdump", "Checks, and `dump`, against `objdump --sframe`:", "work|CPU time|memory|objdump=of|memory=memory of|times as fast"},
	{"disassembler", "Rules on machine code, against `objdump -d`, which only decodes it:", "work|CPU time|memory|objdump -d=of|memory=memory of|times as fast"},
	{"process", "Decoding and visiting all FREs in one process, against libsframe:", "work|CPU time|libsframe=of|times as fast"},
	{"compare", "Comparisons of files, against reading the large program once:", "work|CPU time|memory|reading once=of|times"},
	{"shapes", "Unusual sections of 200,000 functions, against a plain one of 800,000 FREs:", "section=work|CPU time|memory|times the plain one=times|CPU time per byte, times the plain one=times a byte"},
	{"cores", "Elapsed time with two processors, against one:", "work|two=CPU time|one=of|times as fast"},
	{"start", "Instructions (callgrind), which do not depend on the load of the machine:", "work|instructions"},
}

// cell returns what a column has.
func (m *measured) cell(column string) string {
	switch column {
	case "CPU time":
		return ms(m.cpu)
	case "memory":
		return fmt.Sprintf("%.0f MiB", m.peak)
	case "of":
		return ms(m.cpuOf)
	case "memory of":
		return fmt.Sprintf("%.0f MiB", m.peakOf)
	case "times as fast":
		return digits(m.cpuOf / m.cpu)
	case "times":
		return digits(m.cpu / m.cpuOf)
	case "times a byte":
		return digits(m.cpu / m.cpuOf * m.sizeOf / m.size)
	case "instructions":
		return digits(m.cpu*1e3/1e6) + " million"
	}
	return m.label
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
	tables := map[string][]*measured{}
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
		if !slices.ContainsFunc(measuredTables, func(t measuredTable) bool { return t.name == m.table }) {
			return "", fmt.Errorf("no table %q", m.table)
		}
		tables[m.table] = append(tables[m.table], m)
		loads = append(loads, m.load)
	}
	if len(loads) == 0 {
		return "", fmt.Errorf("nothing was measured")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Measured on %s; the load of the machine was %.1f to %.1f. Times rise with the load; ratios are less affected.\n",
		strings.Join(about, ", "), slices.Min(loads), slices.Max(loads))
	for _, t := range measuredTables {
		columns := strings.Split(t.columns, "|")
		heads := make([]string, len(columns))
		for i, c := range columns {
			heads[i], _, _ = strings.Cut(c, "=")
		}
		fmt.Fprintf(&b, "\n%s\n\n| %s |\n|%s\n", t.head, strings.Join(heads, " | "), strings.Repeat("---|", len(columns)))
		for _, m := range tables[t.name] {
			for _, c := range columns {
				fmt.Fprintf(&b, "| %s ", m.cell(c[strings.Index(c, "=")+1:]))
			}
			b.WriteString("|\n")
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
