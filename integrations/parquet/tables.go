package main

import (
	"cmp"
	"path"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/evidence/coverage"
	"github.com/sframe-lint/sframe-lint/internal/tool/shard"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/rules"
)

// schema is the version of the tables. A column may be added without a new one; no column is removed or changes its meaning.
const schema = "sframe-lint/parquet/1"

// unitRecord is a row of units.parquet.
type unitRecord struct {
	Unit    string  `parquet:"unit,zstd"`
	Package string  `parquet:"package,dict"`
	Bytes   int64   `parquet:"bytes"`
	SHA256  string  `parquet:"sha256"`
	Seconds float64 `parquet:"seconds"`
	CPU     float64 `parquet:"cpu_seconds"`
	Memory  int64   `parquet:"memory_bytes"`
	Failed  string  `parquet:"failed,dict"`
	Program string  `parquet:"program,dict"`
}

// input is what the rows of files have in common.
type input struct {
	Unit    string `parquet:"unit,dict"`
	Package string `parquet:"package,dict"`
	Path    string `parquet:"path,dict"`
	Member  string `parquet:"member,dict"`
}

// fileRecord is a row of files.parquet.
type fileRecord struct {
	input
	Status           string `parquet:"status,dict"`
	Detail           string `parquet:"detail,dict"`
	Version          int32  `parquet:"version"`
	ABI              string `parquet:"abi,dict"`
	BigEndian        bool   `parquet:"big_endian"`
	Linked           bool   `parquet:"linked"`
	BuildID          string `parquet:"build_id"`
	Producer         string `parquet:"producer,dict"`
	FDEs             int64  `parquet:"fdes"`
	FREs             int64  `parquet:"fres"`
	SFrame           int64  `parquet:"sframe_bytes"`
	EHFrame          int64  `parquet:"eh_frame_bytes"`
	Code             int64  `parquet:"code_bytes"`
	Functions        int64  `parquet:"functions"`
	CoveredFunctions int64  `parquet:"covered_functions"`
	FunctionBytes    int64  `parquet:"function_bytes"`
	CoveredBytes     int64  `parquet:"covered_bytes"`
}

// findingRecord is a row of findings.parquet.
type findingRecord struct {
	input
	Rule          string `parquet:"rule,dict"`
	Severity      string `parquet:"severity,dict"`
	Message       string `parquet:"message,zstd"`
	Section       string `parquet:"section,dict"`
	Function      string `parquet:"function,zstd"`
	SectionOffset int64  `parquet:"section_offset"`
	FileOffset    int64  `parquet:"file_offset"`
	Length        int64  `parquet:"length"`
	Quirk         string `parquet:"quirk,dict"`
	Source        string `parquet:"source,dict"`
	Line          int32  `parquet:"line"`
}

// gapRecord is a row of gaps.parquet: a function without SFrame data, or a part of one.
type gapRecord struct {
	input
	Function string `parquet:"function,zstd"`
	Section  string `parquet:"section,dict"`
	Start    int64  `parquet:"start"`
	Size     int64  `parquet:"size"`
	Bytes    int64  `parquet:"bytes"`
	Reason   string `parquet:"reason,dict"`
	Input    string `parquet:"input,dict"`
}

// producerRecord is a row of producers.parquet: a text of .comment, which compilers and linkers write.
type producerRecord struct {
	input
	Comment string `parquet:"comment,dict"`
}

// packageOf returns the name of a package without version and architecture, or the name of the file.
func packageOf(unit string) string {
	name := path.Base(unit)
	cut := func(name string, fields int) string {
		for range fields {
			if i := strings.LastIndexByte(name, '-'); i > 0 {
				name = name[:i]
			}
		}
		return name
	}
	switch {
	case strings.HasSuffix(name, ".deb"), strings.HasSuffix(name, ".udeb"):
		name, _, _ = strings.Cut(name, "_")
		return name
	case strings.HasSuffix(name, ".rpm"):
		return cut(name, 2)
	case strings.Contains(name, ".pkg.tar"):
		return cut(name, 3)
	case strings.HasSuffix(name, ".apk"):
		return cut(name, 2)
	}
	return name
}

func unitOf(r *shard.Result, program string) unitRecord {
	return unitRecord{r.Path, packageOf(r.Path), r.Bytes, r.SHA256, r.Seconds, r.CPU, r.Memory, r.Failed, program}
}

func fileOf(p input, o *lint.Object) fileRecord {
	in := &o.Input
	f := fileRecord{input: p, Status: string(in.Status), Detail: in.Detail, Version: int32(in.Version), ABI: in.ABI, BigEndian: in.BigEndian,
		FDEs: int64(in.FDEs), FREs: int64(in.FREs), SFrame: in.Bytes}
	if x := o.Facts; x != nil {
		f.Linked, f.BuildID, f.Producer, f.EHFrame, f.Code = x.Linked, x.BuildID, x.Producer, x.EHFrame, x.Code
	}
	if c, ok := o.Coverage.(*coverage.File); ok {
		f.Functions, f.CoveredFunctions = int64(c.Functions), int64(c.CoveredFunctions)
		f.FunctionBytes, f.CoveredBytes = int64(c.Bytes), int64(c.CoveredBytes)
	}
	return f
}

func findingOf(p input, x *rules.Finding) findingRecord {
	f := findingRecord{input: p, Rule: x.Rule.ID, Severity: x.Severity.String(), Message: x.Message, Section: x.Section, Function: x.Function,
		SectionOffset: -1, FileOffset: x.FileOffset, Length: x.Span.Len, Quirk: x.Quirk}
	if x.InSection {
		f.SectionOffset = x.Span.Off
	}
	if x.Source != nil {
		f.Source, f.Line = x.Source.Path, int32(x.Source.Line)
	}
	return f
}

func gapOf(p input, g *coverage.Gap) gapRecord {
	return gapRecord{p, g.Function, g.Section, int64(g.Start), int64(g.Size), int64(g.Bytes), string(g.Reason), g.Input}
}

// inPackage returns the path of a file in its unit, or the path if the unit is the file.
func inPackage(unit, name string) string {
	return cmp.Or(strings.TrimPrefix(strings.TrimPrefix(name, unit), "!"), name)
}
