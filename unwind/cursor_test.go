package unwind_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/unwind"
)

// program is a program with one module and a stack of words by address.
type program struct {
	pc      uint64
	regs    map[uint32]uint64
	words   map[uint64]uint64
	big     bool
	modules []unwind.Module
}

func (p *program) PC() uint64 { return p.pc }

func (p *program) Register(n uint32) (uint64, bool) {
	v, ok := p.regs[n]
	return v, ok
}

func (p *program) ReadMemory(at uint64, b []byte) error {
	v, ok := p.words[at]
	if !ok {
		return errors.New("no memory")
	}
	for i := range b {
		shift := 8 * i
		if p.big {
			shift = 8 * (len(b) - 1 - i)
		}
		b[i] = byte(v >> shift)
	}
	return nil
}

func (p *program) Module(pc uint64) (unwind.Module, bool) {
	if len(p.modules) == 0 || pc < 0x1000 {
		return unwind.Module{}, false
	}
	return p.modules[0], true
}

// Functions of the tests, each of 0x100 bytes.
const (
	leaf, caller, start, tramp, bare, other = 0x1000, 0x1100, 0x1200, 0x1300, 0x1400, 0x1500
)

func fromCFA(off int64) model.Recovery {
	return model.Recovery{Kind: model.FromCFA, Deref: true, Offset: off}
}

func reg(n uint32, off int64) model.Recovery {
	return model.Recovery{Kind: model.InRegister, Reg: n, Offset: off}
}

// section returns a V3 section: a leaf, a caller with a frame record, an
// outermost function, a signal trampoline, another without FREs, and a function
// that has its CFA in a register.
func section(t *testing.T, abi model.ABIInfo, key model.PauthKey) *model.Section {
	t.Helper()
	unchanged := model.Recovery{Kind: model.Unchanged}
	undefined := model.Recovery{Kind: model.Undefined}
	ra, none := fromCFA(-8), unchanged
	if !abi.TracksRA() {
		none = ra
	}
	row := func(cfa, ra, fp model.Recovery) []generator.Row {
		return []generator.Row{{Rules: model.Row{CFA: cfa, RA: ra, FP: fp}}}
	}
	sp := reg(abi.SP, abi.EntryCFA)
	p := &generator.Plan{
		Version: 3, ABI: abi.ID, BigEndian: abi.Big, Addr: 0x4000, FixedRA: abi.FixedRA,
		Flags: model.SFRAME_F_FDE_SORTED | model.SFRAME_F_FDE_FUNC_START_PCREL,
		Funcs: []generator.Func{
			{Start: leaf, Rows: row(sp, none, unchanged)},
			{Start: caller, PauthKey: key, Rows: row(reg(abi.FP, 160), ra, fromCFA(-16))},
			{Start: start, Rows: row(undefined, undefined, undefined)},
			{Start: tramp, Signal: true, Rows: row(reg(abi.SP, 160), fromCFA(-8), fromCFA(-16))},
			{Start: bare, Signal: true},
			{Start: other, FDEType: model.SFRAME_FDE_TYPE_FLEX, Rows: row(reg(3, 8+abi.EntryCFA), ra, unchanged)},
		},
	}
	for i := range p.Funcs {
		p.Funcs[i].Size = 0x100
	}
	p.Funcs[1].Rows[0].Mangled = abi.Pauth
	b, err := generator.Encode(p)
	require.NoError(t, err)
	s, faults := reader.DecodeSection(b, reader.SectionOptions{Addr: p.Addr})
	require.Empty(t, faults)
	return s
}

const stack, bias = 0x7fff0000, 0x555500000000

// running returns a program that is in the leaf, at its first instruction. The
// caller's frame record is at the top of its frame.
func running(t *testing.T, abi model.ABIInfo) *program {
	p := &program{pc: bias + leaf, big: abi.Big, modules: []unwind.Module{
		{Name: "program", Bias: bias, Sections: []*model.Section{section(t, abi, model.SFRAME_AARCH64_PAUTH_KEY_B)}},
	}}
	cfa := uint64(stack + 0x200)
	p.regs = map[uint32]uint64{abi.SP: stack, abi.FP: cfa - 160, 3: stack + 0x100}
	p.words = map[uint64]uint64{cfa - 8: bias + start + 0x20, cfa - 16: 0x1111}
	if abi.TracksRA() {
		p.regs[abi.RA] = bias + caller + 0x100 // after a call that does not return
	} else {
		p.words[stack] = bias + caller + 0x100
	}
	return p
}

