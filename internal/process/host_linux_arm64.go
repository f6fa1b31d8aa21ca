package process

import (
	"golang.org/x/sys/unix"

	"github.com/sframe-lint/sframe-lint/model"
)

const hostABI = model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE

// ntARMPacMask is the set of registers with the masks of data and of instructions.
const ntARMPacMask = 0x406

// pacMask returns the bits of the pointer authentication code in return addresses of a stopped
// thread, 0 if they are not known.
func pacMask(id int) uint64 {
	var r unix.PtraceRegsArm64
	if unix.PtraceGetRegSetArm64(id, ntARMPacMask, &r) != nil {
		return 0
	}
	return r.Regs[1] &^ (1 << 55)
}
