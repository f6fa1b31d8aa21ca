package machinecode

import (
	"debug/elf"
	"encoding/hex"
	"strconv"
	"strings"
	"sync"
)

// Stub is the code of one entry of a PLT, and the distance from SP to the CFA
// at each of its instructions.
type Stub struct {
	Name  string
	Insns []StubInsn
	first bool // it stands once, at the start of .plt, and calls the resolver
	// The code, as far as it is the same in all stubs: the bits that are set in mask.
	value, mask []byte
}

// Size returns the bytes of the stub.
func (s *Stub) Size() uint64 { return uint64(len(s.mask)) }

// StubInsn is an instruction of a stub.
type StubInsn struct {
	At  uint64 // bytes from the start of the stub
	CFA int64  // CFA - SP before the instruction, bytes
}

// stubs returns the stubs that GNU ld, gold and lld write, by machine. Spaces
// separate instructions, and a dot stands for any digit. +8 means that the
// instruction before it has moved SP down by 8 bytes.
var stubs = sync.OnceValue(func() map[elf.Machine][]Stub {
	return map[elf.Machine][]Stub{
		elf.EM_X86_64: {
			// The entries have pushed the index of a relocation.
			newStub("the first stub", 16, "ff35........ +8 ff25........ 0f1f4000").once(),
			newStub("the first stub, with BND", 16, "ff35........ +8 f2ff25........ 0f1f00").once(),
			newStub("the stub of TLSDESC", 8, "f30f1efa ff35........ +8 ff25........"),
			newStub("a lazy stub", 8, "ff25........ 68........ +8 e9........"),
			newStub("a lazy stub with ENDBR64", 8, "f30f1efa 68........ +8 e9........ 6690"),
			newStub("a lazy stub with ENDBR64 and BND", 8, "f30f1efa 68........ +8 f2e9........ 90"),
			newStub("a lazy stub with BND", 8, "68........ +8 f2e9........ 0f1f440000"),
			newStub("a stub of 16 bytes with ENDBR64", 8, "f30f1efa ff25........ 660f1f440000"),
			newStub("a stub of 16 bytes with ENDBR64 and BND", 8, "f30f1efa f2ff25........ 0f1f440000"),
			newStub("a stub of 8 bytes", 8, "ff25........ 6690"),
			newStub("a stub of 8 bytes with BND", 8, "f2ff25........ 90"),
		},
		elf.EM_AARCH64: {
			newStub("the first stub", 0, "f07bbfa9 +16 .0.....0 11....f9 10....91 20021fd6 1f2003d5 1f2003d5 1f2003d5").once(),
			newStub("the first stub with BTI", 0, "5f2403d5 f07bbfa9 +16 .0.....0 11....f9 10....91 20021fd6 1f2003d5 1f2003d5").once(),
			newStub("a stub with BTI and PAC", 0, "5f2403d5 .0.....0 11....f9 10....91 9f2103d5 20021fd6"),
			newStub("a stub with BTI", 0, "5f2403d5 .0.....0 11....f9 10....91 20021fd6 1f2003d5"),
			newStub("a stub with PAC", 0, ".0.....0 11....f9 ........ 9f2103d5 20021fd6 1f2003d5"),
			newStub("a stub", 0, ".0.....0 11....f9 ........ 20021fd6"),
		},
		elf.EM_S390: {
			newStub("the first stub", 160, "e310f0380024 c010........ d207f0301008 e31010100004 07f1 0700 0700 0700").once(),
			newStub("a stub", 160, "c010........ e31010000004 07f1 0d10 e310100c0014 c0f4................"),
		},
	}
})

// newStub parses the code of a stub. cfa is CFA - SP at its start.
func newStub(name string, cfa int64, code string) Stub {
	s := Stub{Name: name}
	for _, word := range strings.Fields(code) {
		if n, err := strconv.ParseInt(word, 10, 64); err == nil && word[0] == '+' {
			cfa += n
			continue
		}
		s.Insns = append(s.Insns, StubInsn{uint64(len(s.mask)), cfa})
		value, err := hex.DecodeString(strings.ReplaceAll(word, ".", "0"))
		if err != nil {
			panic(err) // the table above is wrong
		}
		mask, _ := hex.DecodeString(strings.Map(func(digit rune) rune {
			if digit == '.' {
				return '0'
			}
			return 'f'
		}, word))
		s.value, s.mask = append(s.value, value...), append(s.mask, mask...)
	}
	return s
}

func (s Stub) once() Stub {
	s.first = true
	return s
}

// matches reports whether code begins with a stub.
func (s *Stub) matches(code []byte) bool {
	for i, mask := range s.mask {
		if i >= len(code) || code[i]&mask != s.value[i] {
			return false
		}
	}
	return true
}

// MaxStub is at least the number of bytes of a stub.
const MaxStub = 32

// StubAt returns the stub that code begins with, nil if there is none. first
// reports whether the code is the start of its section.
func StubAt(machine elf.Machine, code []byte, first bool) *Stub {
	all := stubs()[machine]
	for i := range all {
		if s := &all[i]; (first || !s.first) && s.matches(code) {
			return s
		}
	}
	return nil
}
