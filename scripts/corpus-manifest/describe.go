package main

import (
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"os"
	"path/filepath"

	"github.com/sframe-lint/sframe-lint/model"
)

// describe adds what the bytes of a file contain. A record may have stated the ABI and
// the version already: files that lie about themselves have to.
func describe(dir string, e *entry) error {
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(e.File)))
	if err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	e.SHA256 = hex.EncodeToString(sum[:])
	switch {
	case bytes.HasPrefix(data, []byte("!<arch>\n")):
		e.Kind = "archive"
	case bytes.HasPrefix(data, []byte("!<thin>\n")):
		e.Kind = "thin-archive"
	case bytes.HasPrefix(data, []byte(elf.ELFMAG)):
		return describeELF(data, e)
	default:
		e.Kind = "raw"
		describeSection(data, e)
	}
	return nil
}

func describeELF(data []byte, e *entry) error {
	f, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		return describeDamaged(data, e, err)
	}
	switch f.Type {
	case elf.ET_REL:
		e.Kind = "object"
	case elf.ET_EXEC:
		e.Kind = "exec"
	case elf.ET_DYN:
		// A position-independent program is ET_DYN like a shared object; only it names a loader.
		e.Kind = "shared"
		if f.Section(".interp") != nil {
			e.Kind = "exec"
		}
	}
	if sec := f.Section(".sframe"); sec != nil && sec.Type != elf.SHT_NOBITS {
		// A section that cannot be read is some file's fault on purpose.
		if section, err := sec.Data(); err == nil {
			describeSection(section, e)
		}
	}
	e.ByteOrder = "little"
	if f.Data == elf.ELFDATA2MSB {
		e.ByteOrder = "big"
	}
	if e.ABI == "" {
		e.ABI = machine(f)
	}
	return nil
}

// describeDamaged goes by the first bytes of an ELF file that cannot be followed; its
// record has to say that it is meant to be so.
func describeDamaged(data []byte, e *entry, why error) error {
	if e.Healthy || e.ABI == "" || len(data) < elf.EI_NIDENT+2 {
		return why
	}
	if e.Kind, e.ByteOrder = "exec", "little"; data[elf.EI_NIDENT] == byte(elf.ET_REL) {
		e.Kind = "object"
	}
	return nil
}

func machine(f *elf.File) string {
	if abi := model.LookupMachine(f.Machine, f.Data == elf.ELFDATA2MSB); abi.Known() && f.Class == elf.ELFCLASS64 {
		return abi.Short()
	}
	return "none"
}

// describeSection reads the preamble and the ABI byte, no more.
func describeSection(section []byte, e *entry) {
	if len(section) < 5 {
		return
	}
	switch {
	case section[0] == 0xe2 && section[1] == 0xde:
		e.ByteOrder = "little"
	case section[0] == 0xde && section[1] == 0xe2:
		e.ByteOrder = "big"
	}
	if e.SFrameVersion == 0 {
		e.SFrameVersion = int(section[2])
	}
	if abi := model.LookupABI(model.ABI(section[4])); e.ABI == "" && abi.Known() {
		e.ABI = abi.Short()
	}
}
