package properties

import (
	"debug/elf"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/internal/evidence/witness"
	"github.com/sframe-lint/sframe-lint/internal/testkit/elftest"
	"github.com/sframe-lint/sframe-lint/internal/tool/execute"
	"github.com/sframe-lint/sframe-lint/internal/tool/rewrite"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// TestUnknownMachine: an ABI that no table has gets no other one's registers, in no place.
func TestUnknownMachine(t *testing.T) {
	abi := model.LookupABI(model.SFRAME_ABI_S390X_ENDIAN_BIG)
	known := abi
	abi.ID, abi.Machine = model.SFRAME_ABI_S390X_ENDIAN_BIG+1, elf.EM_RISCV
	assert.Nil(t, insn.Of(abi.Machine))
	assert.Nil(t, insn.For(abi.Machine))

	rule := witness.Rule{Recovery: model.Recovery{Kind: model.InRegister, Reg: abi.SP, Offset: abi.EntryCFA}, Of: insn.Reg(abi.SP)}
	path := []witness.Insn{{PC: 0x1000, Code: []byte{0xa7, 0xfb, 0xff, 0x60}}} // aghi %r15,-160
	_, refuted := witness.New(known, false, 0).Replay(path, rule, abi.EntryCFA)
	assert.True(t, refuted)
	_, refuted = witness.New(abi, false, 0).Replay(path, rule, abi.EntryCFA)
	assert.False(t, refuted)

	_, err := generator.Generate(generator.Config{Version: model.SFRAME_VERSION_3, ABI: abi.ID})
	assert.Error(t, err)

	file := elftest.Linked(elf.EM_S390, true, nil).Bytes(t)
	file[elf64Machine], file[elf64Machine+1] = 0, byte(elf.EM_RISCV)
	elftest.Read(t, file, func(o *reader.Object) {
		_, err := proof.New(o, nil, nil, nil)
		assert.ErrorIs(t, err, proof.ErrABI)
		_, err = rewrite.Expect(o, model.SFRAME_VERSION_3, true, 0)
		assert.Error(t, err)
	})
	name := filepath.Join(t.TempDir(), "program")
	require.NoError(t, os.WriteFile(name, file, 0o755))
	_, err = execute.Emulate(t.Context(), execute.Config{Path: name})
	assert.Error(t, err)
}

// elf64Machine is the offset of e_machine.
const elf64Machine = 18
