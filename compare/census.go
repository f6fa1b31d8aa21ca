package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/escape"
	"github.com/sframe-lint/sframe-lint/internal/producers"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Census is a table of the sections in a set of files.
type Census struct {
	Schema string  `json:"schema"`
	Rows   []Row   `json:"files"`
	Groups []Group `json:"groups"`

	member, shown string // the last member, whose name many may share
}

// Row is one section of a census, or a file without one.
type Row struct {
	Path     string   `json:"path"`
	Member   string   `json:"member,omitempty"`
	Status   string   `json:"status"`
	Kind     string   `json:"kind,omitempty"` // object, linked or raw
	Version  int      `json:"version,omitempty"`
	ABI      string   `json:"abi,omitempty"`
	Order    string   `json:"byte_order,omitempty"`
	Flags    []string `json:"flags,omitempty"`
	Type     string   `json:"section_type,omitempty"`
	FDEs     int      `json:"fdes"`
	FREs     int      `json:"fres"`
	Bytes    int64    `json:"bytes"`
	Unmerged int      `json:"unmerged,omitempty"` // sections after the first
	Producer string   `json:"producer,omitempty"` // whose output has this form
	// Odd describes how the section differs from most of its kind.
	Odd string `json:"odd,omitempty"`
}

// Group is a set of sections that agree.
type Group struct {
	Kind  string `json:"kind"`
	What  string `json:"what"`
	Count int    `json:"count"`
}

// NewCensus returns a table without rows.
func NewCensus() *Census {
	return &Census{Schema: "sframe-lint/census/1", Rows: []Row{}, Groups: []Group{}}
}

// Add adds an object. It does not read the functions.
func (c *Census) Add(o *reader.Object) {
	if o.Member != c.member {
		c.member, c.shown = o.Member, shown(o.Member)
	}
	c.Rows = append(c.Rows, rowsOf(headersOf(o), c.shown)...)
}

// Unreadable adds a file that could not be read.
func (c *Census) Unreadable(path string) {
	c.Rows = append(c.Rows, Row{Path: escape.UTF8(path), Status: "unreadable"})
}

// Finish counts the sections that agree and finds those that differ.
func (c *Census) Finish() { c.group() }

func rowsOf(u *Unit, member string) []Row {
	base := Row{Path: escape.UTF8(u.Path), Member: member, Status: string(u.Status)}
	switch {
	case u.Raw:
		base.Kind = "raw"
	case u.Linked:
		base.Kind = "linked"
	case u.abi().Known():
		base.Kind = "object"
	}
	if len(u.Sections) == 0 {
		if u.Status == reader.StatusOK {
			base.Status = "no-header"
		}
		return []Row{base}
	}
	var out []Row
	for _, h := range u.Sections {
		r := base
		r.Version, r.ABI = int(h.Version), model.LookupABI(h.ABI).Name
		r.Order = "little"
		if h.BigEndian {
			r.Order = "big"
		}
		r.Flags = FlagNames(h.Flags)
		r.Type = typeName(h.Type)
		r.FDEs, r.FREs, r.Bytes = h.FDEs, h.FREs, h.Bytes
		r.Unmerged = h.Unmerged
		r.Producer = producers.Writing(h.Version, h.Flags&model.SFRAME_F_FDE_FUNC_START_PCREL != 0)
		out = append(out, r)
	}
	return out
}

var shortFlag = strings.NewReplacer("SFRAME_F_", "", "FDE_", "", "FUNC_START_", "")

// FlagNames returns the short names of the flags that are set, and flags without a
// name in hexadecimal.
func FlagNames(f model.Flags) []string {
	out := f.Names()
	for i := range out {
		out[i] = shortFlag.Replace(out[i])
	}
	return out
}

func typeName(t uint32) string {
	switch t {
	case 0:
		return ""
	case 1:
		return "PROGBITS"
	case uint32(reader.SHT_GNU_SFRAME):
		return "GNU_SFRAME"
	}
	return fmt.Sprintf("0x%x", t)
}

// group counts the sections that agree and marks those that differ from most
// of their kind. It counts objects and linked files separately and ignores the
// order of the FDEs.
func (c *Census) group() {
	count := map[Group]int{}
	for i := range c.Rows {
		count[groupOf(&c.Rows[i])]++
	}
	most := map[string]Group{}
	for g, n := range count {
		g.Count = n
		c.Groups = append(c.Groups, g)
	}
	slices.SortFunc(c.Groups, func(a, b Group) int {
		if a.Kind != b.Kind {
			return strings.Compare(a.Kind, b.Kind)
		}
		if a.Count != b.Count {
			return b.Count - a.Count
		}
		return strings.Compare(a.What, b.What)
	})
	for _, g := range c.Groups {
		if _, ok := most[g.Kind]; !ok && g.Kind != "" {
			most[g.Kind] = g
		}
	}
	for i := range c.Rows {
		r := &c.Rows[i]
		m, ok := most[r.Kind]
		all := total(c.Groups, r.Kind)
		if g := groupOf(r); ok && g.What != m.What && 2*m.Count > all {
			r.Odd = fmt.Sprintf("%s, where %d of %d %ss are %s", g.What, m.Count, all, nounOf(r.Kind), m.What)
		}
	}
}

func nounOf(kind string) string {
	switch kind {
	case "linked":
		return "linked file"
	case "raw":
		return "raw section"
	}
	return kind
}

func total(groups []Group, kind string) int {
	n := 0
	for _, g := range groups {
		if g.Kind == kind {
			n += g.Count
		}
	}
	return n
}

func groupOf(r *Row) Group {
	if r.Version == 0 {
		return Group{Kind: r.Kind, What: r.Status}
	}
	flags := slices.DeleteFunc(slices.Clone(r.Flags), func(s string) bool { return s == "SORTED" })
	what := fmt.Sprintf("V%d %s %s-endian", r.Version, r.ABI, r.Order)
	if len(flags) > 0 {
		what += " " + strings.Join(flags, ",")
	}
	if r.Type != "" {
		what += " " + r.Type
	}
	return Group{Kind: r.Kind, What: what}
}