func trace(c *unwind.Cursor) (pcs []uint64, stop *unwind.Stop) {
	for {
		pcs = append(pcs, c.Frame().PC)
		if stop = c.Step(); stop != nil {
			return pcs, stop
		}
	}
}

func TestBacktrace(t *testing.T) {
	for _, abi := range model.ABIs() {
		t.Run(abi.Spec, func(t *testing.T) {
			p := running(t, abi)
			c := unwind.New(abi, p, p, p, unwind.Options{})
			assert.Equal(t, unwind.Location{Kind: unwind.InRegister, Reg: abi.FP}, c.Where(abi.FP))
			require.Nil(t, c.Step())
			f := c.Frame()
			assert.Equal(t, uint64(bias+caller+0x100), f.PC)
			assert.Equal(t, uint64(bias+caller), f.Start(), "found by PC-1")
			assert.Equal(t, uint64(stack+abi.EntryCFA+abi.SPOffset), f.SP)
			assert.Equal(t, unwind.Location{Kind: unwind.InRegister, Reg: abi.FP}, c.Where(abi.FP), "not saved")
			assert.Equal(t, unwind.Location{Kind: unwind.Computed}, c.Where(abi.SP))
			assert.Equal(t, unwind.Lost, c.Where(3).Kind)
			require.Nil(t, c.Step())
			f = c.Frame()
			assert.Equal(t, []uint64{bias + start + 0x20, uint64(stack + 0x200 + abi.SPOffset), 0x1111}, []uint64{f.PC, f.SP, f.FP})
			assert.Equal(t, unwind.Location{Kind: unwind.InMemory, Addr: stack + 0x200 - 16}, c.Where(abi.FP))
			assert.Equal(t, unwind.Location{Kind: unwind.InMemory, Addr: stack + 0x200 - 8}, c.Where(abi.RA))
			assert.True(t, c.Step().Complete())
			assert.Equal(t, unwind.Outermost, c.Step().Reason)
			assert.Equal(t, f, c.Frame(), "the frame remains")
		})
	}
}

// TestSignedAddress: the key of the FDE chooses the mask, and bit 55 the half of
// the address space.
func TestSignedAddress(t *testing.T) {
	abi := model.LookupABI(model.SFRAME_ABI_AARCH64_ENDIAN_BIG)
	for _, x := range []struct {
		signed, want uint64
		opts         unwind.Options
	}{
		{0xab00_5555_0000_1220, 0x0000_5555_0000_1220, unwind.Options{}},
		{0xab7f_5555_0000_1220, 0x0000_5555_0000_1220, unwind.Options{}},
		{0xabff_5555_0000_1220, 0xffff_5555_0000_1220, unwind.Options{}},
		{0xab7f_5555_0000_1220, 0x0008_5555_0000_1220 | 7<<48, unwind.Options{PACMasks: [2]uint64{0, unwind.PACMask(52)}}},
		{0xab7f_5555_0000_1220, 0x0000_5555_0000_1220, unwind.Options{PACMasks: [2]uint64{unwind.PACMask(52), 0}}},
	} {
		p := running(t, abi)
		p.words[stack+0x200-8] = x.signed
		c := unwind.New(abi, p, p, p, x.opts)
		require.Nil(t, c.Step())
		require.Nil(t, c.Step())
		assert.Equal(t, x.want, c.Frame().PC)
	}
}

