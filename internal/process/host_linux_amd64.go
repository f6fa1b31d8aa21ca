package process

import "github.com/sframe-lint/sframe-lint/model"

const hostABI = model.SFRAME_ABI_AMD64_ENDIAN_LITTLE

// pacMask returns 0: addresses are not signed.
func pacMask(int) uint64 { return 0 }
