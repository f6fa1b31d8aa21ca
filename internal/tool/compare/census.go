package compare

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/evidence/producers"
	"github.com/sframe-lint/sframe-lint/internal/tool/rewrite"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Stat is a census of files, with the use of the bytes in their sections.
type Stat struct {
	Schema string  `json:"schema"`
	Census *Census `json:"-"` // written as separate lists
	*rewrite.Sizes
}

// NewStat returns a table without files.
func NewStat() *Stat {
	return &Stat{"sframe-lint/stat/1", &Census{Rows: []Entry{}, Groups: []Group{}, forms: map[string]*Form{}}, rewrite.NewSizes()}
}

// Join adds the files of another table.
func (s *Stat) Join(x *Stat) {
	s.Census.join(x.Census)
	s.Sizes.Join(x.Sizes)
}

// Finish computes the sums.
func (s *Stat) Finish() {
	s.Census.Finish()
	s.Sizes.Finish()
}

// Census is a table of the sections in a set of files.
type Census struct {
	Rows   []Entry `json:"files"`
	Groups []Group `json:"groups"`

	forms         map[string]*Form // by their text
	member, shown string           // the last member, whose name many may share
}

// Entry is one section of a census, or a file without one.
type Entry struct {
	Path   string `json:"path"`
	Member string `json:"member,omitempty"`
	*Form
	FDEs     int   `json:"fdes"`
	FREs     int   `json:"fres"`
	Bytes    int64 `json:"bytes"`
	Code     int64 `json:"code_bytes,omitempty"`     // bytes of executable sections
	EHFrame  int64 `json:"eh_frame_bytes,omitempty"` // bytes of .eh_frame and .eh_frame_hdr
	Unmerged int   `json:"unmerged,omitempty"`       // sections after the first
}

// Form is the set of properties that many rows of a census share.
type Form struct {
	Status   string   `json:"status"`
	Kind     string   `json:"kind,omitempty"` // object, linked or raw
	Version  int      `json:"version,omitempty"`
	ABI      string   `json:"abi,omitempty"`
	Order    string   `json:"byte_order,omitempty"`
	Flags    []string `json:"flags,omitempty"`
	Type     string   `json:"section_type,omitempty"`
	Producer string   `json:"producer,omitempty"` // the producer of this form
	// Odd describes how the form differs from that of most sections of its kind.
	Odd string `json:"odd,omitempty"`

	rows int
}

// Group is a set of sections of the same kind and format.
type Group struct {
	Kind  string `json:"kind"`
	What  string `json:"what"`
	Count int    `json:"count"`
}

// Bytes of a row and of a form, with room for a list that grows.
var (
	censusCost = 2 * int64(reflect.TypeFor[Entry]().Size())
	formCost   = 2 * int64(reflect.TypeFor[Form]().Size())
)

// Add adds an object without reading its functions. Errors: the budget of the object, which pays for the rows.
func (c *Census) Add(o *reader.Object) error {
	if o.Member != c.member {
		c.member, c.shown = o.Member, label(o.Member)
	}
	forms := len(c.forms)
	rows := c.rowsOf(headersOf(o), c.shown)
	for i := range rows {
		if o.ELF != nil {
			rows[i].Code, rows[i].EHFrame = rewrite.CodeAndCFI(o.ELF)
		}
	}
	cost := censusCost*int64(len(rows)) + int64(len(c.shown)) + formCost*int64(len(c.forms)-forms)
	if err := budget.Of(o.Context).Spend(budget.Memory, cost); err != nil {
		return err
	}
	c.Rows = append(c.Rows, rows...)
	return nil
}

// join adds the rows of another table.
func (c *Census) join(x *Census) {
	for _, r := range x.Rows {
		r.Form = c.form(*r.Form)
		c.Rows = append(c.Rows, r)
	}
}

// Unreadable adds a file that could not be read.
func (c *Census) Unreadable(path string) {
	c.Rows = append(c.Rows, Entry{Path: escape.UTF8(path), Form: c.form(Form{Status: "unreadable"})})
}

// form returns the form that is equal to f.
func (c *Census) form(f Form) *Form {
	key := fmt.Sprintln(f.Status, f.Kind, f.Version, f.ABI, f.Order, f.Flags, f.Type, f.Producer)
	if c.forms[key] == nil {
		c.forms[key] = &f
	}
	return c.forms[key]
}

func (c *Census) rowsOf(u *Unit, member string) []Entry {
	base := Form{Status: string(u.Status)}
	switch {
	case u.Raw:
		base.Kind = "raw"
	case u.Linked:
		base.Kind = "linked"
	case u.abi().Known():
		base.Kind = "object"
	}
	path := escape.UTF8(u.Path)
	if len(u.Sections) == 0 {
		if u.Status == reader.StatusOK {
			base.Status = "no-header"
		}
		return []Entry{{Path: path, Member: member, Form: c.form(base)}}
	}
	var out []Entry
	for _, h := range u.Sections {
		f := base
		f.Version, f.ABI = int(h.Version), model.LookupABI(h.ABI).Name
		f.Order = "little"
		if h.BigEndian {
			f.Order = "big"
		}
		f.Flags = h.Flags.Names()
		for i := range f.Flags {
			f.Flags[i] = shortFlag.Replace(f.Flags[i])
		}
		f.Type = typeName(h.Type)
		f.Producer = producers.Writing(producers.LookOf(h.Header, u.Linked || u.Raw))
		out = append(out, Entry{Path: path, Member: member, Form: c.form(f),
			FDEs: h.FDEs, FREs: h.FREs, Bytes: h.Bytes, Unmerged: h.Unmerged})
	}
	return out
}

// shortFlag makes the name of a flag short.
var shortFlag = strings.NewReplacer("SFRAME_F_", "", "FDE_", "", "FUNC_START_", "")

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

// Finish counts the sections of each format, and marks those that differ from most of their kind. It counts objects
// and linked files separately, and ignores the order of the FDEs.
func (c *Census) Finish() {
	for i := range c.Rows {
		c.Rows[i].rows++
	}
	count := map[Group]int{}
	for _, f := range c.forms {
		if f.rows > 0 {
			count[groupOf(f)] += f.rows
		}
	}
	most, all := map[string]Group{}, map[string]int{}
	for g, n := range count {
		g.Count = n
		all[g.Kind] += n
		c.Groups = append(c.Groups, g)
	}
	slices.SortFunc(c.Groups, func(a, b Group) int {
		return cmp.Or(strings.Compare(a.Kind, b.Kind), b.Count-a.Count, strings.Compare(a.What, b.What))
	})
	for _, g := range c.Groups {
		if _, ok := most[g.Kind]; !ok && g.Kind != "" {
			most[g.Kind] = g
		}
	}
	for _, f := range c.forms {
		m, ok := most[f.Kind]
		if g := groupOf(f); ok && g.What != m.What && 2*m.Count > all[f.Kind] {
			f.Odd = fmt.Sprintf("%s, where %d of %d %ss are %s", g.What, m.Count, all[f.Kind], nounOf(f.Kind), m.What)
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

func groupOf(r *Form) Group {
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
