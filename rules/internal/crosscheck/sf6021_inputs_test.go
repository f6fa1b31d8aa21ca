package crosscheck_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestInputs: the rules name the inputs of a link whose functions have no FDE, and tell data that was
// lost from data that never was.
func TestInputs(t *testing.T) {
	for file, want := range map[string][2]string{
		// GNU ld 2.47 ignores the section of an input of version 2: the output does not show that.
		"mixed/v3-and-v2-by-ld-2.47.elf": {"SF6021 0x8+4", "(1 in inputs before frames.o, \"main\"): "},
		// The linker adds a FILE symbol with the object's name.
		"mixed/v3-and-none-by-ld-2.47.elf": {"SF6021 0x8+4", `(3 in nameless.o, "first_nameless", "helper", "last_nameless"): `},
		// mold does not: the functions seem to be local ones of the input before.
		"mixed/v3-and-none-by-mold.elf": {"SF6021 0x8+4", "(3 in inputs after named.c, \"first_nameless\", \"helper\", \"last_nameless\"): "},
		// Functions without an FDE between others of the same input.
		"hand/cfi-lost.elf": {"SF6024 0x8+4", "2 functions with CFI (2 in lost.c, \"leaf\", \"leaf_end\"), but "},
	} {
		places, messages := found(t, changed(t, file))
		require.Contains(t, places, want[0], file)
		require.Contains(t, messages[len(messages)-1], want[1], file)
		require.NotContains(t, places, map[string]string{"SF6021 0x8+4": "SF6024 0x8+4", "SF6024 0x8+4": "SF6021 0x8+4"}[want[0]], file)
	}
	places, _ := found(t, changed(t, program))
	require.Equal(t, []string{bare}, places, "nothing is missing with CFI")
}
