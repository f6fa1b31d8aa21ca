package reports

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/base/spool"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// JUnit writes the XML of JUnit. Each rule with findings in an input is a test case, at the source line of the most
// severe finding. An input without findings is one case. Without SFrame data, that case is skipped.
//
// A case fails if a finding is at or above a severity. Unreadable inputs are errors. Unchecked rules are errors
// unless a finding or a limit of the user explains them.
type JUnit struct {
	textWriter
	failOn rules.Severity

	cases spool.Spool // a count stands before them

	tests, failures, errors, skipped int
}

// NewJUnit returns a renderer that writes the XML of JUnit. Findings at or above failOn are failures. Lower findings
// are the output of their case. With [rules.Off] there are no failures.
func NewJUnit(w io.Writer, failOn rules.Severity) *JUnit {
	return &JUnit{textWriter: newTextWriter(w, escape.Text), failOn: failOn}
}

type junitCase struct {
	XMLName xml.Name    `xml:"testcase"`
	Class   string      `xml:"classname,attr"`
	Name    string      `xml:"name,attr"`
	File    string      `xml:"file,attr"`
	Line    int         `xml:"line,attr,omitempty"`
	Failure *junitFault `xml:"failure"`
	Error   *junitFault `xml:"error"`
	Skipped *junitSkip  `xml:"skipped"`
	Output  string      `xml:"system-out,omitempty"`
}

type junitFault struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

type junitSkip struct {
	Message string `xml:"message,attr"`
}

// File adds the cases of a file.
func (j *JUnit) File(f *lint.File) error {
	for i := range f.Objects {
		o := &f.Objects[i]
		name := Name(o.Input.Path, o.Input.Member)
		for _, g := range grouped(o.Findings) {
			j.rule(name, o.Input.Path, g)
		}
		for _, n := range o.NotChecked() {
			if n.Hidden {
				j.fault(name, o.Input.Path, "not checked", NotChecked(&n))
			} else if j.add(j.Other, &junitCase{Class: name, Name: "not checked", File: Escape(o.Input.Path), Skipped: &junitSkip{NotChecked(&n)}}) {
				j.skipped++
			}
		}
		for _, g := range o.HiddenGaps() {
			j.fault(name, o.Input.Path, "not read", NotRead(&o.Input, g))
		}
		for _, x := range o.Failures {
			j.fault(name, o.Input.Path, "internal error", fmt.Sprintf("rule %s: %s", x.Rule, escape.Message(x.Reason)))
		}
		if len(o.Findings) > 0 || o.Hidden() || len(o.Failures) > 0 {
			continue
		}
		x := &junitCase{Class: name, Name: "SFrame", File: Escape(o.Input.Path)}
		switch in := &o.Input; {
		case in.Status == reader.StatusNoSFrame, in.Status == reader.StatusEmpty:
			x.Skipped = &junitSkip{"no SFrame data: " + escape.Message(in.Detail)}
		case !in.CanHaveSFrame() && f.Named:
			x.Skipped = &junitSkip{"cannot have SFrame data: " + escape.Message(in.Detail)}
		case !in.CanHaveSFrame():
			continue
		}
		if j.add(j.Other, x) && x.Skipped != nil {
			j.skipped++
		}
	}
	if f.Err != nil {
		j.fault(Name(f.Path, ""), f.Path, "not read", Escape(f.Reason()))
	}
	return nil
}

// grouped returns the findings of each rule, in the order of their first ones.
func grouped(all []rules.Finding) [][]*rules.Finding {
	at := map[string]int{}
	var out [][]*rules.Finding
	for i := range all {
		k, ok := at[all[i].Rule.ID]
		if !ok {
			k = len(out)
			at[all[i].Rule.ID] = k
			out = append(out, nil)
		}
		out[k] = append(out[k], &all[i])
	}
	return out
}

// rule adds the case of a rule with its findings in an input.
func (j *JUnit) rule(name, path string, all []*rules.Finding) {
	var b strings.Builder
	gravest := all[0]
	for _, f := range all {
		at := Where(f)
		if source := Source(f); source != "" {
			at = source + ": " + at
		}
		if line := fmt.Sprintf("%s: %s: %s\n", at, f.Severity, Message(f)); j.Finding(len(line)) {
			b.WriteString(line)
		}
		if f.Severity > gravest.Severity {
			gravest = f
		}
	}
	c := &junitCase{Class: name, Name: gravest.Rule.ID + " " + gravest.Rule.Title, File: Escape(path)}
	if s := gravest.Source; s != nil {
		c.File, c.Line = Escape(s.Path), s.Line
	}
	if j.failOn != rules.Off && gravest.Severity >= j.failOn {
		c.Failure = &junitFault{gravest.Severity.String(), Message(gravest), b.String()}
	} else {
		c.Output = b.String()
	}
	if b.Len() > 0 && j.add(always, c) && c.Failure != nil {
		j.failures++
	}
}

func (j *JUnit) fault(name, path, what, text string) {
	if j.add(j.Other, &junitCase{Class: name, Name: what, File: Escape(path), Error: &junitFault{what, text, ""}}) {
		j.errors++
	}
}

func always(int) bool { return true }

// add keeps a case, if it fits.
func (j *JUnit) add(fits func(int) bool, c *junitCase) bool {
	line, err := xml.Marshal(c)
	if err != nil || !fits(len(line)) {
		return false
	}
	if !j.cases.Add(bytes.ReplaceAll(line, []byte("\n"), []byte("&#xA;"))) {
		j.Full()
		return false
	}
	j.tests++
	return true
}

// Close writes the document.
func (j *JUnit) Close(s lint.Summary) error {
	if s.Empty {
		j.fault("sframe-lint", "", "nothing checked", NothingChecked)
	}
	if out := j.LeftOut(); out != nil {
		j.tests, j.errors = j.tests+1, j.errors+1
	}
	counts := fmt.Sprintf(`name="sframe-lint" tests="%d" failures="%d" errors="%d"`, j.tests, j.failures, j.errors)
	fmt.Fprintf(j.w, "%s<testsuites %s>\n<testsuite %[2]s skipped=\"%[3]d\">\n", xml.Header, counts, j.skipped)
	err := j.cases.Each(func(line []byte) { j.w.WriteString(string(line) + "\n") })
	if out := j.LeftOut(); out != nil {
		line, _ := xml.Marshal(&junitCase{Class: "sframe-lint", Name: "report", Error: &junitFault{"not shown", out.Error(), ""}})
		j.w.WriteString(string(line) + "\n")
	}
	j.w.WriteString("</testsuite>\n</testsuites>\n")
	return j.Done(cmp.Or(err, j.out.Flush()))
}
