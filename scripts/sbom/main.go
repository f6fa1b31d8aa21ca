// Command sbom writes the software bill of materials of a Go program: the modules and the
// standard library that were linked into it, as the program itself states them. The same
// program gives the same bytes.
//
//	sbom PROGRAM VERSION FILE
package main

import (
	"cmp"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"log"
	"os"
	"path"
	"slices"
	"strings"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("sbom: ")
	if len(os.Args) != 4 {
		log.Fatal("usage: sbom PROGRAM VERSION FILE")
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		log.Fatal(err)
	}
}

func run(program, version, file string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	err = cdx.NewBOMEncoder(out, cdx.BOMFileFormatJSON).SetPretty(true).SetEscapeHTML(false).EncodeVersion(bill(info, version), cdx.SpecVersion1_6)
	return cmp.Or(err, out.Close())
}

// settings are those of a build that the bill repeats.
var settings = []string{"-buildmode", "-trimpath", "CGO_ENABLED", "GOARCH", "GOOS", "GOAMD64", "GOARM64", "vcs.revision"}

// bill returns the bill of materials of a program.
func bill(info *buildinfo.BuildInfo, version string) *cdx.BOM {
	self := component(info.Main.Path, version, "")
	self.Type, self.Name = cdx.ComponentTypeApplication, path.Base(info.Path)
	self.BOMRef += "#" + self.Name
	self.Licenses = &cdx.Licenses{{License: &cdx.License{ID: "Apache-2.0"}}}
	var properties []cdx.Property
	for _, s := range info.Settings {
		if slices.Contains(settings, s.Key) {
			properties = append(properties, cdx.Property{Name: "go:" + s.Key, Value: s.Value})
		}
	}
	self.Properties = &properties

	all := []cdx.Component{component("std", strings.TrimPrefix(info.GoVersion, "go"), "")}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		all = append(all, component(m.Path, m.Version, m.Sum))
	}
	var refs []string
	for _, c := range all {
		refs = append(refs, c.BOMRef)
	}
	b := cdx.NewBOM()
	b.Metadata = &cdx.Metadata{Component: &self}
	b.Components = &all
	b.Dependencies = &[]cdx.Dependency{{Ref: self.BOMRef, Dependencies: &refs}}
	return b
}

// component returns a module of a version. Its sum is that of go.sum, or "".
func component(module, version, sum string) cdx.Component {
	url := fmt.Sprintf("pkg:golang/%s@%s", module, strings.ReplaceAll(version, "+", "%2B"))
	c := cdx.Component{BOMRef: url, Type: cdx.ComponentTypeLibrary, Name: module, Version: version, PackageURL: url}
	if hash, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(sum, "h1:")); err == nil && len(hash) > 0 {
		// Of the list of the module's files and their hashes.
		c.Properties = &[]cdx.Property{{Name: "go:h1", Value: hex.EncodeToString(hash)}}
	}
	return c
}
