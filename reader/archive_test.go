package reader

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/model"
)

// arEntry lays out a member: header, data and the byte that pads it.
func arEntry(name string, data []byte) []byte {
	b := fmt.Appendf(nil, "%-16s%-12s%-6s%-6s%-8s%-10d`\n", name, "0", "0", "0", "644", len(data))
	b = append(b, data...)
	if len(data)%2 == 1 {
		b = append(b, '\n')
	}
	return b
}

func ar(magic string, entries ...[]byte) []byte {
	b := []byte(magic)
	for _, e := range entries {
		b = append(b, e...)
	}
	return b
}

func members(all []*Object) []string {
	var out []string
	for _, o := range all {
		out = append(out, o.Member)
	}
	return out
}

func TestArchiveNames(t *testing.T) {
	long := "a_name_of_more_than_fifteen_bytes.o/\nanother_long_name.o/\n"
	b := ar(arMagic,
		arEntry("/", make([]byte, 4)),
		arEntry("//", []byte(long)),
		arEntry("short.o/", plain),
		arEntry("/0", plainELF()),
		arEntry("/37", []byte("odd")),
		arEntry("bare.o", plain),
		arEntry("with space.o/", plain),
		arEntry("#1/8", append([]byte("bsd.o\x00\x00\x00"), plain...)),
		arEntry("#1/20", []byte("__.SYMDEF SORTED\x00\x00\x00\x00")),
		arEntry("/SYM64/", make([]byte, 8)),
		arEntry("__.SYMDEF", make([]byte, 8)),
		arEntry("last.o/", plain),
	)
	all := scan(t, b, Options{})
	assert.Equal(t, []string{"short.o", "a_name_of_more_than_fifteen_bytes.o", "another_long_name.o", "bare.o",
		"with space.o", "bsd.o", "last.o"}, members(all))
	for _, o := range all {
		assert.Equal(t, "input", o.Path)
		if o.Member == "another_long_name.o" {
			assert.Equal(t, StatusNotELF, o.Status)
			assert.Equal(t, "odd", string(b[o.Base:o.Base+o.Size]))
			continue
		}
		assert.Equal(t, StatusOK, o.Status, o.Member)
		require.Len(t, o.SFrames, 1)
		assert.Equal(t, plain, o.SFrames[0].Data)
		assert.Equal(t, plain, b[o.Base+o.SFrames[0].Offset:][:len(plain)], o.Member)
	}
}

func TestArchiveWithoutMembers(t *testing.T) {
	assert.Empty(t, scan(t, []byte(arMagic), Options{}))
	assert.Empty(t, scan(t, []byte(arThinMagic), Options{}))
}

func TestArchiveInArchive(t *testing.T) {
	cut := arEntry("cut.o/", plain)[:20]
	in := ar(arMagic, arEntry("x.o/", plain), cut)
	b := ar(arMagic, arEntry("in.a/", in), arEntry("thin.a/", []byte(arThinMagic)), arEntry("y.o/", plain))
	all := scan(t, b, Options{})
	assert.Equal(t, []string{"in.a(x.o)", "in.a", "thin.a", "y.o"}, members(all))
	assert.Equal(t, plain, b[all[0].Base:][:all[0].Size])
	assert.Equal(t, StatusDamaged, all[1].Status)
	assert.Equal(t, in, b[all[1].Base:][:all[1].Size])
	at := all[1].Faults[0].Span
	assert.Equal(t, cut, b[all[1].Base+at.Off:][:at.Len], "where the inner archive is damaged")
	assert.Equal(t, StatusDamaged, all[2].Status)
	assert.Equal(t, "a thin archive inside another archive", all[2].Detail)

	deep := plain
	for range maxDepth + 1 {
		deep = ar(arMagic, arEntry("a/", deep))
	}
	all = scan(t, deep, Options{})
	require.Len(t, all, 1)
	assert.Equal(t, StatusOK, all[0].Status)
	assert.Equal(t, "a(a(a(a(a(a(a(a(a))))))))", all[0].Member)
	all = scan(t, ar(arMagic, arEntry("a/", deep)), Options{})
	require.Len(t, all, 1)
	assert.Equal(t, StatusDamaged, all[0].Status)
}

