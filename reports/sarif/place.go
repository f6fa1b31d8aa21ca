package sarif

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

// rootID is the name of the checked-out sources in code scanning.
const rootID = "%SRCROOT%"

func location(uri string) *sarif.ArtifactLocation { return sarif.NewArtifactLocation().WithURI(uri) }

// artifact returns the place of a file: relative to the root where it is
// below it.
func (r *Renderer) artifact(path string) *sarif.ArtifactLocation {
	if r.uri == "" || r.path != path { // most findings in a row are in one file
		r.path, r.uri = path, r.uriOf(path)
	}
	a := location(r.uri)
	if !strings.HasPrefix(r.uri, "file:") {
		a.WithURIBaseID(rootID)
	}
	return a
}

// at returns the place of a region of a file, of all of it for nil.
func (r *Renderer) at(path string, region *sarif.Region) *sarif.Location {
	return sarif.NewLocation().WithPhysicalLocation(sarif.NewPhysicalLocation().WithArtifactLocation(r.artifact(path)).WithRegion(region))
}

func (r *Renderer) uriOf(path string) string {
	p := path
	if filepath.IsAbs(p) || r.opts.Root != "" {
		if !filepath.IsAbs(p) {
			p = filepath.Join(cmp.Or(r.opts.Dir, r.opts.Root), p)
		}
		rel, err := filepath.Rel(r.opts.Root, p)
		if r.opts.Root == "" || err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return fileURI(p)
		}
		p = rel
	}
	return relativeURI(filepath.Clean(p))
}

// fileURI returns the URI of an absolute path.
func fileURI(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive letter
	}
	return "file://" + (&url.URL{Path: path}).EscapedPath()
}

// relativeURI returns the URI reference of a relative path. A colon in its
// first segment would make a scheme of it, so colons are encoded.
func relativeURI(path string) string {
	return strings.ReplaceAll((&url.URL{Path: filepath.ToSlash(path)}).EscapedPath(), ":", "%3A")
}

// place returns the place of a finding: its bytes, which for a member of a thin
// archive are in a file of its own, and what they encode.
func (r *Renderer) place(f *rules.Finding, file string) *sarif.Location {
	// The line is for viewers that support only text.
	region := sarif.NewRegion().WithStartLine(1).WithByteOffset(int(f.FileOffset))
	if f.Span.Len > 0 {
		region.WithByteLength(int(f.Span.Len))
	}
	return r.at(file, region).WithLogicalLocations(logical(f))
}

// source returns the place of a finding in the source text or, for one outside of the root, that of
// the anchor; nil for neither.
func (r *Renderer) source(f *rules.Finding) *sarif.Location {
	s, a := f.Source, r.opts.Anchor
	if s != nil && (a == nil || !path.IsAbs(s.Path)) {
		at := r.line(s.Path, s.Line)
		if s.EndLine > s.Line {
			at.PhysicalLocation.Region.WithEndLine(s.EndLine)
		}
		if name := cmp.Or(s.Function, f.Function); name != "" {
			name = escape.Name(name)
			at.WithLogicalLocations([]*sarif.LogicalLocation{sarif.NewLogicalLocation().WithKind("function").WithName(name).WithFullyQualifiedName(name)})
		}
		return at
	}
	if a == nil {
		return nil
	}
	return r.at(a.Path, sarif.NewRegion().WithStartLine(a.Line))
}

// line returns a line of a source file, whose path counts from the root.
func (r *Renderer) line(file string, n int) *sarif.Location {
	if !path.IsAbs(file) && r.opts.Root != "" {
		file = filepath.Join(r.opts.Root, file)
	}
	return r.at(file, sarif.NewRegion().WithStartLine(n))
}

// calls returns where the function of a finding was inlined.
func (r *Renderer) calls(f *rules.Finding) (all []*sarif.Location) {
	if f.Source == nil {
		return nil
	}
	for i, c := range f.Source.Inlined {
		if c.Line > 0 {
			all = append(all, r.line(c.Path, c.Line).WithID(i+2).WithMessage(message("inlined into "+escape.Name(c.Function))))
		}
	}
	return all
}

// logical names the constructs around a finding, from the outermost to the
// innermost.
func logical(f *rules.Finding) []*sarif.LogicalLocation {
	all := []*sarif.LogicalLocation{}
	full := ""
	add := func(kind, name string) {
		if full != "" {
			full += "/"
		}
		full += name
		all = append(all, sarif.NewLogicalLocation().WithKind(kind).WithName(name).WithFullyQualifiedName(full))
	}
	if f.Member != "" {
		add("module", escape.Name(f.Member))
	}
	if f.InSection || f.Section != "" {
		add("section", reports.SectionName(f))
	}
	if f.Function != "" {
		add("function", escape.Name(f.Function))
	}
	if f.FDE >= 0 {
		add("element", fmt.Sprintf("FDE %d", f.FDE))
	}
	if f.FRE >= 0 {
		add("element", fmt.Sprintf("FRE %d", f.FRE))
	}
	if f.HasPC {
		add("element", fmt.Sprintf("pc 0x%x", f.PC))
	}
	return all
}

// fix describes a fix of a result. The format has no field for one that may be
// wrong; the text and a property say so.
func (r *Renderer) fix(x *rules.Finding, file string, f rules.Fix) *sarif.Fix {
	change := sarif.NewArtifactChange().WithArtifactLocation(r.artifact(file))
	for _, e := range f.Edits {
		region := sarif.NewRegion().WithByteOffset(int(x.Base + e.Span.Off)).WithByteLength(int(e.Span.Len))
		replace := sarif.NewReplacement().WithDeletedRegion(region)
		if len(e.New) > 0 {
			replace.WithInsertedContent(sarif.NewArtifactContent().WithBinary(base64.StdEncoding.EncodeToString(e.New)))
		}
		change.AddReplacement(replace)
	}
	text := escape.Message(f.Message)
	if !f.Safe {
		text += " (unsafe: rests on a guess)"
	}
	props := sarif.NewPropertyBag()
	props.Add("safe", f.Safe)
	return sarif.NewFix().WithDescription(message(text)).AddArtifactChange(change).WithProperties(props)
}

// fingerprint identifies a finding, and stays the same when the file is built
// again.
type fingerprint struct {
	hash    string
	ordinal int // among the findings with the same hash, from 1
}

func (p fingerprint) String() string { return fmt.Sprintf("%s:%d", p.hash, p.ordinal) }

// partialFingerprints returns the fingerprint under the name that code scanning services use,
// and under one of its own, which changes when what is hashed does.
func (p fingerprint) partialFingerprints() map[string]string {
	return map[string]string{"primaryLocationLineHash": p.String(), "sframeLint/v1": p.String()}
}

// ordinals counts the findings of a run that differ only in their order.
type ordinals map[string]int

// fingerprint returns the fingerprint of the next finding.
func (o ordinals) fingerprint(f *rules.Finding) fingerprint {
	p := fingerprint{hash: lint.IdentityOf(f).Hash()}
	o[p.hash]++
	p.ordinal = o[p.hash]
	return p
}
