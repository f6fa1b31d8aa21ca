package trace

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/unwind"
)

// TestCompare makes one FRE of a stored program wrong. Its CFI shows the first frame
// whose caller is another one.
func TestCompare(t *testing.T) {
	const dir = "testdata/sid-x86_64-gcore"
	b, err := os.ReadFile(dir + "/prog")
	require.NoError(t, err)
	whole := report(t, dir+"/core", dir+"/prog")
	require.Len(t, whole.Threads, 2)
	require.Equal(t, "deep", whole.Threads[0].Frames[3].Function)
	for i := range whole.Threads {
		assert.False(t, disagrees(&whole.Threads[i]))
	}
	pc := address(t, whole.Threads[0].Frames[3].Address) - 1

	err = reader.Scan(dir+"/prog", reader.Options{}, func(o *reader.Object) error {
		s := o.SFrames[0]
		_, r, ok := s.Section.At(pc)
		require.True(t, ok)
		b[s.Offset+r.WordSpan(0).Off] += 16
		return nil
	})
	require.NoError(t, err)
	bad := filepath.Join(t.TempDir(), "prog")
	require.NoError(t, os.WriteFile(bad, b, 0o666))
	r := report(t, dir+"/core", bad)
	assert.True(t, disagrees(&r.Threads[0]))
	for i, f := range r.Threads[0].Frames {
		assert.Equal(t, i == 3, f.CFI != "", "frame %d: %s", i, f.CFI)
	}
	assert.Equal(t, "by CFI the caller is at "+whole.Threads[0].Frames[4].PC, r.Threads[0].Frames[3].CFI)
	assert.False(t, disagrees(&r.Threads[1]))
}

// TestDiffers compares a step by CFI with one by SFrame data.
func TestDiffers(t *testing.T) {
	frame := unwind.Frame{PC: 1, SP: 2, FP: 3, FPKnown: true}
	other := func(edit func(*unwind.Frame)) *unwind.Frame {
		f := frame
		edit(&f)
		return &f
	}
	same := other(func(*unwind.Frame) {})
	end, stuck, limit := &unwind.Stop{Reason: unwind.Outermost}, &unwind.Stop{Reason: unwind.NoFDE}, &unwind.Stop{Reason: unwind.TooManyFrames}
	for _, x := range []struct {
		by   callerByCFI
		next *unwind.Frame
		stop *unwind.Stop
		want string
	}{
		{callerByCFI{frame: frame}, nil, stuck, ""},
		{callerByCFI{known: true, frame: frame}, same, nil, ""},
		{callerByCFI{known: true, frame: frame}, other(func(f *unwind.Frame) { f.PC = 9 }), nil, "by CFI the caller's PC is 0x1, not 0x9"},
		{callerByCFI{known: true, frame: frame}, other(func(f *unwind.Frame) { f.SP = 9 }), nil, "by CFI the caller's SP is 0x2, not 0x9"},
		{callerByCFI{known: true, frame: frame}, other(func(f *unwind.Frame) { f.FP = 9 }), nil, "by CFI the caller's FP is 0x3, not 0x9"},
		{callerByCFI{known: true, noFP: true, frame: frame}, other(func(f *unwind.Frame) { f.FP = 9 }), nil, ""},
		{callerByCFI{known: true, frame: frame}, nil, stuck, "by CFI the caller is at 0x1"},
		{callerByCFI{known: true, frame: frame}, nil, end, "by CFI the caller is at 0x1"},
		{callerByCFI{known: true, frame: frame}, nil, limit, ""},
		{callerByCFI{known: true, stop: end}, same, nil, "by CFI this is the outermost frame"},
		{callerByCFI{known: true, stop: end}, nil, stuck, "by CFI this is the outermost frame"},
		{callerByCFI{known: true, stop: end}, nil, end, ""},
		{callerByCFI{known: true, stop: stuck}, same, nil, ""},
	} {
		assert.Equal(t, x.want, x.by.differs(x.next, x.stop))
	}
}
