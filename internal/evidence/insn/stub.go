package insn

// StubSize is greater than the size in bytes of a linker's stub up to its jump. stubInsns is greater than its number
// of instructions.
const (
	StubSize  = 8 * stubInsns
	stubInsns = 6
)

// Slot returns the address of the word from which a linker's stub loads the address of its function. It returns 0 if
// this address is not known. code begins with the stub, which is at pc.
func (d Decoder) Slot(code []byte, pc uint64) uint64 {
	var values [MaxRegs]uint64 // addresses, or those of the words that were loaded
	for range stubInsns {
		i := d.One(code, pc)
		for _, o := range i.Ops[:i.N] {
			switch {
			case o.Do == Const:
				values[o.Dst] = uint64(o.Off)
			case (o.Do == Load || o.Do == Move) && o.Src < MaxRegs && values[o.Src] != 0:
				values[o.Dst] = values[o.Src] + uint64(o.Off)
			}
		}
		switch {
		case i.Flow == IndirectJump && i.Via < MaxRegs:
			return values[i.Via]
		case i.Flow == IndirectJump && i.TargetLen > 0:
			return i.Target
		case i.Flow != Next:
			return 0
		}
		code = code[i.Len:]
		pc += uint64(i.Len)
	}
	return 0
}
