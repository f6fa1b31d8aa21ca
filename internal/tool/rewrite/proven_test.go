package rewrite_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
	"github.com/sframe-lint/sframe-lint/internal/tool/rewrite"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Functions without CFI have the rows that their code proves, or a reason why not.
func TestInteropProvenFunctions(t *testing.T) {
	as, dir := toolchain.Tool(t, "sid-x86_64-as"), t.TempDir()
	source, object := filepath.Join(dir, "s.s"), filepath.Join(dir, "s.o")
	require.NoError(t, os.WriteFile(source, []byte(provenSource), 0o666))
	out, err := exec.Command(as, "-o", object, source).CombinedOutput()
	require.NoError(t, err, "%s", out)
	data, err := os.ReadFile(object)
	require.NoError(t, err)
	written, x, err := synthesized(t, object, data, rewrite.Addition{Version: 3, Flex: true})
	require.NoError(t, err)
	assert.Equal(t, 1, x.Proven)
	assert.Equal(t, 2, x.FDEs)
	var why []string
	for _, m := range x.Omitted {
		why = append(why, m.Why)
	}
	assert.Equal(t, []string{
		"it has no call frame information, and no return in it proves the state at its start",
		"it has no call frame information, and no return in it proves the state at its start",
		"it has no call frame information, and nothing is known to lead to the instruction at 0x15",
	}, why)
	require.NoError(t, scanBytes(t, object, written, func(o *reader.Object) error {
		s := o.SFrames[0].Section
		var rows []string
		for i := range s.NumFDEs() {
			f := s.FDE(i)
			for r := range f.FREs() {
				row := r.Row()
				rows = append(rows, row.CFA.Format(model.LookupABI(s.Header().ABI)))
			}
		}
		assert.Equal(t, []string{"rsp+8", "rsp+16", "rsp+16", "rsp+8", "rsp+8"}, rows)
		return nil
	}))
}

const provenSource = `	.text
	.type pushes, @function
pushes:	push %rbp
	mov %rsp, %rbp
	pop %rbp
	ret
	.size pushes, .-pushes
	.type stops, @function
stops:	push %rbx
	ud2
	.size stops, .-stops
	.type cfi, @function
cfi:	.cfi_startproc
	ret
	.cfi_endproc
	.size cfi, .-cfi
	.type tail, @function
tail:	sub $16, %rsp
	add $16, %rsp
	jmp pushes
	.size tail, .-tail
	.type hidden, @function
hidden:	ret
	mov %rbx, %rax
	ret
	.size hidden, .-hidden
`
