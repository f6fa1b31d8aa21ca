package campaign

import (
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
)

// A fault of a program shows at many places: a check that is missing is followed by reads of many fields. The
// finds of a target are those of one fault if they fail in the same way and if one repair of their files makes
// all of them go.

// Failing has the properties of a failure by which failures are assigned to faults.
type Failing struct {
	Group   string // failures in different groups have different faults
	Kind    Outcome
	Key     string
	Message string
	Repairs []string // each one ends the failure
	Place   bool     // the place counts too, since the repairs do not decide
}

var (
	allocators = regexp.MustCompile(`^SIG(?:SEGV|ABRT)(?: at \S+ \w*(?:alloc|free)\w*\+0x[0-9a-f]+)?$`)
	ubsanText  = regexp.MustCompile(`^(ubsan \S+ [a-z -]*[a-z]).*`)
)

// manner returns the way in which something fails. Places of assertions and of arithmetic belong to it: they are
// checks of their own. A bad access is one whatever its place. A program that misreads a section for a demand of its
// profile does so in valid sections and where it disagrees with another program.
func (x Failing) manner() string {
	kind := string(x.Kind)
	switch {
	case x.Kind == Disagree && strings.Contains(x.Key, ": "):
		return string(Misreads) + " " + x.Key
	case x.Kind != Crash && x.Kind != Hang && x.Kind != Memory && x.Kind != Slow:
		return kind + " " + x.Key
	case x.Kind != Crash:
		return kind
	case overwrites(x.Key, x.Message) || allocators.MatchString(x.Key):
		return "write out of bounds"
	case strings.HasPrefix(x.Key, "SIGSEGV"), strings.HasPrefix(x.Key, "asan access"), strings.HasPrefix(x.Key, "sanitizer access"):
		return "read out of bounds"
	case strings.HasPrefix(x.Key, "SIG"):
		signal, _, _ := strings.Cut(x.Key, " ")
		return signal
	case strings.HasPrefix(x.Key, "panic "):
		return "panic"
	}
	return ubsanText.ReplaceAllString(x.Key, "$1")
}

// Faults returns the name of the fault for each failure. Failures have the same fault if they have the same group and
// manner, and the same repair ends all of them. Of several repairs, the one that ends most failures counts.
func Faults(all []Failing) []string {
	names := make([]string, len(all))
	var rest []int
	for i, x := range all {
		switch {
		case len(x.Repairs) == 0 && strings.HasSuffix(x.manner(), " "+x.Key):
			names[i] = x.manner() // its key is what it depends on
		case len(x.Repairs) == 0 || x.Place:
			names[i] = ubsanText.ReplaceAllString(x.Key, "$1")
			if len(x.Repairs) > 0 {
				names[i] += ": " + x.Repairs[0]
			}
		default:
			rest = append(rest, i)
		}
	}
	type common struct{ group, manner, repair string }
	for len(rest) > 0 {
		counts := map[common]int{}
		best, most := common{}, 0
		for _, i := range rest {
			for _, r := range all[i].Repairs {
				k := common{all[i].Group, all[i].manner(), r}
				counts[k]++
			}
		}
		for _, i := range rest { // the first one of those that are as common
			for _, r := range all[i].Repairs {
				if k := (common{all[i].Group, all[i].manner(), r}); counts[k] > most {
					best, most = k, counts[k]
				}
			}
		}
		rest = slices.DeleteFunc(rest, func(i int) bool {
			x := all[i]
			is := x.Group == best.group && x.manner() == best.manner && slices.Contains(x.Repairs, best.repair)
			if is {
				names[i] = best.manner + ": " + best.repair
			}
			return is
		})
	}
	return names
}

// failing returns what the find's fault is judged by.
func (f *Find) failing() Failing {
	x := Failing{Group: f.Target, Kind: f.Kind, Key: f.Key, Message: f.Message}
	if f.Cause != nil {
		x.Depends(f.Cause.Repairs, f.Cause.Moves)
	}
	return x
}

// Depends sets the repairs that end the failure or move it to another place.
func (x *Failing) Depends(repairs []string, moves bool) {
	x.Repairs, x.Place = repairs, slices.Contains(repairs, AroundSection) || moves
}

// count counts the faults of a campaign, and names them in the reports, which have the other finds of a fault.
func (s *Summary) count(dir *os.Root, known []Known) error {
	finds := make([]*Find, 0, len(s.Finds))
	for i, x := range s.Finds {
		f, err := readFind(dir, x.ID)
		if err != nil {
			return err
		}
		s.Finds[i].Size, s.Finds[i].Unsteady, f.Bucket = f.Size, f.Unsteady, x.Bucket
		finds = append(finds, f)
	}
	all := make([]Failing, len(finds))
	for i, f := range finds {
		all[i] = f.failing()
	}
	distinct := map[string]bool{}
	names := Faults(all)
	for i, name := range names {
		x := &s.Finds[i]
		x.Fault = name
		x.New = !slices.ContainsFunc(known, func(k Known) bool {
			return k.Bucket == x.Bucket || k.Fault != "" && k.Fault == name && k.Target == x.Target
		})
		if distinct[x.Target+"\x00"+name] = true; x.New {
			s.New++
		}
	}
	s.Faults = len(distinct)
	for i, f := range finds {
		if f.Size == 0 {
			continue // there is no find
		}
		f.Fault, f.Known, f.Same = names[i], !s.Finds[i].New, nil
		for k, other := range names {
			if k != i && other == names[i] && finds[k].Target == f.Target {
				f.Same = append(f.Same, finds[k].ID)
			}
		}
		if err := f.rewrite(dir); err != nil {
			return err
		}
	}
	return nil
}

// readFind reads a find of a campaign. One that was not written has no size.
func readFind(dir *os.Root, id string) (*Find, error) {
	f := &Find{ID: id}
	b, err := readFile(dir, path.Join(findsName, id, "report.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	return f, cmp.Or(err, json.Unmarshal(b, f))
}

// rewrite writes the report of a find again.
func (f *Find) rewrite(dir *os.Root) error {
	at := path.Join(findsName, f.ID)
	files := map[string][]byte{}
	for _, name := range []string{f.File, "annotated.txt"} {
		b, err := readFile(dir, path.Join(at, name))
		if err != nil {
			return err
		}
		files[name] = b
	}
	return errors.Join(replaceFile(dir, path.Join(at, "report.json"), must(Indent(f))),
		replaceFile(dir, path.Join(at, "report.md"), f.markdown(files)))
}
