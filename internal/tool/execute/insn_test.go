package execute

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sframe-lint/sframe-lint/model"
)

// TestCalls: a call stores its return address on the stack, or in the register of RA.
func TestCalls(t *testing.T) {
	for _, x := range []struct {
		abi  model.ABI
		code string
		want bool
	}{
		{model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, "\xe8\x00\x01\x00\x00", true},   // call
		{model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, "\xff\xd0", true},               // call *%rax
		{model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, "\xff\xe0", false},              // jmp *%rax
		{model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE, "\x04\x00\x00\x94", true},     // bl
		{model.SFRAME_ABI_AARCH64_ENDIAN_BIG, "\x04\x00\x00\x94", true},        // bl
		{model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE, "\x20\x00\x3f\xd6", true},     // blr x1
		{model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE, "\x3f\x08\x3f\xd6", true},     // blraaz x1
		{model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE, "\x00\x02\x1f\xd6", false},    // br x16
		{model.SFRAME_ABI_S390X_ENDIAN_BIG, "\xc0\xe5\x00\x00\x01\x00", true},  // brasl %r14
		{model.SFRAME_ABI_S390X_ENDIAN_BIG, "\x0d\xe1", true},                  // basr %r14, %r1
		{model.SFRAME_ABI_S390X_ENDIAN_BIG, "\x0d\x01", false},                 // basr %r0, %r1
		{model.SFRAME_ABI_S390X_ENDIAN_BIG, "\xc0\x05\x00\x00\x01\x00", false}, // brasl %r0
		{model.SFRAME_ABI_S390X_ENDIAN_BIG, "\x0d\xe0", false},                 // basr %r14, 0
		{model.SFRAME_ABI_S390X_ENDIAN_BIG, "\x07\xfe", false},                 // br %r14
	} {
		c := NewChecker(model.LookupABI(x.abi), Options{})
		assert.Equal(t, x.want, c.class([]byte(x.code)).call, "ABI %d: % x", x.abi, x.code)
	}
}
