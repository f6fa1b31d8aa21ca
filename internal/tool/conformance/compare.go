package conformance

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// Outcome is the result of a decoder for a case.
type Outcome string

// Outcomes.
const (
	Pass    Outcome = "pass"
	Partial Outcome = "partial" // the answer is correct but incomplete
	Wrong   Outcome = "wrong"   // the answer differs
	Refused Outcome = "refused" // an error for a valid section
	Taken   Outcome = "taken"   // no error, although the section cannot be decoded
	Crash   Outcome = "crash"   // the decoder ended or did not answer in time
	Skipped Outcome = "skipped" // the decoder does not support the question or the version
)

// Failed reports whether an outcome is a failure: the answer or output is not correct, and the case was not skipped.
func (o Outcome) Failed() bool { return o != Pass && o != Partial && o != Skipped }

// Result is the outcome of a case.
type Result struct {
	Case    *Case
	Outcome Outcome
	Detail  string // why it failed, or the missing part of a partial answer
	Stderr  string // of a decoder that crashed
}

// judge compares an answer with what the case expects.
func judge(c *Case, a *Answer) Result {
	r := Result{Case: c}
	switch {
	case a.Crashed != "":
		r.Outcome, r.Detail, r.Stderr = Crash, a.Crashed, a.Stderr
	case a.Unsupported:
		r.Outcome, r.Detail = Skipped, "not supported by the decoder"
	case c.Duty == Either && (c.Expect == nil || a.Error != ""):
		r.Outcome = Pass
	case c.Duty == Reject && a.Error == "":
		r.Outcome, r.Detail = Taken, "an answer for a section that cannot be decoded"
	case c.Duty == Reject:
		r.Outcome = Pass
	case a.Error != "":
		r.Outcome, r.Detail = Refused, a.Error
	default:
		r.Outcome = Pass
		var want, got any
		if err := json.Unmarshal(c.Expect, &want); err != nil {
			return Result{Case: c, Outcome: Wrong, Detail: err.Error()}
		}
		if err := json.Unmarshal(a.Content, &got); err != nil {
			return Result{Case: c, Outcome: Wrong, Detail: "the answer is no JSON object: " + err.Error()}
		}
		d := comparison{}
		d.compare("", got, want)
		switch {
		case len(d.differ) > 0:
			r.Outcome, r.Detail = Wrong, d.differ[0]
		case d.same == 0:
			r.Outcome, r.Detail = Skipped, "the answer states nothing that is compared"
		case len(d.missing) > 0:
			r.Outcome, r.Detail = Partial, d.missing[0]
		}
	}
	return r
}

// common returns what two values both state; false if that is nothing.
func common(a, b any) (any, bool) {
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		both := map[string]any{}
		for k := range x {
			if v, ok := common(x[k], y[k]); ok {
				both[k] = v
			}
		}
		return both, ok
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			return nil, false
		}
		both := make([]any, len(x))
		for i := range x {
			both[i], _ = common(x[i], y[i])
		}
		return both, true
	}
	return a, a == b
}

// comparison holds what two values have in common against each other.
type comparison struct {
	differ, missing []string
	same            int // values
}

// compare compares a part of an answer. A key that the answer does not have is missing,
// not wrong; other keys do not count.
func (c *comparison) compare(at string, got, want any) {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			c.unequal(at, got, want)
			return
		}
		for _, k := range slices.Sorted(maps.Keys(w)) {
			if v, ok := g[k]; ok {
				c.compare(at+"."+k, v, w[k])
			} else {
				c.missing = append(c.missing, fmt.Sprintf("%s.%s is not stated", at, k))
			}
		}
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			c.unequal(at, got, want)
			return
		}
		c.same++
		for i := range w {
			c.compare(fmt.Sprintf("%s[%d]", at, i), g[i], w[i])
		}
	default:
		if got != want && !sameNumber(got, want) {
			c.unequal(at, got, want)
			return
		}
		c.same++
	}
}

// sameNumber reports whether two strings are the same hexadecimal number.
func sameNumber(got, want any) bool {
	g, ok1 := got.(string)
	w, ok2 := want.(string)
	if !ok1 || !ok2 {
		return false
	}
	a, err1 := strconv.ParseUint(g, 0, 64)
	b, err2 := strconv.ParseUint(w, 0, 64)
	return err1 == nil && err2 == nil && a == b
}

func (c *comparison) unequal(at string, got, want any) {
	if at == "" {
		at = "the answer"
	}
	c.differ = append(c.differ, fmt.Sprintf("%s is %s, not %s", at, brief(got), brief(want)))
}

// brief writes a value in a line.
func brief(v any) string {
	if list, ok := v.([]any); ok {
		return fmt.Sprintf("a list of %d", len(list))
	}
	b, _ := json.Marshal(v)
	if len(b) > 80 {
		return string(b[:77]) + "..."
	}
	return string(b)
}
