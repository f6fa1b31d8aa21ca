package main

import (
	"fmt"
	"slices"
	"strings"
)

// bug is a fault that has been seen in the wild.
type bug struct {
	n     int // in the corpus's list; 0: that list does not have it
	fault string
	rules []string
	// files show it, besides those that the corpus marks with the number.
	files []string
	// reason says why no rule finds it in a file, or what else does.
	reason string
}

// producers are faults of what assemblers and linkers write.
var producers = []bug{
	{1, "The last FRE of a function starts at the end of the function and covers no PC.", []string{"SF3006"}, nil, ""},
	{2, "A function of size 0 has an FDE, mostly at the start of the next function, so two FDEs have the same start.", []string{"SF2009", "SF2012"}, nil, ""},
	{3, "A relocatable link keeps the relocations of its inputs at their old offsets, which are inside the FREs of the merged section.", []string{"SF5017", "SF5018"}, nil, ""},
	{4, "A relocatable link sets SORTED although the starts of the FDEs are not known yet.", []string{"SF2011"}, nil, ""},
	{5, "Relocations of discarded section groups remain as R_*_NONE.", []string{"SF5019"}, nil, ""},
	{6, "The relocations are not in the order of the FDEs. GNU ld pairs them by their number.", []string{"SF5021"}, nil, ""},
	{7, "The PCREL flag contradicts the start fields.", []string{"SF2015", "SF6006"}, nil, "In a raw section only overlapping functions can show it."},
	{8, "The inputs have SFrame data, but the output has none.", []string{"SF5001"}, nil, "The output alone does not show that its inputs had some, so SF5001 must be selected."},
	{9, "PT_GNU_SFRAME is larger than the section.", []string{"SF5010"}, nil, ""},
	{10, "The section is not shrunk after a merge: zero bytes, or old data, after the FREs.", []string{"SF1017", "SF1018"}, nil, ""},
	{11, "The section has the type SHT_PROGBITS.", []string{"SF5003"}, nil, ""},
	{12, "A section of size 0 as a placeholder.", []string{"SF5002"}, nil, ""},
	{13, "A linker that does not support the format concatenates the sections with their headers.", []string{"SF1019"}, nil, ""},
	{14, "The same, in a linker that merges version 2 but not version 3.", []string{"SF1019"}, nil, ""},
	{15, "FDEs of discarded sections remain and point to places without code.", []string{"SF2014"}, nil, ""},
	{16, "A linker copies the ABI and the fixed offsets from its first input.", []string{"SF5007", "SF1007", "SF1008"}, []string{"files/hand/v3-aarch64-fixed-ra-offset.sframe"}, ""},
	{17, "FDEs refer to functions in section groups that a link may discard.", []string{"SF5032"}, nil, ""},
	{18, "Inputs of several versions stop a link, and the linker does not name them.", nil, nil, "Each input alone is correct. A census of the inputs shows their versions."},
	{19, "Only the PLT is covered.", []string{"SF6004"}, nil, ""},
	{20, "A PLT has no FDE.", []string{"SF6005"}, nil, ""},
	{21, "Version 1 has no size of repeated stubs, and its FDEs are not aligned.", []string{"SF1004"}, nil, ""},
	{22, "Code is so far from the section that 32 bits do not hold the distance.", []string{"SF2101"}, nil, ""},
	{23, "A function has more FREs than version 3 can count and is left out.", []string{"SF2102", "SF6003", "SF6014"}, []string{"files/hand/v3-amd64-num-fres-hostile.sframe"}, "A comparison with .eh_frame or the symbols shows the functions that are left out."},
	{24, "An assembler cannot describe that FP is saved and RA is not, and leaves the function out.", nil, nil, "Only the messages of the assembler show it: a function is missing, as in 26. Assemblers write padding in the place of RA now."},
	{25, "RA is undefined in the CFI but not in the FRE, so a tracer continues past the outermost frame.", []string{"SF6011", "SF6016"}, nil, "Only .eh_frame shows it: any other function could have such an FRE."},
	{26, "The format cannot express the CFI of a function, so the assembler leaves the function out.", []string{"SF6014"}, nil, "A comparison with .eh_frame shows the functions that are left out, and why."},
	{27, "Reserved bits and padding contain uninitialized memory.", []string{"SF2002", "SF2003", "SF2005", "SF3016"}, nil, ""},
	{28, "FREs that mean the same as the previous one.", []string{"SF7003"}, nil, ""},
	{29, "An assembler leaves out every function on AArch64.", []string{"SF1022"}, nil, ""},
	{30, "Functions are in sections that are not executable, as some of the Linux kernel are.", []string{"SF2014"}, nil, ""},
}

