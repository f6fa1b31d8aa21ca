package model_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// fn is a function of a crafted section; rows are its FREs as bytes.
type fn struct {
	start            int64
	size             uint32
	info, info2, rep uint8
	rows             [][]byte
}

// craft is a crafted section, laid out as producers do it.
type craft struct {
	v       model.Version
	abi     model.ABI
	flags   model.Flags
	fixedFP int8
	fixedRA int8
	aux     []byte
	fns     []fn
	tail    []byte
}

// appender writes numbers in either byte order.
type appender interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

func (c craft) order() appender {
	if model.LookupABI(c.abi).Big {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

func (c craft) bytes() []byte {
	o := c.order()
	var fdes, fres []byte
	total := 0
	for _, f := range c.fns {
		at, n := uint32(len(fres)), len(f.rows)
		total += n
		if c.v == model.SFRAME_VERSION_3 {
			fdes = o.AppendUint32(o.AppendUint32(o.AppendUint64(fdes, uint64(f.start)), f.size), at)
			fres = append(o.AppendUint16(fres, uint16(n)), f.info, f.info2, f.rep)
		} else {
			fdes = o.AppendUint32(o.AppendUint32(fdes, uint32(f.start)), f.size)
			fdes = append(o.AppendUint32(o.AppendUint32(fdes, at), uint32(n)), f.info)
			if c.v == model.SFRAME_VERSION_2 {
				fdes = append(fdes, f.rep, 0, 0)
			}
		}
		for _, r := range f.rows {
			fres = append(fres, r...)
		}
	}
	b := o.AppendUint16(nil, model.SFRAME_MAGIC)
	b = append(b, uint8(c.v), uint8(c.flags), uint8(c.abi), uint8(c.fixedFP), uint8(c.fixedRA), uint8(len(c.aux)))
	for _, n := range []int{len(c.fns), total, len(fres), 0, len(fdes)} {
		b = o.AppendUint32(b, uint32(n))
	}
	b = append(append(b, c.aux...), fdes...)
	return append(append(b, fres...), c.tail...)
}

// section decodes the crafted section at address 0.
func (c craft) section(t testing.TB) *model.Section {
	t.Helper()
	s, faults := reader.DecodeSection(c.bytes(), reader.SectionOptions{})
	require.Empty(t, faults)
	return s
}

// fre is a row with words of one byte.
func fre(start, base uint8, words ...int8) []byte {
	b := []byte{start, base | uint8(len(words))<<model.FREInfoCountShift}
	for _, w := range words {
		b = append(b, uint8(w))
	}
	return b
}

const (
	v1 = model.SFRAME_VERSION_1
	v2 = model.SFRAME_VERSION_2
	v3 = model.SFRAME_VERSION_3

	aarch64be = model.SFRAME_ABI_AARCH64_ENDIAN_BIG
	aarch64   = model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE
	amd64     = model.SFRAME_ABI_AMD64_ENDIAN_LITTLE
	s390x     = model.SFRAME_ABI_S390X_ENDIAN_BIG

	fp = uint8(model.SFRAME_BASE_REG_FP)
	sp = uint8(model.SFRAME_BASE_REG_SP)
)