func TestStops(t *testing.T) {
	amd, arm := model.LookupABI(model.SFRAME_ABI_AMD64_ENDIAN_LITTLE), model.LookupABI(model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE)
	for _, x := range []struct {
		name  string
		abi   model.ABIInfo
		edit  func(*program)
		steps int
		want  unwind.Reason
		says  string
	}{
		{"no module", amd, func(p *program) { p.modules = nil }, 0, unwind.NoModule, "no module contains the PC"},
		{"no section", amd, func(p *program) { p.modules[0].Sections = nil }, 0, unwind.NoSection, "the module has no SFrame data"},
		{"another ABI", amd, func(p *program) { p.modules[0].Sections = []*model.Section{section(t, arm, 0)} }, 0, unwind.NoSection, ""},
		{"no FDE", amd, func(p *program) { p.pc = bias + 0x2000 }, 0, unwind.NoFDE, "no FDE covers the PC"},
		{"signal frame", amd, func(p *program) { p.pc = bias + bare }, 0, unwind.SignalFrame, "the FDE of the signal frame has no FREs"},
		{"zero", amd, func(p *program) { p.words[stack] = 0 }, 0, unwind.ZeroPC, "the return address is 0"},
		{"memory", amd, func(p *program) { delete(p.words, stack+0x200-8) }, 1, unwind.Unreadable, "RA: the memory at 0x7fff01f8 cannot be read"},
		{"FP lost", amd, func(p *program) {
			delete(p.words, stack+0x200-16)
			p.words[stack+0x200-8] = bias + caller + 1
		}, 2, unwind.NoRegister, "the rule for CFA needs rbp, which is not known: FP: the memory at 0x7fff01f0 cannot be read"},
		{"FP below SP", amd, func(p *program) { p.regs[6] = stack - 160; p.words[stack-8], p.words[stack-16] = 1, 1 }, 1, unwind.NotAdvancing,
			"the caller's SP 0x7fff0000 is not above that of this frame"},
		{"leaf calls leaf", arm, func(p *program) { p.regs[arm.RA] = bias + leaf + 4 }, 1, unwind.UnsavedRA, "RA is still in x30, which is known in the topmost frame only"},
		{"topmost only", amd, func(p *program) { p.words[stack] = bias + other + 4 }, 1, unwind.TopmostOnly,
			"the rule for CFA needs rbx, which is known in the topmost frame only"},
		{"no register", amd, func(p *program) { p.pc, p.regs = bias+other, nil }, 0, unwind.NoRegister, "the rule for CFA needs rbx, which is not known"},
		{"FP unknown below", amd, func(p *program) { delete(p.regs, 6) }, 1, unwind.NoRegister, "the rule for CFA needs rbp, which is not known"},
	} {
		t.Run(x.name, func(t *testing.T) {
			p := running(t, x.abi)
			x.edit(p)
			pcs, stop := trace(unwind.New(x.abi, p, p, p, unwind.Options{}))
			assert.Len(t, pcs, 1+x.steps)
			assert.Equal(t, x.want, stop.Reason, stop.Error())
			if x.says != "" {
				assert.EqualError(t, stop, x.says)
			}
		})
	}
}

// TestLostFP: a frame whose FP cannot be read has none, and the trace continues until a rule
// needs it. A frame that a signal interrupted has its own again.
func TestLostFP(t *testing.T) {
	for _, abi := range model.ABIs() {
		p := running(t, abi)
		delete(p.words, stack+0x200-16)
		c := unwind.New(abi, p, p, p, unwind.Options{})
		require.Nil(t, c.Step())
		f := c.Frame()
		_, strict := c.Caller(f.Rules())
		require.NotNil(t, strict)
		assert.Equal(t, "FP", strict.Value)
		require.Nil(t, c.Step())
		f = c.Frame()
		assert.Equal(t, uint64(bias+start+0x20), f.PC)
		assert.Zero(t, f.FP)
		assert.False(t, f.FPKnown)
		assert.Equal(t, unwind.Lost, c.Where(abi.FP).Kind)
		assert.Equal(t, unwind.Outermost, c.Step().Reason)
	}
}

// TestTopmost: a register other than SP and FP may be the base there.
func TestTopmost(t *testing.T) {
	abi := model.LookupABI(model.SFRAME_ABI_AMD64_ENDIAN_LITTLE)
	p := running(t, abi)
	p.pc, p.words[stack+0x108] = bias+other, bias+start+1
	pcs, stop := trace(unwind.New(abi, p, p, p, unwind.Options{}))
	assert.Equal(t, []uint64{bias + other, bias + start + 1}, pcs)
	assert.Equal(t, unwind.Outermost, stop.Reason)
}