// triggers are data that consumers have failed on.
var triggers = []bug{
	{0, "objdump and readelf crash on counts, offsets and lengths that exceed the section.", []string{"SF1011", "SF1012", "SF1013", "SF3002", "SF3003"},
		[]string{"files/hand/v3-amd64-auxhdr-beyond-end.sframe", "files/hand/v3-amd64-num-fdes-hostile.sframe", "files/hand/v3-amd64-freoff-beyond-end.sframe",
			"files/hand/v3-amd64-fres-beyond-end.sframe", "files/hand/v3-amd64-fre-offset-beyond-end.sframe"}, ""},
	{0, "A MASK FDE with rep_size 0 makes libsframe, glibc and an early reader of the Linux kernel divide by zero.", []string{"SF2007"},
		[]string{"files/hand/v2-amd64-mask-rep-size-0.sframe", "files/hand/v3-amd64-mask-rep-size-0.sframe"}, ""},
	{0, "mold accepts FRE types up to 15 and reads beyond its input.", []string{"SF2001"}, []string{"files/hand/v3-amd64-fre-type-3.sframe"}, ""},
	{0, "Versions of libsframe that support version 3 read the starts of version 2 as if PCREL were set.", nil, []string{"files/hand/v2-amd64-section-relative.elf"},
		"The data is correct; the fault is in the consumer."},
	{0, "The reader of version 2 in glibc ignores the offsets of the sub-sections.", []string{"SF1015", "SF1016"},
		[]string{"files/hand/v3-amd64-fdeoff-16.sframe", "files/hand/v3-amd64-subsections-stray.sframe"}, ""},
	{0, "Some readers ignore an auxiliary header, and the Linux kernel rejects it.", []string{"SF1010"}, []string{"files/hand/v3-amd64-auxhdr.sframe"}, ""},
	{0, "The Linux kernel takes no step from an FRE whose CFA is in memory at FP, as in functions that realign the stack.", nil, []string{"files/hand/v3-amd64.sframe", "files/mold-3/flexible.elf"}, "The data is correct; the fault is in the consumer."},
	{0, "A profiler reads the bits of the info byte in the wrong places.", nil, nil, "The data is correct; the fault is in the consumer."},
	{0, "objdump does not reject an unknown version.", []string{"SF1003"}, []string{"files/hand/v3-amd64-bad-version.sframe", "files/hand/v3-amd64-version-0.sframe"}, ""},
}

// mostFiles is how many files a bug names.
const mostFiles = 3

// bugsPage lists the known bugs.
func bugsPage(found []*linted) string {
	var seen, failed strings.Builder
	for _, x := range producers {
		fmt.Fprintf(&seen, "| %d | %s | %s | %s |\n", x.n, x.fault, x.remedy(), x.showing(found))
	}
	for _, x := range triggers {
		fmt.Fprintf(&failed, "| %s | %s | %s |\n", x.fault, x.remedy(), x.showing(found))
	}
	return render("known-bugs", map[string]any{"Producers": &seen, "Triggers": &failed})
}

// remedy names the rules, and says what they leave open.
func (x *bug) remedy() string {
	switch {
	case len(x.rules) == 0:
		return x.reason
	case x.reason == "":
		return ruleLinks(x.rules)
	}
	return ruleLinks(x.rules) + ". " + x.reason
}

// shows reports whether a file has the bug, by the corpus or by the table.
func (x *bug) shows(f *linted) bool {
	return x.n != 0 && slices.Contains(f.KnownBug, x.n) || slices.Contains(x.files, f.File)
}

// hits reports whether one of the bug's rules fires on a file.
func (x *bug) hits(f *linted) bool {
	return slices.ContainsFunc(x.rules, func(id string) bool { return f.fires[id] > 0 })
}

// showing names the smallest files that have the bug: with rules for it,
// those that one of them fires on.
func (x *bug) showing(found []*linted) string {
	var fit []*linted
	for _, f := range found {
		if x.shows(f) && (x.hits(f) || len(x.rules) == 0) {
			fit = append(fit, f)
		}
	}
	slices.SortStableFunc(fit, func(a, b *linted) int { return int(a.size - b.size) })
	var names []string
	for _, f := range fit[:min(len(fit), mostFiles)] {
		names = append(names, fmt.Sprintf("[%s](../%s)", strings.TrimPrefix(f.File, "files/"), f.path()))
	}
	if more := len(fit) - mostFiles; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}