func TestDamagedArchives(t *testing.T) {
	good := arEntry("good.o/", plain)
	header := func(name, size, end string) []byte {
		return fmt.Appendf(nil, "%-16s%-12s%-6s%-6s%-8s%-10s%s", name, "0", "0", "0", "644", size, end)
	}
	at := int64(len(arMagic) + len(good))
	tests := []struct {
		name   string
		tail   []byte
		span   model.Span
		detail string
		seen   []string
	}{
		{"header cut off", good[:59], model.Span{Off: at, Len: 59}, "a member's header is cut off: 59 bytes of 60", []string{"good.o", ""}},
		{"terminator", header("x/", "0", "'\n"), model.Span{Off: at + 58, Len: 2}, "a member's header ends in \"'\\n\", not \"`\\n\"", []string{"good.o", ""}},
		{"negative size", header("x/", "-1", "`\n"), model.Span{Off: at + 48, Len: 10}, "a member's size is \"-1        \", which is not a decimal number", []string{"good.o", ""}},
		{"signed size", header("x/", "+1", "`\n"), model.Span{Off: at + 48, Len: 10}, "a member's size is \"+1        \", which is not a decimal number", []string{"good.o", ""}},
		{"no size", header("x/", "", "`\n"), model.Span{Off: at + 48, Len: 10}, "a member's size is \"          \", which is not a decimal number", []string{"good.o", ""}},
		{"hexadecimal size", header("x/", "0x10", "`\n"), model.Span{Off: at + 48, Len: 10}, "a member's size is \"0x10      \", which is not a decimal number", []string{"good.o", ""}},
		{"size beyond", append(header("x.o/", "9999999999", "`\n"), plain...), model.Span{Off: at + 48, Len: 10},
			fmt.Sprintf("member of 9999999999 bytes, %d are left", len(plain)), []string{"good.o", "x.o", ""}},
		{"no long names", header("/12", "0", "`\n"), model.Span{Off: at, Len: 16}, "the name \"/12\" leads to no long name", []string{"good.o", "/12", ""}},
		{"long name at no number", header("/x", "0", "`\n"), model.Span{Off: at, Len: 16}, "the name \"/x\" leads to no long name", []string{"good.o", "/x", ""}},
		{"BSD name too long", header("#1/9", "8", "`\n12345678"), model.Span{Off: at, Len: 16}, "a name of \"9\" bytes in a member of 8", []string{"good.o", ""}},
		{"BSD name like a program", header("#1/4", "8", "`\n\x7fELF5678"), model.Span{Off: at, Len: 16}, "a name that begins like a program, which not all programs take for a name", []string{"good.o", ""}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := append(ar(arMagic, good), tt.tail...)
			all := scan(t, b, Options{})
			assert.Equal(t, tt.seen, members(all))
			last := all[len(all)-1]
			assert.Equal(t, StatusDamaged, last.Status)
			assert.Equal(t, tt.detail, last.Detail)
			assert.Equal(t, []Fault{{Code: ArchiveDamaged, Span: tt.span, FDE: -1, FRE: -1, Detail: tt.detail}}, last.Faults)
			assert.Equal(t, int64(len(b)), last.Size)
		})
	}
}

func TestMemberBeyondTheEndIsReadAsFarAsItGoes(t *testing.T) {
	b := ar(arMagic, arEntry("x.o/", plain))
	b = b[:len(b)-4]
	all := scan(t, b, Options{})
	assert.Equal(t, []string{"x.o", ""}, members(all))
	assert.Equal(t, plain[:len(plain)-4], all[0].SFrames[0].Data)
}

func TestLastMemberNeedsNoPadding(t *testing.T) {
	b := ar(arMagic, arEntry("x.o/", []byte("odd")))
	all := scan(t, b[:len(b)-1], Options{})
	assert.Equal(t, []string{"x.o"}, members(all))
}

// thinEntry is a member of a thin archive: a header without data.
func thinEntry(name string, size int) []byte {
	return arEntry(name, make([]byte, size))[:arHeaderSize]
}

func scanFile(t *testing.T, path string) []*Object {
	t.Helper()
	var out []*Object
	require.NoError(t, Scan(path, Options{}, func(o *Object) error {
		out = append(out, o)
		return nil
	}))
	return out
}

func TestThinArchive(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "sub"), 0o755))
	write := func(name string, b []byte) { require.NoError(t, os.WriteFile(filepath.Join(dir, name), b, 0o644)) }
	write("one.o", plainELF())
	write("sub/two.o", plain)
	abs := filepath.Join(dir, "sub/two.o")
	names := "sub/two.o/\n" + abs + "/\nabsent.o/\nsub/\n"
	ref := func(name string) string { return fmt.Sprintf("/%d", strings.Index(names, name+"/\n")) }
	write("thin.a", ar(arThinMagic,
		arEntry("/", []byte("index")),
		arEntry("//", []byte(names)),
		thinEntry("one.o/", 1), thinEntry(ref("absent.o"), 7), thinEntry(ref("sub/two.o"), 3),
		thinEntry(ref(abs), 3), thinEntry(fmt.Sprintf("/%d", len(names)-len("sub/\n")), 0), thinEntry("one.o/", 1)))
	all := scanFile(t, filepath.Join(dir, "thin.a"))
	assert.Equal(t, []string{"one.o", "absent.o", "sub/two.o", abs, "sub", "one.o"}, members(all))
	for i, want := range []Status{StatusOK, StatusDamaged, StatusOK, StatusRepeated, StatusDamaged, StatusRepeated} {
		assert.Equal(t, want, all[i].Status, all[i].Member)
		assert.Equal(t, filepath.Join(dir, "thin.a"), all[i].Path)
	}
	assert.Equal(t, []FaultCode{MemberUnreadable}, codes(all[1].Faults))
	assert.Contains(t, all[1].Detail, "no such file")
	assert.Contains(t, all[4].Detail, "not a regular file")
	assert.Equal(t, plain, all[2].SFrames[0].Data)
	assert.Equal(t, "the same file as member sub/two.o", all[3].Detail)
}

