package compare

import (
	"fmt"
	"iter"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/sframe-lint/sframe-lint/internal/evidence/coverage"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// shipped are the names of libraries that a compiler adds to a link. The user cannot add SFrame data to them.
var shipped = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:` +
		`lib(?:c|m|m-[0-9.]+|mvec|pthread|dl|rt|gcc|gcc_eh|gcov|atomic|ssp_nonshared|stdc\+\+|stdc\+\+fs|supc\+\+)\.a|` +
		`(?:lib)?clang_rt\..*\.[ao])$`)
})

// lacksData reports whether a unit defines functions and has no SFrame data, though its author
// could add some.
func (u *Unit) lacksData() bool {
	return len(u.Sections) == 0 && len(u.symbols.all) > 0 && (u.Status == reader.StatusNoSFrame || u.Status == reader.StatusEmpty) &&
		!shipped().MatchString(filepath.Base(u.Path)) && !coverage.StartFile(filepath.Base(u.Path))
}

// sections checks whether the output has SFrame data, and which inputs have
// none.
func (l *linkCheck) sections() {
	with, fdes := 0, 0
	for _, u := range l.inputs {
		if n := len(u.funcs) + u.Unknown; n > 0 {
			with++
			fdes += n
		}
	}
	if with == 0 {
		return
	}
	if len(l.out.Sections) == 0 {
		verb := "describe"
		if with == 1 {
			verb = "describes"
		}
		l.add(SectionGone, "", "", "%s %s %s, but the output has no SFrame data (%s)", rules.Count(with, "input"), verb, rules.Count(fdes, "function"), l.out.Status)
	}
	for u := range l.inputsWithoutData() {
		l.add(NoData, u.Name(), "", "defines %s but has no SFrame data: traces stop there", rules.Count(u.symbols.names(), "function"))
	}
}

// headers compares the header fields that a merge has to carry over.
func (l *linkCheck) headers() {
	versions := map[string][]string{}
	aux, framePointer, all := 0, 0, 0
	for _, u := range l.inputs {
		for _, h := range u.Sections {
			v := fmt.Sprintf("%v %s", h.Version, model.LookupABI(h.ABI).Name)
			versions[v] = append(versions[v], u.Name())
			all++
			if h.AuxLen > 0 {
				aux++
			}
			if h.Flags&model.SFRAME_F_FRAME_POINTER != 0 {
				framePointer++
			}
		}
	}
	if len(versions) > 1 {
		var parts []string
		for v, names := range versions {
			parts = append(parts, fmt.Sprintf("%s: %s", v, listSome(names)))
		}
		slices.Sort(parts)
		l.add(MixedInputs, "", "", "the inputs differ: %s", strings.Join(parts, "; "))
	}
	for _, h := range l.out.Sections {
		if h.Unmerged > 0 {
			l.add(NotMerged, "", "", "the linker has concatenated the inputs' sections: consumers read the first and miss the %d after it", h.Unmerged)
		}
		if aux > 0 && h.AuxLen == 0 {
			l.add(FieldDropped, "", "", "%d of %d input sections have an auxiliary header, but the output has none", aux, all)
		}
		if all > 0 && framePointer == all && h.Flags&model.SFRAME_F_FRAME_POINTER == 0 && model.DefinedFlags(h.Version)&model.SFRAME_F_FRAME_POINTER != 0 {
			l.add(FieldDropped, "", "", "SFRAME_F_FRAME_POINTER is set in all inputs but not in the output")
		}
	}
}

// quoteNames lists names in quotes.
func quoteNames(names []string) string { return `"` + strings.Join(names, `", "`) + `"` }

// listSome lists a few names, quoted.
func listSome(names []string) string {
	const few = 3
	list := quoteNames(names[:min(few, len(names))])
	if len(names) <= few {
		return list
	}
	return fmt.Sprintf("%s and %d more", list, len(names)-few)
}

// inputsWithoutData returns the inputs without data, if others have some.
func (l *linkCheck) inputsWithoutData() iter.Seq[*Unit] {
	return func(yield func(*Unit) bool) {
		if !slices.ContainsFunc(l.inputs, func(u *Unit) bool { return len(u.Sections) > 0 }) {
			return
		}
		for _, u := range l.inputs {
			if u.lacksData() && !yield(u) {
				return
			}
		}
	}
}
