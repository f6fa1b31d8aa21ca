package testkit

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
)

// Shape is the name of a kind of large section.
type Shape string

// The shapes. All except Wide and OneRow are variants of Plain with the same numbers of FDEs and FREs.
const (
	Plain     Shape = "plain"     // four FREs per function, a few hundred different FREs
	Different Shape = "different" // frames of many sizes, so many different FREs
	Wide      Shape = "wide"      // data words of 2 bytes where 1 byte is enough: one note
	Unsorted  Shape = "unsorted"  // FDEs in random order, SFRAME_F_FDE_SORTED clear
	Unmarked  Shape = "unmarked"  // FDEs in random order, SFRAME_F_FDE_SORTED set
	FDEFault  Shape = "fde-fault" // a finding of SF2008 in every FDE
	FREFault  Shape = "fre-fault" // a finding of SF3102 in one FRE of every function
	OneRow    Shape = "one-row"   // one FRE per function
)

// Shapes returns all shapes.
func Shapes() []Shape {
	return []Shape{Plain, Different, Wide, Unsorted, Unmarked, FDEFault, FREFault, OneRow}
}

// funcSize is the distance of functions and their size, in bytes.
const funcSize = 64

// ShapeSection returns a section with n functions, to be read at address 0. The functions start at [Base].
func ShapeSection(shape Shape, n int) []byte {
	random := rand.New(rand.NewPCG(1, 2))
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	flags := model.SFRAME_F_FDE_SORTED | model.SFRAME_F_FDE_FUNC_START_PCREL
	if shape == Unsorted || shape == Unmarked {
		random.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
		if shape == Unsorted {
			flags = model.SFRAME_F_FDE_FUNC_START_PCREL
		}
	}
	var fres []byte
	offsets := make([]uint32, n)
	numFREs := 0
	for i := range n {
		offsets[i] = uint32(len(fres))
		rows := functionRows(shape, random)
		numFREs += len(rows)
		fres = binary.LittleEndian.AppendUint16(fres, uint16(len(rows)))
		rep := byte(0)
		if shape == FDEFault {
			rep = 16
		}
		fres = append(fres, 0, 0, rep)
		for _, r := range rows {
			fres = append(fres, r...)
		}
	}
	le := binary.LittleEndian
	out := le.AppendUint16(nil, model.SFRAME_MAGIC)
	fixedRA := int8(-8)
	out = append(out, byte(model.SFRAME_VERSION_3), byte(flags), byte(model.SFRAME_ABI_AMD64_ENDIAN_LITTLE), 0, byte(fixedRA), 0)
	for _, v := range []int{n, numFREs, len(fres), 0, n * model.FDESize(model.SFRAME_VERSION_3)} {
		out = le.AppendUint32(out, uint32(v))
	}
	for _, f := range order {
		start := Base + uint64(f)*funcSize - uint64(len(out))
		out = le.AppendUint64(out, start)
		out = le.AppendUint32(out, funcSize)
		out = le.AppendUint32(out, offsets[f])
	}
	return append(out, fres...)
}

// Base is the address of the first function.
const Base = 1 << 30

// functionRows returns the FREs of a function.
func functionRows(shape Shape, random *rand.Rand) [][]byte {
	frame := 32 + 16*random.IntN(6)
	if shape == Different {
		frame = 32 + 16*random.IntN(1<<20)
	}
	if shape == FREFault {
		frame++
	}
	rows := [][]byte{
		shapeRow(shape, 0, true, 8),
		shapeRow(shape, 1, true, 16, -16),
		shapeRow(shape, 5, true, frame, -16),
		shapeRow(shape, funcSize-1, true, 8),
	}
	switch {
	case shape == OneRow:
		return rows[:1]
	case random.IntN(2) == 0:
		rows[2] = shapeRow(shape, 4, false, 16, -16)
	}
	return rows
}

// row encodes an FRE whose CFA counts from SP or FP.
func shapeRow(shape Shape, start byte, sp bool, words ...int) []byte {
	code := 0 // of the size of the words
	switch widest := slices.Max(words); {
	case widest > 1<<15-1:
		code = 2
	case widest > 1<<7-1, shape == Wide:
		code = 1
	}
	info := byte(code<<model.FREInfoSizeShift | len(words)<<model.FREInfoCountShift)
	if sp {
		info |= model.FREInfoBaseBit
	}
	out := []byte{start, info}
	for _, w := range words {
		for k := range 1 << code {
			out = append(out, byte(w>>(8*k)))
		}
	}
	return out
}
