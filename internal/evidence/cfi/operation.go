package cfi

// operation is a call frame instruction with its operands. Those that differ only in how the operands are written have one op.
type operation struct {
	op   byte   // the first opcode of its kind; one that is not known as it is
	reg  uint64 // that the instruction is about
	n    int64  // an offset or a number in bytes; of an advance in units of CodeAlign; another register
	rule Rule   // of the register or the CFA
	rest int    // where the operands after reg are
}

// form says how the operands of an opcode are written.
type form struct {
	op       byte
	operands operands
	kind     Kind // of the rule
}

type operands uint16

const (
	withReg  operands = 1 << iota
	unsigned          // a number follows
	signed
	scaled // by DataAlign
	negated
	block  // of an expression
	fixed1 // a number of so many bytes follows
	fixed2 //
	fixed4 //
	fixed  = fixed1 | fixed2 | fixed4
)

// forms are by opcode, or its high bits. Those that [Runner.signature] executes have none, as they depend on the ABI.
var forms = [256]form{
	cfaAdvanceLoc:                {op: cfaAdvanceLoc},
	cfaAdvanceLoc1:               {cfaAdvanceLoc, fixed1, 0},
	cfaAdvanceLoc2:               {cfaAdvanceLoc, fixed2, 0},
	cfaAdvanceLoc4:               {cfaAdvanceLoc, fixed4, 0},
	cfaOffset:                    {cfaOffset, unsigned | scaled, Offset},
	cfaOffsetExtended:            {cfaOffset, withReg | unsigned | scaled, Offset},
	cfaOffsetExtendedSF:          {cfaOffset, withReg | signed | scaled, Offset},
	cfaGNUNegativeOffsetExtended: {cfaGNUNegativeOffsetExtended, withReg | unsigned | scaled | negated, Offset},
	cfaRestore:                   {op: cfaRestore},
	cfaRestoreExtended:           {cfaRestore, withReg, 0},
	cfaUndefined:                 {cfaUndefined, withReg, Undefined},
	cfaSameValue:                 {cfaSameValue, withReg, SameValue},
	cfaRegister:                  {cfaRegister, withReg | unsigned, Register},
	cfaDefCFA:                    {cfaDefCFA, withReg | unsigned, Register},
	cfaDefCFASF:                  {cfaDefCFA, withReg | signed | scaled, Register},
	cfaDefCFARegister:            {cfaDefCFARegister, withReg, 0},
	cfaDefCFAOffset:              {cfaDefCFAOffset, unsigned, 0},
	cfaDefCFAOffsetSF:            {cfaDefCFAOffset, signed | scaled, 0},
	cfaDefCFAExpression:          {cfaDefCFAExpression, block, Expression},
	cfaExpression:                {cfaExpression, withReg | block, Expression},
	cfaValExpression:             {cfaValExpression, withReg | block, ValExpression},
	cfaValOffset:                 {cfaValOffset, withReg | unsigned | scaled, ValOffset},
	cfaValOffsetSF:               {cfaValOffset, withReg | signed | scaled, ValOffset},
	cfaGNUArgsSize:               {cfaGNUArgsSize, unsigned, 0},
}

// operation reads the instruction at the position, which is before the end. A product wraps: old assemblers store negative numbers so.
func (c *cursor) operation(o *operation, dataAlign int64) {
	code := c.B[c.Pos]
	c.Pos++
	o.op, o.reg, o.n = code, 0, 0
	if high := code & 0xc0; high != 0 {
		o.op, o.reg, o.n = high, uint64(code&0x3f), int64(code&0x3f)
	}
	f := &forms[o.op]
	if f.op == 0 || f.op == cfaAdvanceLoc && f.operands == 0 {
		o.rest = c.Pos
		return
	}
	o.op = f.op
	if f.operands&withReg != 0 {
		o.reg = c.ULEB()
	}
	switch o.rest = c.Pos; {
	case f.operands&unsigned != 0:
		o.n = int64(c.ULEB())
	case f.operands&signed != 0:
		o.n = c.SLEB()
	case f.operands&fixed != 0:
		o.n = int64(c.Uint(int(f.operands / fixed1)))
	}
	if f.operands&scaled != 0 {
		o.n *= dataAlign
	}
	if f.operands&negated != 0 {
		o.n = -o.n
	}
	o.rule = Rule{Kind: f.kind, Offset: o.n}
	if f.operands&block != 0 {
		n := c.ULEB()
		at := c.Pos
		c.Skip(n)
		o.rule.Offset, o.rule.Reg = int64(at), uint32(c.Pos-at)
	}
}
