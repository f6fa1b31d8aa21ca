package fuzz

import (
	"encoding/binary"
	"fmt"
	"strings"
	"sync"

	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/model"
)

// Token is a sequence of bytes with a meaning in a section.
type Token struct {
	Name  string // letters, digits and underscores
	Bytes []byte
}

// Tokens returns sequences of bytes that a fuzzer would hardly find without help: preambles, starts of headers, info
// bytes, and numbers at the ends of their ranges. Callers must not change them.
var Tokens = sync.OnceValue(func() (all []Token) {
	add := func(name string, b ...byte) { all = append(all, Token{name, b}) }
	for _, abi := range model.ABIs() {
		order := number.Order(abi.Big)
		for _, v := range model.Versions(nil) {
			if !abi.InVersion(v) {
				continue
			}
			b := append(order.AppendUint16(nil, model.SFRAME_MAGIC), byte(v), byte(model.DefinedFlags(v)),
				byte(abi.ID), byte(abi.FixedFP), byte(abi.FixedRA), 0)
			add(fmt.Sprintf("header_v%d_%s", v, word(abi)), b...)
		}
	}
	add("magic_little", 0xe2, 0xde)
	add("magic_big", 0xde, 0xe2)
	for _, v := range []byte{1, 2, 3, 4} {
		add(fmt.Sprintf("preamble_v%d", v), 0xe2, 0xde, v, 1)
	}
	tokensOfInfo(add)
	for _, n := range []uint32{0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff} {
		name := fmt.Sprintf("number_%x_", n)
		add(name+"little", binary.LittleEndian.AppendUint32(nil, n)...)
		add(name+"big", binary.BigEndian.AppendUint32(nil, n)...)
	}
	return all
})

// word names an ABI; AArch64 comes in both byte orders.
func word(abi model.ABIInfo) string {
	name := strings.ToLower(abi.Name)
	if abi.Big && model.LookupMachine(abi.Machine, false).Known() {
		name += "_big"
	}
	return name
}

// tokensOfInfo adds info bytes of FDEs and FREs with the words after them.
func tokensOfInfo(add func(string, ...byte)) {
	for t := range byte(3) {
		add(fmt.Sprintf("fde_mask_addr%d", 1<<t), model.InfoPCTypeBit|t)
		add(fmt.Sprintf("attr_signal_addr%d", 1<<t), 1, 0, model.InfoSignalBit|t, 0, 0)
		add(fmt.Sprintf("attr_flexible_addr%d", 1<<t), 1, 0, t, byte(model.SFRAME_FDE_TYPE_FLEX), 0)
	}
	for words := range byte(4) {
		for size := range byte(4) {
			info := words<<model.FREInfoCountShift | size<<model.FREInfoSizeShift | model.FREInfoBaseBit
			add(fmt.Sprintf("row_of_%d_words_size_%d", words, size), 0, info)
		}
	}
	add("row_of_15_words", 0, 15<<model.FREInfoCountShift)
	add("row_signed", 0, model.FREInfoMangledBit|1<<model.FREInfoCountShift)
	add("control_register_memory", 6<<model.FlexRegShift|model.FlexRegP|model.FlexDerefP, 0xf0)
	add("control_register", 7<<model.FlexRegShift|model.FlexRegP, 8)
	add("control_cfa_memory", model.FlexDerefP, 0xf8)
}
