package trace

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestText: names that a core has cannot control a terminal.
func TestText(t *testing.T) {
	r := &Report{
		head: head{Signal: 6},
		Threads: []Thread{
			{ID: 1, Frames: []Frame{{PC: "0x10", Module: "a\x1b[31m", Address: "0x1", Function: "f\nx", Offset: 18}, {PC: "0x20"}}, End: End{Message: "m\x07"}},
			{ID: 2, Frames: []Frame{{PC: "0x30", Module: "m", Address: "0x2", Signal: true}}, End: End{Complete: true, Message: "outermost frame"}},
		},
		Modules: []Module{{Name: "m"}, {Name: "gone\x1b", Error: "no\x00"}, {Name: "odd", Faults: 2}},
	}
	var b bytes.Buffer
	x := &textForm{w: &b, signal: r.Signal}
	for i := range r.Threads {
		th := &r.Threads[i]
		require.NoError(t, x.begin(i, th.ID))
		for i := range th.Frames {
			require.NoError(t, x.frame(i, &th.Frames[i]))
		}
		require.NoError(t, x.end(&th.End))
	}
	require.NoError(t, x.close(slices.Values(r.Modules), &tail{}))
	assert.Equal(t, `thread 1, signal 6
#0   0x10               f\x0ax+0x12 (a\x1b[31m)
#1   0x20
stopped: m\x07

thread 2
#0   0x30               0x2 (m) <signal frame>
complete: outermost frame

gone\x1b: no\x00

odd: its SFrame data is damaged; what could be decoded is used
`, b.String())
}
