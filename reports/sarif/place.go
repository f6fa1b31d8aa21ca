package sarif

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/escape"
	"github.com/sframe-lint/sframe-lint/lint/baseline"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

// rootID is the name of the checked-out sources in code scanning.
const rootID = "%SRCROOT%"

// artifact returns the place of a file: relative to the root where it is
// below it.
func (r *Renderer) artifact(path string) artifactLocation {
	if r.uri == "" || r.path != path { // most findings in a row are in one file
		r.path, r.uri = path, r.uriOf(path)
	}
	a := artifactLocation{URI: r.uri}
	if !strings.HasPrefix(r.uri, "file:") {
		a.URIBaseID = rootID
	}
	return a
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
func (r *Renderer) place(f *rules.Finding, file string) place {
	// The line is for viewers that support only text.
	bytes := region{StartLine: 1, ByteOffset: &f.FileOffset}
	if f.Span.Len > 0 {
		bytes.ByteLength = &f.Span.Len
	}
	return place{LogicalLocations: logical(f), PhysicalLocation: physicalLocation{r.artifact(file), &bytes}}
}

// source returns the place of a finding in the source text or, for one outside of the root, that of
// the anchor; nil for neither.
func (r *Renderer) source(f *rules.Finding) *place {
	s, a := f.Source, r.opts.Anchor
	if s != nil && (a == nil || !path.IsAbs(s.Path)) {
		at := r.line(s.Path, s.Line)
		if s.EndLine > s.Line {
			at.PhysicalLocation.Region.EndLine = s.EndLine
		}
		if name := cmp.Or(s.Function, f.Function); name != "" {
			name = escape.Name(name)
			at.LogicalLocations = []logicalLocation{{FullyQualifiedName: name, Kind: "function", Name: name}}
		}
		return &at
	}
	if a == nil {
		return nil
	}
	return &place{PhysicalLocation: physicalLocation{r.artifact(a.Path), &region{StartLine: a.Line}}}
}

// line returns a line of a source file, whose path counts from the root.
func (r *Renderer) line(file string, n int) place {
	if !path.IsAbs(file) && r.opts.Root != "" {
		file = filepath.Join(r.opts.Root, file)
	}
	return place{PhysicalLocation: physicalLocation{r.artifact(file), &region{StartLine: n}}}
}

// calls returns where the function of a finding was inlined.
func (r *Renderer) calls(f *rules.Finding) (all []place) {
	if f.Source == nil {
		return nil
	}
	for i, c := range f.Source.Inlined {
		if c.Line > 0 {
			at := r.line(c.Path, c.Line)
			at.ID, at.Message = i+2, &message{Text: "inlined into " + escape.Name(c.Function)}
			all = append(all, at)
		}
	}
	return all
}

// logical names the constructs around a finding, from the outermost to the
// innermost.
func logical(f *rules.Finding) (all []logicalLocation) {
	full := ""
	add := func(kind, name string) {
		if full != "" {
			full += "/"
		}
		full += name
		all = append(all, logicalLocation{FullyQualifiedName: full, Kind: kind, Name: name})
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
func (r *Renderer) fix(x *rules.Finding, file string, f rules.Fix) fix {
	change := artifactChange{ArtifactLocation: r.artifact(file)}
	for _, e := range f.Edits {
		off := x.Base + e.Span.Off
		replace := replacement{DeletedRegion: region{ByteLength: &e.Span.Len, ByteOffset: &off}}
		if len(e.New) > 0 {
			replace.InsertedContent = &content{base64.StdEncoding.EncodeToString(e.New)}
		}
		change.Replacements = append(change.Replacements, replace)
	}
	text := escape.Message(f.Message)
	if !f.Safe {
		text += " (unsafe: rests on a guess)"
	}
	return fix{[]artifactChange{change}, message{Text: text}, map[string]any{"safe": f.Safe}}
}

// fingerprint identifies a finding, and stays the same when the file is built
// again.
type fingerprint struct {
	hash    string
	ordinal int // among the findings with the same hash, from 1
}

func (p fingerprint) String() string { return fmt.Sprintf("%s:%d", p.hash, p.ordinal) }

// partial returns the fingerprint under the name that code scanning services use,
// and under one of its own, which changes when what is hashed does.
func (p fingerprint) partial() map[string]string {
	return map[string]string{"primaryLocationLineHash": p.String(), "sframeLint/v1": p.String()}
}

// ordinals counts the findings of a run that differ only in their order.
type ordinals map[string]int

// fingerprint returns the fingerprint of the next finding.
func (o ordinals) fingerprint(f *rules.Finding) fingerprint {
	p := fingerprint{hash: baseline.IdentityOf(f).Hash()}
	o[p.hash]++
	p.ordinal = o[p.hash]
	return p
}
