package build

import (
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/evidence/clauses"
	"github.com/sframe-lint/sframe-lint/model"
)

// fieldClauses are the clauses of the fields of the table of corners, for all versions that
// have them.
var fieldClauses = map[string]string{
	"sfp_version": "PRE-06", "sfp_flags": "PRE-07 FLG-01", "sfh_abi_arch": "HDR-08 ABI-02", "sfh_cfa_fixed_fp_offset": "HDR-09",
	"sfh_cfa_fixed_ra_offset": "HDR-10", "sfh_auxhdr_len": "HDR-12", "sfh_num_fdes": "HDR-13", "sfh_num_fres": "HDR-14",
	"sfh_fre_len": "HDR-15", "sfh_fdeoff": "HDR-16 HDR-18", "sfh_freoff": "HDR-17 HDR-18",
	"start, 4 bytes": "FDE-07 FDE-08", "start, 8 bytes": "IDX-06", "function size": "FDE-09 IDX-07", "start of FREs": "FDE-10 IDX-08",
	"number of FREs, 2 bytes": "ATT-04", "number of FREs, 4 bytes": "FDE-11", "FRE type": "INF-06 INF-13 FRT-01",
	"PC type": "INF-05 INF-12", "pauth key": "INF-03 INF-10", "signal": "INF-01", "FDE type": "INF-08 FTY-01",
	"rep_size, MASK": "FDE-13 ATT-06", "rep_size, INC": "FDE-13 ATT-06", "sfde_func_padding2": "FDE-14",
	"FRE start, 1 bytes": "FRE-10 FRT-01", "FRE start, 2 bytes": "FRE-10 FRT-01", "FRE start, 4 bytes": "FRE-10 FRT-01",
	"mangled RA": "FRI-01", "base register": "FRI-07", "word size": "FRI-02", "words, default type": "FRI-04 FRI-05",
	"words, flexible type": "FLX-03 FLX-05", "control word": "FLX-07 FLX-08", "register": "FLX-10",
	"data word, 1 bytes": "FRE-03 FRI-02", "data word, 2 bytes": "FRE-03 FRI-02", "data word, 4 bytes": "FRE-03 FRI-02",
}

// covers reports whether a scope has a version.
func covers(s clauses.Scope, v model.Version) bool {
	return strings.Contains(strings.NewReplacer(" (errata 1)", "", " (errata 2)", "").Replace(string(s)), string(rune('0'+v)))
}

// named returns the IDs of the clauses with the given ends, such as "HDR-05", of a version.
func named(v model.Version, ends ...string) (ids []string) {
	for _, c := range clauses.List() {
		for _, end := range ends {
			if strings.HasSuffix(c.ID, "-"+end) && covers(c.Scope, v) && !slices.Contains(ids, c.ID) {
				ids = append(ids, c.ID)
			}
		}
	}
	return ids
}

// ofRules returns the clauses that rules rest on, of a version if it is known.
func ofRules(v model.Version, ids []string) (out []string) {
	for _, id := range ids {
		for _, c := range clauses.Of(id) {
			if (!v.Known() || covers(c.Scope, v)) && !slices.Contains(out, c.ID) {
				out = append(out, c.ID)
			}
		}
	}
	return out
}

// ofContent returns the clauses that one needs to decode a section.
func ofContent(s *model.Section) []string {
	h, abi := s.Header(), s.ABI()
	ends := []string{"HDR-05", "FDE-04", "FDE-05", "IDX-04", "ATT-03", "FRE-07"}
	add := func(on bool, more ...string) {
		if on && !slices.Contains(ends, more[0]) {
			ends = append(ends, more...)
		}
	}
	add(s.Version() > 1 && h.Flags&model.SFRAME_F_FDE_FUNC_START_PCREL != 0, "FLG-04", "FDE-08")
	add(s.Version() > 1 && h.Flags&model.SFRAME_F_FDE_FUNC_START_PCREL == 0, "FLG-05")
	add(h.AuxLen > 0, "HDR-22", "HDR-23")
	standard := []string{"A64-01", "A64-03", "A64-04"}
	switch {
	case !abi.TracksRA():
		standard = []string{"AMD-01", "AMD-02", "AMD-03"}
	case abi.RAPadding:
		standard = []string{"S39-03", "S39-04", "S39-05", "S39-07"}
	}
	for f := range s.FDEs() {
		flexible := f.Flex()
		add(f.Mask(), "PCT-03", "PCT-07")
		add(f.Signal(), "INF-01")
		add(f.NumFREs() > 0 && !flexible, append([]string{"FRE-05"}, standard...)...)
		add(flexible, "FTY-03", "FLX-03", "FLX-15")
		for r := range f.FREs() {
			add(r.NumWords() == 0, "FRI-06")
			add(r.MangledRA(), "FRI-01")
		}
	}
	return named(s.Version(), ends...)
}
