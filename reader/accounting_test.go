package reader

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
)

var archives = flag.Int("archives", 400, "number of archives that are drawn")

// drawnArchive is an archive of the program ar, or a Debian package, that was drawn.
type drawnArchive struct {
	*rand.Rand
	t     *testing.T
	out   bytes.Buffer
	names bytes.Buffer   // the table of long names
	files map[string]int // how often each program is in it, by name and size
	ends  []int          // where a member ends, and where the next one begins
}

// text draws the bytes of a member: of a program or of something else.
func (d *drawnArchive) text() (b []byte, program bool) {
	if program = d.IntN(3) > 0; program {
		b = plainELF()
	}
	return append(b, make([]byte, d.IntN(1<<d.IntN(12)))...), program
}

// member writes a member, with its name in one of several ways.
func (d *drawnArchive) member(name, field string, b []byte) {
	if field == "" {
		field = name + "/"
	}
	if d.IntN(4) == 0 { // as BSD does
		field, b = fmt.Sprintf("#1/%d", len(name)), append([]byte(name), b...)
	} else if len(field) > 16 {
		field = fmt.Sprintf("/%d", strings.Index(d.names.String(), name+"/\n"))
	}
	fmt.Fprintf(&d.out, "%-48s%-10d`\n%s%s", field, len(b), b, "\n"[:len(b)&1])
	d.ends = append(d.ends, d.out.Len(), d.out.Len()-len(b)&1)
}

// file writes a member with the bytes of a program or of something else.
func (d *drawnArchive) file(name, field string) {
	b, program := d.text()
	if program {
		d.files[fmt.Sprintf("p(%s) %d", name, len(b))]++
	}
	d.member(name, field, b)
}

// packed is a package with a program, whose path in the archive it counts.
func (d *drawnArchive) packed(prefix string) []byte {
	b, _ := d.text()
	b = append(plainELF(), b...)
	name := fmt.Sprintf("f%d", d.IntN(10))
	d.files[fmt.Sprintf("%s!/%s %d", prefix, name, len(b))]++
	b = tarWith(d.t, name, b)
	if d.IntN(2) == 0 {
		w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
		require.NoError(d.t, err)
		b = w.EncodeAll(b, nil)
	}
	return b
}

// drawArchive draws an archive.
func drawArchive(t *testing.T, seed uint64) *drawnArchive {
	d := &drawnArchive{Rand: rand.New(rand.NewPCG(seed, 48)), t: t, files: map[string]int{}}
	d.out.WriteString(arMagic)
	deb := d.IntN(3) == 0
	if deb {
		fmt.Fprintf(&d.out, "%-48s%-10d`\n2.0\n", debFirst, 4)
	}
	names := make([]string, 1+d.IntN(6))
	for i := range names {
		names[i] = fmt.Sprintf("m%d%s.o", d.IntN(4), strings.Repeat("n", d.IntN(2)*d.IntN(40)))
		fmt.Fprintf(&d.names, "%s/\n", names[i])
	}
	if d.IntN(2) == 0 {
		d.member("/", "/", []byte("\x00\x00\x00\x01abcd"))
	}
	fmt.Fprintf(&d.out, "%-48s%-10d`\n%s%s", "//", d.names.Len(), d.names.Bytes(), "\n"[:d.names.Len()&1])
	for _, name := range names {
		switch d.IntN(8) {
		case 0:
			d.member(name, "", d.packed("p!/"+name))
		case 1:
			field := []string{"__.SYMDEF", "__.SYMDEF SORTED", "__.SYMDEFx", debFirst, "control.tar"}[d.IntN(5)]
			d.file(field, field)
		default:
			d.file(name, "")
		}
	}
	if deb {
		d.member(debData, "", d.packed("p"))
	}
	return d
}

// TestAccounting draws archives of the program ar and Debian packages: each program in them is read, or what has it is named,
// also if the archive was damaged. -archives sets how many there are.
func TestAccounting(t *testing.T) {
	for seed := range uint64(*archives) {
		d := drawArchive(t, seed)
		got, faults := accounted(t, d.out.Bytes())
		require.Empty(t, faults, "seed %d", seed)
		if !maps.Equal(d.files, got) {
			t.Fatalf("seed %d: %v is read, not %v", seed, got, d.files)
		}
		damaged := slices.Clone(d.out.Bytes())
		at := len(arMagic) + d.IntN(len(damaged)-len(arMagic))
		damaged[at] = byte(d.Uint32())
		if d.IntN(3) == 0 && !slices.Contains(d.ends, at+1) {
			damaged = damaged[:at+1]
		}
		if got, faults := accounted(t, damaged); faults == nil && programs(got) < programs(d.files)-1 {
			t.Fatalf("seed %d: byte %d is damaged: %v is read and nothing named, not %v", seed, at, got, d.files)
		}
	}
}

func programs(files map[string]int) (n int) {
	for _, k := range files {
		n += k
	}
	return n
}

// accounted returns how often a scan visits each program, and the details of all else that is damaged.
func accounted(t testing.TB, b []byte) (files map[string]int, faults []string) {
	files = map[string]int{}
	r := bytes.NewReader(b)
	require.NoError(t, ScanReader("p", r, r.Size(), Options{}, func(o *Object) error {
		var head [4]byte
		if o.src.r != nil {
			_, err := o.src.r.ReadAt(head[:], o.src.base)
			require.True(t, err == nil || err == io.EOF, err)
		}
		if string(head[:]) == "\x7fELF" {
			files[fmt.Sprintf("%s %d", name(o), o.Size)]++
		} else if o.Status == StatusDamaged {
			faults = append(faults, o.Detail)
		}
		return nil
	}))
	return files, faults
}