// TestSignal steps through a trampoline to which the handler returns, and which
// leads to an instruction that has not been executed, on a lower stack.
func TestSignal(t *testing.T) {
	abi := model.LookupABI(model.SFRAME_ABI_AMD64_ENDIAN_LITTLE)
	p := running(t, abi)
	p.words[stack] = bias + tramp
	cfa := uint64(stack + 8 + 160)
	p.words[cfa-8], p.words[cfa-16] = bias+caller, stack+0x300
	c := unwind.New(abi, p, p, p, unwind.Options{})
	require.Nil(t, c.Step())
	assert.True(t, c.Frame().Signal())
	require.Nil(t, c.Step())
	f := c.Frame()
	assert.True(t, f.Exact)
	assert.Equal(t, uint64(bias+caller), f.Start(), "found by PC")

	// The kernel's registers come first, and a register may be a base again.
	saved := &program{pc: bias + other, regs: map[uint32]uint64{abi.SP: 0x1000, 3: 0x2000}}
	p.words[0x2008] = bias + start + 1
	for _, at := range []uint64{tramp, bare} {
		p.words[stack] = bias + at
		pcs, stop := trace(unwind.New(abi, p, p, p, unwind.Options{Interrupted: func(f unwind.Frame) (unwind.Registers, bool) {
			assert.Equal(t, bias+at, f.PC)
			return saved, true
		}}))
		assert.Equal(t, []uint64{bias + leaf, bias + at, bias + other, bias + start + 1}, pcs)
		assert.True(t, stop.Complete())
	}
}

// TestTrampolineByCode: a handler returns to code that is a trampoline's, of which no SFrame
// data say so. An FDE that contains the code decides for itself.
func TestTrampolineByCode(t *testing.T) {
	abi := model.LookupABI(model.SFRAME_ABI_AMD64_ENDIAN_LITTLE)
	saved := &program{pc: bias + start, regs: map[uint32]uint64{abi.SP: 0x1000}}
	opts := unwind.Options{
		Interrupted: func(unwind.Frame) (unwind.Registers, bool) { return saved, true },
		Trampoline:  func(pc uint64) bool { return pc == bias+0x2000 || pc == bias+other || pc == 0x10 },
	}
	for _, at := range []uint64{bias + 0x2000, 0x10} { // in a module, and in none
		p := running(t, abi)
		p.words[stack] = at
		c := unwind.New(abi, p, p, p, opts)
		require.Nil(t, c.Step())
		f := c.Frame()
		assert.True(t, f.Signal())
		assert.Equal(t, at, f.Lookup)
		require.Nil(t, c.Step())
		assert.True(t, c.Frame().Exact)
		assert.Equal(t, unwind.Outermost, c.Step().Reason)
	}
	p := running(t, abi)
	p.words[stack] = bias + other
	c := unwind.New(abi, p, p, p, opts)
	require.Nil(t, c.Step())
	f := c.Frame()
	assert.Equal(t, []uint64{bias + other, bias + other}, []uint64{f.Lookup, f.Start()})
	assert.False(t, f.Signal())
	assert.Equal(t, unwind.TopmostOnly, c.Step().Reason)
}

// TestLoop: a trampoline that returns to itself.
func TestLoop(t *testing.T) {
	abi := model.LookupABI(model.SFRAME_ABI_AMD64_ENDIAN_LITTLE)
	p := running(t, abi)
	p.pc = bias + tramp
	self := func(unwind.Frame) (unwind.Registers, bool) { return p, true }
	pcs, stop := trace(unwind.New(abi, p, p, p, unwind.Options{Interrupted: self}))
	assert.Equal(t, unwind.Loop, stop.Reason)
	assert.Len(t, pcs, 1)

	pcs, stop = trace(unwind.New(abi, p, p, p, unwind.Options{Interrupted: self, MaxFrames: 1}))
	assert.Equal(t, unwind.TooManyFrames, stop.Reason)
	assert.Len(t, pcs, 1)
}
