package build

import (
	"math"
	"slices"
)

// Why sections of a testable size do not have a value.
const (
	noCode = "the function would be in the section itself"
	misses = "no such field"
)

// fields lists all fields with their classes.
func cornerFields() []*cornerField {
	return []*cornerField{
		each("sfp_version", 1, 3),
		{Name: "sfp_flags", Classes: cornerPoints(0, 1, 2, 3, 4, 5, 6, 7)},
		each("sfh_abi_arch", 1, 4),
		ranges("sfh_cfa_fixed_fp_offset", -128, 127, -128, -127, -1, 0, 1, 126, 127),
		{Name: "sfh_cfa_fixed_ra_offset", Classes: cornerPoints(-8, 0)},
		ranges("sfh_auxhdr_len", 0, 255, 0, 1, 2, 127, 128, 254, 255),
		ranges("sfh_num_fdes", 0, 1<<20, 0, 1, 2, 254, 255, 256, 257, 65535, 65536),
		ranges("sfh_num_fres", 0, 1<<20, 0, 1, 2),
		steps("sfh_fre_len", 0, 1, 128, 256, 65536, 1<<20),
		steps("sfh_fdeoff", 0, 1, 2, 63, 64, 65),
		steps("sfh_freoff", 0, 1, 128, 256, 65536, 1<<20),
		ranges("start, 4 bytes", -1<<31, 1<<31-1, -1<<31, -1<<31+1, -1, 0, 1, 1<<31-2, 1<<31-1).except(noCode, -1, 0, 1),
		ranges("start, 8 bytes", math.MinInt64, math.MaxInt64, math.MinInt64, -1<<32, -1<<31-1, -1<<31, -1, 0, 1, 1<<31-1, 1<<31, 1<<32-1, 1<<32, math.MaxInt64).except(noCode, -1, 0, 1),
		ranges("function size", 0, 1<<32-1, limits(32)...),
		steps("start of FREs", 0, 1, 128, 256, 32768, 65536, 1<<20),
		ranges("number of FREs, 2 bytes", 0, 65535, 0, 1, 2, 255, 256, 65534, 65535),
		ranges("number of FREs, 4 bytes", 0, 1<<16-1, 0, 1, 2, 255, 256).and(1<<16, 1<<20),
		each("FRE type", 0, 2),
		each("PC type", 0, 1),
		each("pauth key", 0, 1),
		each("signal", 0, 1),
		each("FDE type", 0, 1),
		each("signal, MASK", 0, 1),
		each("FDE type, MASK", 0, 1),
		ranges("rep_size, MASK", 1, 255, 1, 2, 3, 4, 127, 128, 254, 255),
		ranges("rep_size, INC", 0, 255, 0, 1, 2, 3, 127, 128, 254, 255),
		ranges("sfde_func_padding2", 0, 65535, 0, 1, 65535),
		ranges("FRE start, 1 bytes", 0, 255, limits(8)...),
		ranges("FRE start, 2 bytes", 0, 65535, limits(16)...),
		ranges("FRE start, 4 bytes", 0, 1<<32-1, limits(32)...),
		each("mangled RA", 0, 1),
		each("base register", 0, 1),
		each("word size", 0, 2),
		each("words, default type", 0, 3),
		each("words, flexible type", 0, 6).except(misses, 1),
		each("control word", 0, 3),
		each("register", 0, 31),
		ranges("data word, 1 bytes", -128, 127, signedLimits(8)...),
		ranges("data word, 2 bytes", -32768, 32767, signedLimits(16)...),
		ranges("data word, 4 bytes", -1<<31, 1<<31-1, signedLimits(32)...),
	}
}

// limits are the limits of unsigned values of up to n bits, and their neighbours.
func limits(n int) []int64 {
	all := []int64{0, 1, 2}
	for _, bits := range []int{7, 8, 15, 16, 31, 32} {
		for d := int64(-2); d <= 1; d++ {
			if v := int64(1)<<bits + d; v < 1<<n && bits <= n {
				all = append(all, v)
			}
		}
	}
	return all
}

// signedLimits are the limits of signed values of up to n bits, and their neighbours.
func signedLimits(n int) []int64 {
	all := []int64{0, 1, -1}
	for _, bits := range []int{7, 15, 31} {
		for d := int64(-2); d <= 1; d++ {
			if v := int64(1)<<bits + d; v < 1<<(n-1) {
				all = append(all, v)
			}
			if v := -(int64(1)<<bits + d); v >= -1<<(n-1) {
				all = append(all, v)
			}
		}
	}
	slices.Sort(all)
	return all
}

// cornerPoints are classes of single values.
func cornerPoints(values ...int64) (all []cornerClass) {
	for _, v := range values {
		all = append(all, cornerClass{Lo: v, Hi: v})
	}
	return all
}

// each is a field with a class for each value.
func each(name string, lo, hi int64) *cornerField {
	f := &cornerField{Name: name}
	for v := lo; v <= hi; v++ {
		f.Classes = append(f.Classes, cornerClass{Lo: v, Hi: v})
	}
	return f
}

// ranges is a field with classes for single values, and for the ranges between them.
func ranges(name string, lo, hi int64, single ...int64) *cornerField {
	f := &cornerField{Name: name}
	at, last := lo, false
	for _, v := range single {
		if v > at {
			f.Classes = append(f.Classes, cornerClass{Lo: at, Hi: v - 1})
		}
		f.Classes = append(f.Classes, cornerClass{Lo: v, Hi: v})
		if last = v == hi; !last {
			at = v + 1
		}
	}
	if !last {
		f.Classes = append(f.Classes, cornerClass{Lo: at, Hi: hi})
	}
	return f
}

// steps is a field with ranges that begin at the values.
func steps(name string, from ...int64) *cornerField {
	f := &cornerField{Name: name}
	for i, lo := range from {
		hi := int64(1<<31 - 1)
		if i+1 < len(from) {
			hi = from[i+1] - 1
		}
		f.Classes = append(f.Classes, cornerClass{Lo: lo, Hi: hi})
	}
	return f
}

// and adds a class.
func (f *cornerField) and(lo, hi int64) *cornerField {
	f.Classes = append(f.Classes, cornerClass{Lo: lo, Hi: hi})
	return f
}

// except gives a reason why there are no sections with some values.
func (f *cornerField) except(why string, values ...int64) *cornerField {
	for k := range f.Classes {
		if c := &f.Classes[k]; c.Lo == c.Hi && slices.Contains(values, c.Lo) {
			c.Never = why
		}
	}
	return f
}
