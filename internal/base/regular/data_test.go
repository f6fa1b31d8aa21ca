package regular

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestData does not count holes, and leaves the position of a file as it is.
func TestData(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("holes are only known on Linux")
	}
	const part, size = 1 << 20, 1 << 30
	path := filepath.Join(t.TempDir(), "sparse")
	f, err := os.Create(path)
	require.NoError(t, err)
	defer f.Close()
	for _, at := range []int64{0, 512 << 20} {
		_, err := f.WriteAt(bytes.Repeat([]byte{1}, part), at)
		require.NoError(t, err)
	}
	require.NoError(t, f.Truncate(size))
	_, err = f.Seek(17, 0)
	require.NoError(t, err)
	if Data(f, 0, size) == size {
		t.Skip("the file system does not know holes")
	}
	require.EqualValues(t, 2*part, Data(f, 0, size))
	require.EqualValues(t, part/2, Data(f, part/2, size/4))
	require.Zero(t, Data(f, 2*part, part))
	require.Zero(t, Data(f, size-part, part))
	at, err := f.Seek(0, 1)
	require.NoError(t, err)
	require.EqualValues(t, 17, at)
	require.EqualValues(t, 3, Data(bytes.NewReader(nil), 0, 3))
}
