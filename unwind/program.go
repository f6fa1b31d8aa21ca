package unwind

import "github.com/sframe-lint/sframe-lint/model"

// Memory is the memory of the traced program.
type Memory interface {
	// ReadMemory fills b with the bytes at addr. It is an error if one of
	// them cannot be read.
	ReadMemory(addr uint64, b []byte) error
}

// Registers are the registers of a thread, or those that the kernel saved when
// it interrupted one for a signal.
type Registers interface {
	// PC returns the address of the next instruction.
	PC() uint64
	// Register returns the register with a DWARF number. It reports false for
	// one that is not known.
	Register(number uint32) (uint64, bool)
}

// Modules are the ELF files that the program has loaded.
type Modules interface {
	// Module returns the one whose code contains pc, an address of the
	// program. It reports false if there is none.
	Module(pc uint64) (Module, bool)
}

// Module is an ELF file in the memory of a program.
type Module struct {
	Name string
	// Bias is the difference, modulo 2^64, between addresses of the program
	// and those of the file.
	Bias uint64
	// Sections are the SFrame sections of the file, with its addresses.
	Sections []*model.Section
}

// Procedure is the SFrame data for a PC. Its fields are found one after the
// other: without an FDE there is no FRE.
type Procedure struct {
	Module         Module
	FDE            model.FDE
	FRE            model.FRE
	HasModule      bool
	HasFDE, HasFRE bool
	// Lookup is the address that was looked up: the PC, or the last byte of the
	// call before it.
	Lookup uint64
	// Trampoline says that the code at Lookup is a signal trampoline's (see
	// [Options.Trampoline]).
	Trampoline bool

	foreign bool // the module has sections of another ABI
}

// Start returns the address of the function's first byte in the program.
func (p *Procedure) Start() uint64 { return p.FDE.Start() + p.Module.Bias }

// Signal reports whether the procedure is a signal trampoline: its caller was
// interrupted and did not call anything. Where there is an FDE, that decides, else the code.
func (p Procedure) Signal() bool {
	if p.HasFDE {
		return p.FDE.Signal()
	}
	return p.Trampoline
}

// Rules returns the rules of the FRE. HasFRE must be set.
func (p *Procedure) Rules() Rules {
	return Rules{Row: p.FRE.Row(), Mangled: p.FRE.MangledRA(), Key: p.FDE.PauthKey(), Signal: p.Signal()}
}

// Missing returns why there is no FRE, nil if there is one.
func (p *Procedure) Missing() *Stop { return p.missing() }

// Find returns the SFrame data for an address of code.
func Find(mods Modules, abi model.ABIInfo, pc uint64) Procedure { return find(mods, &abi, pc) }

// find looks up an address of code.
func find(mods Modules, abi *model.ABIInfo, pc uint64) Procedure {
	p := Procedure{Lookup: pc}
	if p.Module, p.HasModule = mods.Module(pc); !p.HasModule {
		return p
	}
	code := pc - p.Module.Bias
	for _, s := range p.Module.Sections {
		if s.Header().ABI != abi.ID {
			p.foreign = true
			continue
		}
		if f, ok := s.Find(code); ok {
			p.FDE, p.HasFDE = f, true
			p.FRE, p.HasFRE = f.At(code - f.Start())
			return p
		}
	}
	return p
}
