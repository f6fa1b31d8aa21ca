package unwind

import "github.com/sframe-lint/sframe-lint/model"

// Memory is the memory of the traced program.
type Memory interface {
	// ReadMemory fills b with the bytes at addr. It returns an error if it cannot read all of them.
	ReadMemory(addr uint64, b []byte) error
}

// Registers are the registers of a thread, or those that the kernel saved when a signal interrupted the thread.
type Registers interface {
	// PC returns the address of the next instruction.
	PC() uint64
	// Register returns the register with a DWARF number. It reports false if the value is unknown.
	Register(number uint32) (uint64, bool)
}

// Modules are the ELF files that the program has loaded.
type Modules interface {
	// Module returns the module whose code contains pc, an address in the program. It reports false if there is none.
	Module(pc uint64) (Module, bool)
}

// Module is an ELF file in the memory of a program.
type Module struct {
	Name string
	// Bias is an address in the program minus the same address in the file, modulo 2^64.
	Bias uint64
	// Sections are the SFrame sections of the file. Their addresses are those of the file.
	Sections []*model.Section
}

// Procedure is the SFrame data for a PC. There is an FRE only if there is an FDE.
type Procedure struct {
	Module         Module
	FDE            model.FDE
	FRE            model.FRE
	HasModule      bool
	HasFDE, HasFRE bool
	// Lookup is the address that was looked up: the PC, or the last byte of the call before it.
	Lookup uint64
	// Trampoline says that the code at Lookup belongs to a signal trampoline (see [Options.Trampoline]).
	Trampoline bool

	foreign bool // the module has sections of another ABI
}

// Start returns the address of the function's first byte in the program.
func (p *Procedure) Start() uint64 { return p.FDE.Start() + p.Module.Bias }

// Signal reports whether the procedure is a signal trampoline: its caller was interrupted and did not call anything.
// The FDE decides; without an FDE, the code does.
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

// Missing returns why there is no FRE, or nil if there is one.
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
