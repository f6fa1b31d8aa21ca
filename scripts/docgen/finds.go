package main

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
	"github.com/sframe-lint/sframe-lint/rules"
)

// expected is what a consumer should do instead, by the kind of the find.
var expected = map[string]string{
	"crash": "a message", "hang": "a message", "silent": "a message",
	"disagree":      "one answer of all programs",
	"misreads":      "what the section says",
	"quadratic":     "time in proportion to the size",
	"rejects-valid": "no message",
	"worsens":       "an output with no finding that its input does not have",
}

// failures are the rows about what campaigns have found in targets, the places of a fault together.
func (known *finds) failures(c *corpus.Consumers, replays corpus.Replays, targets []string) (rows []*entry) {
	var own []corpus.ConsumerFind
	for _, f := range c.Finds {
		if name, _ := splitVersion(f.Target); slices.Contains(targets, name) {
			own = append(own, f)
		}
	}
	finds, numbers := byFault(own)
	written := map[int]bool{}
	for i, f := range finds {
		r := cmp.Or(replays[f.File], &corpus.Replay{})
		x := &entry{What: fmt.Sprintf("%s, fault %d", f.Kind, numbers[i]), Seen: "`" + strings.ReplaceAll(f.Key, "|", "\\|") + "`", Expected: expected[f.Kind], Reported: known.public(f)}
		x.Who, x.Version = programs(f.Targets)
		if s := failsSince(f, replays[f.File]); !strings.Contains(x.Version, s) {
			x.Version = strings.TrimPrefix(x.Version+"; since "+s, "; since ")
		}
		if slices.Contains(r.Varies, f.Target) {
			x.Seen += ", at times elsewhere"
		}
		if f.With != "" {
			x.Seen += ", against " + f.With
		}
		if len(f.Depends) > 0 {
			x.Seen += "; depends on " + strings.Join(f.Depends, "; or on ")
		}
		if f.Moves {
			x.Seen += " (then it fails elsewhere)"
		}
		if len(r.Writes) > 0 {
			x.Grave = f.Kind == "crash" && !written[numbers[i]] // one place of a fault
			written[numbers[i]] = true
			x.Seen += "; out of bounds write " + strings.Join(r.Writes, ", ")
		}
		if f.Clause != "" {
			x.Expected += "; the file does not meet " + f.Clause
		}
		x.input = fmt.Sprintf("`%s`: %s, %s", f.File, strings.TrimSuffix(f.Class+" by "+f.Break, " by "), rules.Count(f.Size, "byte"))
		rows = append(rows, x)
	}
	return rows
}

// byFault returns finds with the places of a fault together, and the number of the fault of each.
func byFault(finds []corpus.ConsumerFind) (sorted []corpus.ConsumerFind, numbers []int) {
	order := map[string]int{}
	for _, f := range finds {
		if order[faultOf(f)] == 0 {
			order[faultOf(f)] = len(order) + 1
		}
	}
	sorted = slices.SortedStableFunc(slices.Values(finds), func(a, b corpus.ConsumerFind) int { return cmp.Compare(order[faultOf(a)], order[faultOf(b)]) })
	for _, f := range sorted {
		numbers = append(numbers, order[faultOf(f)])
	}
	return sorted, numbers
}

// faultOf returns the fault of a project of which a find is a place.
func faultOf(f corpus.ConsumerFind) string { return corpus.Project(f.Target) + " " + f.Fault }

// faultsText counts faults, and the places at which they show.
func faultsText(finds []corpus.ConsumerFind) string {
	faults := map[string]bool{}
	crashing, crashes := map[string]bool{}, 0
	for _, f := range finds {
		faults[faultOf(f)] = true
		if f.Kind == "crash" {
			crashing[faultOf(f)], crashes = true, crashes+1
		}
	}
	text := fmt.Sprintf("%s, %s", rules.Count(len(faults), "fault"), rules.Count(len(finds), "place"))
	if crashes > 0 {
		text += fmt.Sprintf("; of these %s, %s of crashes", rules.Count(len(crashing), "fault"), rules.Count(crashes, "place"))
	}
	return text
}

var versioned = regexp.MustCompile(`^(.*)-(\d[\d.]*)$`)

// splitVersion splits the name of a target, such as objdump-2.40.
func splitVersion(target string) (name, version string) {
	if m := versioned.FindStringSubmatch(target); m != nil {
		return m[1], m[2]
	}
	return target, ""
}

// programs returns the names of targets, each once, and their versions, of several programs with their names.
func programs(targets []string) (who, which string) {
	var names []string
	versions := map[string][]string{}
	for _, t := range targets {
		name, v := splitVersion(t)
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		if v != "" {
			versions[name] = append(versions[name], v)
		}
	}
	who = strings.Join(names, ", ")
	if len(names) == 1 {
		return who, strings.Join(versions[names[0]], ", ")
	}
	var all []string
	for _, name := range slices.DeleteFunc(names, func(n string) bool { return versions[n] == nil }) {
		all = append(all, name+" "+strings.Join(versions[name], ", "))
	}
	return who, strings.Join(all, "; ")
}

// releases are the versions of binutils that the files are run on, the oldest first.
var releases = []string{"2.40", "2.44", "2.47"}

// failsSince returns the oldest version that fails on the file in the same way, and newer ones that do
// not; "not run" without a replay. A library in process is of the newest release.
func failsSince(f corpus.ConsumerFind, r *corpus.Replay) string {
	name, version := splitVersion(f.Target)
	if strings.HasPrefix(name, "libsframe") {
		version = "2.47"
	}
	seen := slices.Contains([]string{"silent", "disagree", "quadratic"}, f.Kind) // a replay does not show it
	switch {
	case !slices.Contains(releases, version):
		return cmp.Or(version, "the tree") // the only one at hand
	case seen:
		r = &corpus.Replay{}
	case r == nil:
		return "not run"
	}
	fails := map[string]bool{version: true}
	for _, t := range f.Targets {
		if other, v := splitVersion(t); strings.HasPrefix(name, "ld") == strings.HasPrefix(other, "ld") {
			fails[v] = true
		}
	}
	for target, what := range r.Fails {
		other, v := splitVersion(target)
		if strings.HasPrefix(name, "ld") == strings.HasPrefix(other, "ld") && strings.HasPrefix(what, f.Kind+" ") {
			fails[v] = true
		}
	}
	oldest := slices.IndexFunc(releases, func(v string) bool { return fails[v] })
	if seen {
		return releases[oldest]
	}
	fine := slices.DeleteFunc(slices.Clone(releases[oldest:]), func(v string) bool { return fails[v] })
	if len(fine) == 0 {
		return releases[oldest]
	}
	return releases[oldest] + ", not in " + strings.Join(fine, " and ")
}

// public returns what is publicly known of a failure of a consumer.
func (known *finds) public(f corpus.ConsumerFind) string {
	for _, x := range known.Reported {
		if regexp.MustCompile(x.Find).MatchString(f.Kind + " " + f.Key) {
			return x.What
		}
	}
	return "no report found"
}

// kindsOf counts the finds of each kind in words.
func kindsOf(c *corpus.Consumers) string {
	kinds := map[string]int{}
	for _, f := range c.Finds {
		kinds[f.Kind]++
	}
	var counts []string
	for _, k := range slices.Sorted(maps.Keys(kinds)) {
		counts = append(counts, fmt.Sprintf("%d %s", kinds[k], k))
	}
	return strings.Join(counts, ", ")
}

// total adds up the runs of a target.
func total(runs map[string]int) (n int) {
	for _, k := range runs {
		n += k
	}
	return n
}
