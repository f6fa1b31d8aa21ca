package proof_test

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/model"
)

func TestPrologue(t *testing.T) {
	const amd64, aarch64, s390x = model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE, model.SFRAME_ABI_S390X_ENDIAN_BIG
	const rest = " c3"
	for _, c := range []struct {
		name string
		abi  model.ABI
		code string
		want string // end:down
	}{
		{"push", amd64, "53 4154" + rest, "1:8 3:16"},
		{"endbr64, frame pointer", amd64, "f30f1efa 55 4889e5 4883ec10" + rest, "4:0 5:8 8:8 12:24"},
		{"large frame", amd64, "4881ec98000000" + rest, "7:152"},
		{"sub of a negative number", amd64, "4883ec80" + rest, ""},
		{"lea", amd64, "488d6424d8" + rest, "5:40"},
		{"copies", amd64, "4989f8 31c0 89fb 55" + rest, "3:0 5:0 7:0 8:8"},
		{"mov to rsp", amd64, "4889ec 55" + rest, ""},
		{"mov to r12", amd64, "4989fc 55" + rest, "3:0 4:8"},
		{"pop", amd64, "55 5d" + rest, "1:8"},
		{"call", amd64, "55 e800000000 55" + rest, "1:8"},
		{"and", amd64, "55 4883e4f0" + rest, "1:8"},
		{"to the end", amd64, "55 53", "1:8 2:16"},

		{"paciasp, stp, mov, sub", aarch64, "3f2303d5 fd7bbea9 fd030091 ffc300d1 c0035fd6", "4:0 8:32 12:32 16:80"},
		{"stp of D registers", aarch64, "e827bf6d", "4:16"},
		{"str", aarch64, "f30f1ef8 e80f1ffc", "4:32 8:48"},
		{"sub shifted, stp, str", aarch64, "ff0740d1 f35301a9 f51300f9", "4:4096 8:4096 12:4096"},
		{"mov of registers", aarch64, "f30300aa ff4300d1", "4:0 8:16"},
		{"post-indexed", aarch64, "fd7bc2a8", ""},
		{"add", aarch64, "ff430091", ""},
		{"call", aarch64, "00000094 ff4300d1", ""},

		{"stmg, lay", s390x, "eb6ff0300024 e3f0ff50ff71 07fe", "6:0 12:176"},
		{"aghi, agfi", s390x, "a7fbff60 c2f8fffff000 07fe07fe", "4:160 10:4256"},
		{"lgr, ldgr", s390x, "b904001f b3c1002f a7fbff60 07fe07fe", "4:0 8:0 12:160"},
		{"lgr to r15", s390x, "b90400fb a7fbff60 07fe", ""},
		{"stg", s390x, "e3e0f0700024 a7fbff60 07fe", "6:0 10:160"},
		{"call", s390x, "c0e500000000 a7fbff60 07fe", ""},
	} {
		code, err := hex.DecodeString(strings.ReplaceAll(c.code, " ", ""))
		require.NoError(t, err)
		abi := model.LookupABI(c.abi)
		var got []string
		proof.Prologue(code, &abi, func(end uint32, down int64) bool {
			got = append(got, fmt.Sprintf("%d:%d", end, down))
			return true
		})
		require.Equal(t, c.want, strings.Join(got, " "), c.name)
	}
}
