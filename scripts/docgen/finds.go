package main

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
	"github.com/sframe-lint/sframe-lint/rules"
)

// findsPage lists what campaigns have found in consumers.
func findsPage(c *corpus.Consumers, replays corpus.Replays, known *finds) string {
	var b strings.Builder
	families := map[string][]corpus.ConsumerFind{}
	var order []string
	for _, f := range c.Finds {
		name := programFamily(f.Target)
		if families[name] == nil {
			order = append(order, name)
		}
		families[name] = append(families[name], f)
	}
	slices.Sort(order)
	for _, name := range order {
		finds, numbers := byFault(families[name])
		fmt.Fprintf(&b, "## %s\n\n%s.\n\n| fault | what | where or how | depends on | programs | since | writes | input | bytes | clause | public | command |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n", name, faultsText(finds))
		for i, f := range finds {
			r := replays[f.File]
			fmt.Fprintf(&b, "| %d | %s | %s | %s | %s | %s | %s | %s | %d | %s | %s | `%s` |\n", numbers[i], f.Kind, where(f, r), depends(f), programs(f), since(f, r),
				writes(r), inputText(f), f.Size, f.Clause, known.public(f), command(c, f))
		}
		b.WriteByte('\n')
	}
	return render("found-consumers", faultsText(c.Finds)+".\n\n"+strings.TrimSuffix(b.String(), "\n"))
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

// depends names what makes the failure go if it is repaired.
func depends(f corpus.ConsumerFind) string {
	text := strings.Join(f.Depends, "; or ")
	if f.Moves {
		text += " (then it fails elsewhere)"
	}
	return text
}

// programFamily returns the heading for a target.
func programFamily(target string) string {
	name, _ := splitVersion(target)
	switch name {
	case "objdump", "readelf":
		return "objdump and readelf"
	case "libsframe", "libsframe-asan":
		return "libsframe 2.47 in process"
	case "linux", "linux-arm64":
		return "Linux in process"
	case "glibc":
		return "glibc in process"
	}
	return strings.TrimSuffix(name, "-r") // a linker to object files
}

var versioned = regexp.MustCompile(`^(.*)-(\d[\d.]*)$`)

// splitVersion splits the name of a target, such as objdump-2.40.
func splitVersion(target string) (name, version string) {
	if m := versioned.FindStringSubmatch(target); m != nil {
		return m[1], m[2]
	}
	return target, ""
}

// versionsText writes the names of targets, each program once: objdump 2.40, 2.44.
func versionsText(targets []string) string {
	var names []string
	versions := map[string][]string{}
	for _, t := range targets {
		name, v := splitVersion(t)
		if _, ok := versions[name]; !ok {
			names = append(names, name)
		}
		versions[name] = append(versions[name], v)
	}
	for i, name := range names {
		names[i] = strings.TrimSpace(name + " " + strings.Join(versions[name], ", "))
	}
	return strings.Join(names, "; ")
}

// programs names those that a find was seen on.
func programs(f corpus.ConsumerFind) string {
	if f.With != "" {
		return versionsText(f.Targets) + ", with " + versionsText([]string{f.With})
	}
	return versionsText(f.Targets)
}

// releases are the versions of binutils that the files are run on, the oldest first.
var releases = []string{"2.40", "2.44", "2.47"}

// since returns the oldest version that fails on the file in the same way, and newer ones that do
// not; "not run" without a replay. A library in process is of the newest release.
func since(f corpus.ConsumerFind, r *corpus.Replay) string {
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

// writes names the programs that write out of bounds on the file.
func writes(r *corpus.Replay) string {
	if r == nil {
		return ""
	}
	return versionsText(r.Writes)
}

// where returns the place of a failure, or what disagrees.
func where(f corpus.ConsumerFind, r *corpus.Replay) string {
	if r != nil && slices.Contains(r.Varies, f.Target) {
		return code(f.Key) + ", at times elsewhere"
	}
	return code(f.Key)
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

// command returns the command that shows a find.
func command(c *corpus.Consumers, f corpus.ConsumerFind) string {
	file := path.Join(corpus.ConsumersDir, f.File)
	line := "sframe-fuzz run"
	for _, t := range c.Targets {
		switch {
		case t.Name != f.Target && t.Name != f.With:
		case !strings.Contains(t.Command, "@@"):
			line += " --library " + t.Command
		case f.With != "": // names keep targets apart
			line += fmt.Sprintf(" --target '%s=%s'", t.Name, t.Command)
		case path.Ext(f.File) == ".json":
			made := strings.NewReplacer("{arch}", "x86_64", "@@", "many/0*", "@out", "/dev/null").Replace(t.Command)
			return fmt.Sprintf("sframe-fuzz break --recipe %s --out many; time %s", file, made)
		default:
			line += fmt.Sprintf(" --target '%s'", t.Command)
		}
	}
	return line + " " + file
}
