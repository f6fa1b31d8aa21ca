package reader

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
)

// tarWith is a tar archive with one file.
func tarWith(t *testing.T, name string, b []byte) []byte {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	require.NoError(t, w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(b)), Typeflag: tar.TypeReg}))
	_, err := w.Write(b)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return out.Bytes()
}

// arWith is an archive of members, names and bytes in turns.
func arWith(members ...string) []byte {
	b := []byte(arMagic)
	for i := 0; i < len(members); i += 2 {
		b = fmt.Appendf(b, "%-48s%-10d`\n%s", members[i], len(members[i+1]), members[i+1])
		b = append(b, make([]byte, len(b)%2)...)
	}
	return b
}

// found maps the names of the objects that a scan visits to what they are.
func found(t *testing.T, b []byte) map[string]string {
	all := map[string]string{}
	require.NoError(t, ScanReader("p", bytes.NewReader(b), int64(len(b)), Options{}, func(o *Object) error {
		all[name(o)] = string(o.Status)
		if len(o.Faults) > 0 {
			all[name(o)] = o.Faults[0].Detail
		}
		return nil
	}))
	return all
}

// TestPackedMembers reads the members of archives that are packages: those of Debian packages, and all others.
func TestPackedMembers(t *testing.T) {
	elf := string(plainELF())
	in := func(name string) string { return string(tarWith(t, name, []byte(elf))) }
	const version, lz4 = "2.0\n", "\x04\x22\x4d\x18 "
	deb := func(more ...string) []byte { return arWith(append([]string{debFirst, version}, more...)...) }
	nested := string(arWith("y.tar", in("usr/y")))
	var sfx bytes.Buffer
	sfx.WriteString(elf)
	z := zip.NewWriter(&sfx)
	f, err := z.Create("x")
	require.NoError(t, err)
	_, err = f.Write([]byte(elf))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	appimage := append(bytes.Clone(plainELF()[:8]), append([]byte(appImage), plainELF()[11:]...)...)
	for title, c := range map[string]struct {
		b    []byte
		want map[string]string
	}{
		"deb":                {deb("control.tar", in("postinst"), "data.tar", in("usr/x")), map[string]string{"p!/usr/x": "ok", "p!/control.tar!/postinst": "ok"}},
		"unknown data":       {deb("data.tar.x", "some bytes"), map[string]string{"p": `the member "data.tar.x" is of an unknown kind, which is not read`}},
		"unread data":        {deb("data.tar.lz4", lz4), map[string]string{"p": `the member "data.tar.lz4" is compressed with LZ4, which is not read`}},
		"no data":            {deb("control.tar", in("postinst")), map[string]string{"p!/control.tar!/postinst": "ok", "p": "the Debian package has no member data.tar"}},
		"program as data":    {deb("data.tar", elf), map[string]string{"p(data.tar)": "ok"}},
		"library":            {deb("x.o/", elf, "text", "some"), map[string]string{"p(x.o)": "ok"}},
		"library and data":   {deb("data.tar", in("usr/x"), "x.o/", elf), map[string]string{"p!/usr/x": "ok", "p(x.o)": "ok"}},
		"name before data":   {deb("data.tar", in("usr/x"), "#1/4", "x.o\x00"+elf), map[string]string{"p!/usr/x": "ok", "p(x.o)": "ok"}},
		"packages in it":     {arWith("x.o/", elf, "a.tar", in("x"), "z.o/", elf), map[string]string{"p(x.o)": "ok", "p!/a.tar!/x": "ok", "p(z.o)": "ok"}},
		"unread member":      {arWith("x.o/", elf, "a.lz4", lz4), map[string]string{"p(x.o)": "ok", "p!/a.lz4": "it is compressed with LZ4, which is not read"}},
		"archive in it":      {arWith("i.a", nested), map[string]string{"p!/i.a!/y.tar!/usr/y": "ok"}},
		"in a tar archive":   {tarWith(t, "x.deb", deb("data.tar", in("usr/x"))), map[string]string{"p!/x.deb!/usr/x": "ok"}},
		"as deep as allowed": {deep(t, 9, elf), map[string]string{deepName(9): "ok"}},
		"too deep":           {deep(t, 10, elf), map[string]string{deepName(9): "inside more than 8 other packages"}},
		"zip after ELF":      {sfx.Bytes(), map[string]string{"p": "ok", "p!/x": "ok"}},
		"AppImage":           {appimage, map[string]string{"p": "it is an AppImage, whose image is not read"}},
	} {
		require.Equal(t, c.want, found(t, c.b), title)
	}
}

// deep is a Debian package in others.
func deep(t *testing.T, n int, elf string) []byte {
	b := []byte(elf)
	for range n {
		b = arWith(debFirst, "2.0\n", debData, string(tarWith(t, "x", b)))
	}
	return b
}

func deepName(n int) string {
	name := "p"
	for range n {
		name += "!/x"
	}
	return name
}

// TestDebianPackage reads a package that dpkg-deb has written.
func TestDebianPackage(t *testing.T) {
	b, err := os.ReadFile("testdata/p.deb")
	require.NoError(t, err)
	all := found(t, b)
	require.Len(t, all, 48)
	for _, path := range slices.Sorted(maps.Keys(all)) {
		require.Regexp(t, "^p!/usr/", path)
	}
}

// TestPackedRoom: what comes out of a package does not raise the limit for what is read of it.
func TestPackedRoom(t *testing.T) {
	tars := tarWith(t, "x", append(plainELF(), make([]byte, 2<<20)...))
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	for range 10 {
		_, err := w.Write(tars)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	for _, one := range []bool{false, true} {
		o := Options{OneBudget: one, Context: budget.New(t.Context(), budget.Limits{budget.Read: 4 << 20})}
		err := ScanReader("p", bytes.NewReader(b.Bytes()), int64(b.Len()), o, func(*Object) error { return nil })
		require.ErrorContains(t, err, "--limit max-read", one)
	}
}
