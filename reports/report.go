package reports

import (
	"errors"
	"io/fs"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// StatusUnreadable is the status of an input that could not be read to its
// end, besides those that package reader knows.
const StatusUnreadable reader.Status = "unreadable"

// Input is what became of one ELF file, archive member or raw section.
type Input struct {
	Path, Member string
	Status       reader.Status
	Detail       string // why, for other states than reader.StatusOK

	// What follows is of the first .sframe section that has a header; the
	// counts and bytes are sums over all of them.
	Version    model.Version // 0: no header could be had
	ABI        string
	BigEndian  bool
	FDEs, FREs int
	Bytes      int64
	Sections   int // with at least a byte
}

// InputOf sums up an object.
func InputOf(o *reader.Object) Input {
	in := Input{Path: o.Path, Member: o.Member, Status: o.Status, Detail: o.Detail}
	for _, f := range o.SFrames {
		in.Bytes += int64(len(f.Data))
		if len(f.Data) > 0 {
			in.Sections++
		}
		s := f.Section
		if s == nil {
			continue
		}
		in.FDEs += s.NumFDEs()
		in.FREs += s.NumFREs()
		if in.ABI == "" {
			in.Version, in.ABI, in.BigEndian = s.Version(), s.ABI().Name, s.BigEndian()
		}
	}
	return in
}

// Object is what the rules have found in an input.
type Object struct {
	Input    Input
	Findings []rules.Finding
	Failures []rules.Failure
	Cut      map[string]int // by rule, the findings beyond the limit
}

// Unread tells of an input whose structure is damaged without a finding that
// says so, because the rules for it were left out: it was not checked.
func (o *Object) Unread() bool {
	return o.Input.Status == reader.StatusDamaged && len(o.Findings) == 0
}

// File is what has come of one path.
type File struct {
	Path    string
	Objects []Object // the members of an archive, else one
	// Err is what kept the file from being read, or a fault of ours; the
	// objects in front of it are there.
	Err error
}

// Reason says what kept the file from being read, without its path.
func (f *File) Reason() string {
	var p *fs.PathError
	if errors.As(f.Err, &p) && p.Path == f.Path {
		return p.Err.Error()
	}
	return f.Err.Error()
}

// Tool names the program in a report.
type Tool struct {
	Name, Version, URL string
}

// Renderer writes a report.
type Renderer interface {
	// File adds what has come of a path. It does not keep f.
	File(f *File) error
	// Close ends the report.
	Close(s Summary) error
}

// Summary counts what has been found in a run.
type Summary struct {
	Errors, Warnings, Notes int

	Files    int // paths looked at
	Sections int // .sframe sections
	Cut      int // findings beyond the limit, counted nowhere else
	// Failed counts the inputs that could not be read and the rules that
	// failed; Damaged the inputs whose structure can't be followed.
	Failed, Damaged int
}

// Add counts a file.
func (s *Summary) Add(f *File) {
	s.Files++
	if f.Err != nil {
		s.Failed++
	}
	for i := range f.Objects {
		o := &f.Objects[i]
		s.Failed += len(o.Failures)
		if o.Input.Status == reader.StatusDamaged {
			s.Damaged++
		}
		if o.Unread() {
			s.Failed++
		}
		s.Sections += o.Input.Sections
		for _, n := range o.Cut {
			s.Cut += n
		}
		for j := range o.Findings {
			s.count(o.Findings[j].Severity)
		}
	}
}

func (s *Summary) count(v rules.Severity) {
	switch v {
	case rules.Error:
		s.Errors++
	case rules.Warning:
		s.Warnings++
	case rules.Note:
		s.Notes++
	}
}

// AtLeast returns the number of findings that are as grave as v or graver.
func (s *Summary) AtLeast(v rules.Severity) int {
	switch v {
	case rules.Error:
		return s.Errors
	case rules.Warning:
		return s.Errors + s.Warnings
	}
	return s.Errors + s.Warnings + s.Notes
}