// TestMembersOutside: the members outside have one fault, which names the directory of all of them.
func TestMembersOutside(t *testing.T) {
	dir := must.Get(filepath.EvalSymlinks(t.TempDir()))(t)
	for _, name := range []string{"arc/in.o", "obj/a/one.o", "obj/b/c/two.o", "obj/b/three.o"} {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), plainELF(), 0o644))
	}
	names := "../obj/a/one.o/\n../obj/b/c/two.o/\n../obj/b/three.o/\n"
	thin := func(refs ...string) string {
		entries := [][]byte{arEntry("//", []byte(names)), thinEntry("in.o/", 1)}
		for _, name := range refs {
			entries = append(entries, thinEntry(fmt.Sprintf("/%d", strings.Index(names, name)), 1))
		}
		path := filepath.Join(dir, "arc/thin.a")
		require.NoError(t, os.WriteFile(path, ar(arThinMagic, entries...), 0o644))
		return path
	}
	all := scanFile(t, thin("../obj/a/one.o", "../obj/b/c/two.o", "../obj/b/three.o"))
	assert.Equal(t, []string{"in.o", ""}, members(all))
	assert.Equal(t, []FaultCode{MemberUnreadable}, codes(all[1].Faults))
	assert.Equal(t, `3 members, the first "../obj/a/one.o", are outside of the archive's directory and of those that were named: add --thin-root `+filepath.Join(dir, "obj"), all[1].Faults[0].Detail)
	all = scanFile(t, thin("../obj/b/c/two.o", "../obj/b/three.o"))
	assert.Contains(t, all[1].Detail, "2 members, ")
	assert.True(t, strings.HasSuffix(all[1].Detail, "--thin-root "+filepath.Join(dir, "obj/b")), all[1].Detail)
	all = scanFile(t, thin("../obj/b/c/two.o"))
	assert.Contains(t, all[1].Detail, `member "../obj/b/c/two.o" is outside`)
}

func TestNestedMemberOfThinArchive(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, b []byte) { require.NoError(t, os.WriteFile(filepath.Join(dir, name), b, 0o644)) }
	first := arEntry("first.o/", []byte("text"))
	table := arEntry("//", []byte("a_name_of_more_than_fifteen_bytes.o/\n"))
	last := len(arMagic) + len(table) + len(first) + arHeaderSize + len(plain)
	write("in.a", append(ar(arMagic, table, first, arEntry("/0", plain)), arEntry("cut.o/", plain)[:arHeaderSize]...))
	at := len(arMagic) + len(table) + len(first)
	write("thin.a", ar(arThinMagic, arEntry("//", []byte("in.a/\n")),
		thinEntry(fmt.Sprintf("/0:%d", at), 0), thinEntry("/0:9", 0), thinEntry("/0:99999999", 0), thinEntry("/0:8", 0),
		thinEntry(fmt.Sprintf("/0:%d", last), 0)))
	all := scanFile(t, filepath.Join(dir, "thin.a"))
	require.Len(t, all, 5)
	assert.Equal(t, "in.a(a_name_of_more_than_fifteen_bytes.o)", all[0].Member)
	assert.Equal(t, plain, all[0].SFrames[0].Data)
	assert.Equal(t, int64(at+arHeaderSize), all[0].Base)
	for _, o := range all[1:] {
		assert.Equal(t, []FaultCode{MemberUnreadable}, codes(o.Faults))
		assert.Contains(t, o.Detail, "no such member")
	}
}

func TestScanErrors(t *testing.T) {
	dir := t.TempDir()
	never := func(*Object) error { t.Error("visited"); return nil }
	assert.ErrorIs(t, Scan(filepath.Join(dir, "absent"), Options{}, never), os.ErrNotExist)
	assert.ErrorContains(t, Scan(dir, Options{}, never), "not a regular file")
	assert.ErrorContains(t, ScanReader("x", strings.NewReader(""), -1, Options{}, never), "negative size")
	assert.ErrorContains(t, ScanReader("x", strings.NewReader(arMagic), 400, Options{}, never), "unexpected EOF")

	stop := errors.New("stop")
	b := ar(arMagic, arEntry("x.o/", plain), arEntry("y.o/", plain))
	seen := 0
	err := ScanReader("x", strings.NewReader(string(b)), int64(len(b)), Options{}, func(*Object) error { seen++; return stop })
	assert.Equal(t, stop, err)
	assert.Equal(t, 1, seen)
}

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
	b := must.Get(os.ReadFile("testdata/p.deb"))(t)
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
