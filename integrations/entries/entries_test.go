// Package entries holds the files that are read in packages against those that other programs list.
package entries

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/reader"
)

var entryTrees = flag.Int("trees", 3, "number of trees that are packed in each way")

// packings are ways to pack a directory: the programs, a script that packs all of it into "$1", and one that lists "$1". long says
// that the format has room for long names.
var packings = []struct {
	needs, pack, list string
	long              bool
}{
	{"tar bsdtar", `tar --format=v7 -cf "$1" *`, `bsdtar -tf "$1"`, false},
	{"tar bsdtar", `tar --format=ustar -cf "$1" ./*`, `bsdtar -tf "$1"`, false},
	{"tar python3", `tar --format=oldgnu -S -cf "$1" *`, `python3 -m tarfile -l "$1"`, true},
	{"tar python3", `tar --format=gnu -S -cf "$1" *; tar -rf "$1" *`, `python3 -m tarfile -l "$1"`, true},
	{"tar bsdtar", `tar --format=posix -S --sparse-version=1.0 -cf "$1" *`, `bsdtar -tf "$1"`, true},
	{"bsdtar tar", `bsdtar --format=pax --xattrs --acls -cf "$1" *`, `tar -tf "$1"`, true},
	{"tar xz bsdtar", `tar -cf - * | xz -c --block-size=3KiB --x86 --lzma2=preset=1 > "$1"`, `bsdtar -tf "$1"`, true},
	{"tar xz bsdtar", `tar -cf - * > t; (head -c 2000 t | xz -c; tail -c +2001 t | xz -c --check=sha256 --delta=dist=4 --lzma2=dict=64KiB) > "$1"; rm t`, `xz -dc "$1" | bsdtar -tf -`, true},
	{"tar zstd bsdtar", `tar -cf - * | zstd -q -c --long=27 > "$1"`, `zstd -dc --long=27 "$1" | bsdtar -tf -`, true},
	{"tar zstd", `tar -cf - * > t; (printf 'P*M\x18\x02\0\0\0ab'; head -c 2000 t | zstd -q -c -1; tail -c +2001 t | zstd -q -c -19) > "$1"; rm t`, `zstd -dc "$1" | tar -tf -`, true},
	{"tar gzip", `tar -cf - * > t; (head -c 2000 t | gzip -c; tail -c +2001 t | gzip -c) > "$1"; rm t`, `tar -tzf "$1"`, true},
	{"tar bzip2", `tar -cjf "$1" *`, `tar -tjf "$1"`, true},
	{"cpio bsdtar", `find . -mindepth 1 | cpio -o --quiet -H newc > "$1"`, `bsdtar -tf "$1"`, true},
	{"cpio", `find . -mindepth 1 | cpio -o --quiet -H crc > "$1"`, `cpio -it --quiet < "$1"`, true},
	{"cpio bsdtar", `find . -mindepth 1 | cpio -o --quiet -H odc > "$1"`, `bsdtar -tf "$1"`, true},
	{"bsdtar python3", `bsdtar --format=zip -cf "$1" *`, `python3 -m zipfile -l "$1" | tail -n +2`, true},
	{"python3 unzip", `python3 -c 'import sys,os,zipfile
z=zipfile.ZipFile(sys.argv[1],"w")
for i,p in enumerate(sorted(os.listdir("."))):
    if not os.path.isfile(p): continue
    n=zipfile.ZipInfo(p); n.compress_type=[0,8,12][i%3]
    with z.open(n,"w",force_zip64=i%2==0) as f: f.write(open(p,"rb").read())
z.close()' "$1"`, `unzip -Z1 "$1"`, true},
	{"python3", `(echo '#!/bin/sh'; python3 -c 'import sys,os,zipfile
z=zipfile.ZipFile(sys.stdout.buffer,"w",8)
for p in sorted(os.listdir(".")):
    if os.path.isfile(p): z.write(p)
z.close()') > "$1"`, `python3 -m zipfile -l "$1" | tail -n +2`, true},
	{"dpkg-deb tar", deb + `-Zxz -b . "$1"`, `dpkg-deb --fsys-tarfile "$1" | tar -tf -`, true},
	{"dpkg-deb tar", deb + `-Zzstd -b . "$1"`, `dpkg-deb --fsys-tarfile "$1" | tar -tf -`, true},
	{"dpkg-deb tar", deb + `-Zgzip -b . "$1"`, `dpkg-deb --fsys-tarfile "$1" | tar -tf -`, true},
	{"dpkg-deb tar", deb + `-Znone -b . "$1"`, `dpkg-deb --fsys-tarfile "$1" | tar -tf -`, true},
	{"rpmbuild rpm2cpio cpio", rpm + `w6.gzdio" x.spec; mv top/RPMS/*/*.rpm "$1"`, `rpm2cpio "$1" | cpio -it --quiet`, true},
	{"rpmbuild rpm2cpio cpio", rpm + `w3.zstdio" x.spec; mv top/RPMS/*/*.rpm "$1"`, `rpm2cpio "$1" | cpio -it --quiet`, true},
	{"rpmbuild rpm2cpio cpio", rpm + `w2.xzdio" x.spec; mv top/RPMS/*/*.rpm "$1"`, `rpm2cpio "$1" | cpio -it --quiet`, true},
	{"ar", `ar rc "$1" *.o`, `ar t "$1"`, true},
}

const deb = `mkdir DEBIAN; printf 'Package: x\nVersion: 1\nArchitecture: all\nMaintainer: x <x@example.org>\nDescription: x\n' > DEBIAN/control; dpkg-deb `

// rpm is the beginning of a script, which ends in how the archive of the files is compressed.
const rpm = `cat > x.spec <<EOF
Name: x
Version: 1
Release: 1
Summary: x
License: x
AutoReqProv: no
%description
x
%install
mkdir -p %{buildroot}/opt/x
cp -a $PWD/*.o %{buildroot}/opt/x
%files
/opt/x
EOF
rpmbuild -bb --quiet --define '__os_install_post %{nil}' --define 'debug_package %{nil}' --define "_topdir $PWD/top" --define "_binary_payload `

// tree writes files of all kinds. Those that begin like programs end in .o.
func tree(t *testing.T, r *rand.Rand, long bool) string {
	dir := t.TempDir()
	for i := range 3 + r.IntN(20) {
		name := fmt.Sprintf("f%d", i)
		if long && r.IntN(3) == 0 {
			name += strings.Repeat("n", 90+r.IntN(140))
		}
		body := make([]byte, r.IntN(1<<r.IntN(15)))
		for i := range body {
			body[i] = byte(r.IntN(7))
		}
		if r.IntN(3) > 0 {
			name, body = name+".o", append([]byte("\x7fELF"), body...)
		}
		f, err := os.Create(filepath.Join(dir, name))
		require.NoError(t, err)
		_, err = f.Write(body)
		require.NoError(t, err)
		if r.IntN(4) == 0 { // a hole, and more after it
			_, err = f.WriteAt([]byte("end"), int64(len(body)+r.IntN(1<<18)))
			require.NoError(t, err)
		}
		require.NoError(t, f.Close())
		if r.IntN(6) == 0 {
			require.NoError(t, os.Symlink(name, filepath.Join(dir, name+".link")))
		}
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "z.o"), []byte("\x7fELF"), 0o600))
	return dir
}

// TestEntries holds the files that are read in packages against those that the programs list which write them.
func TestEntries(t *testing.T) {
	for i, p := range packings {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			for _, name := range strings.Fields(p.needs) {
				if _, err := exec.LookPath(name); err != nil {
					t.Skip("there is no " + name)
				}
			}
			for seed := range uint64(*entryTrees) {
				dir, file := tree(t, rand.New(rand.NewPCG(uint64(i), seed)), p.long), filepath.Join(t.TempDir(), "p")
				shell := func(script string) string {
					c := exec.Command("bash", "-ec", "set -o pipefail; "+script, "bash", file)
					c.Dir, c.Env = dir, append(os.Environ(), "LC_ALL=C.UTF-8")
					out, err := c.Output()
					require.NoError(t, err, "%s: %v", script, err)
					return string(out)
				}
				shell(p.pack)
				var want, got []string
				for line := range strings.Lines(shell(p.list)) {
					if name := strings.Fields(line)[0]; strings.HasSuffix(name, ".o") {
						want = append(want, filepath.Base(name))
					}
				}
				require.NoError(t, reader.Scan(file, reader.Options{}, func(o *reader.Object) error {
					require.NotEqual(t, file, o.Path+o.Member, "%s: %s", p.pack, o.Detail)
					if name := filepath.Base(o.Path + "/" + o.Member); strings.HasSuffix(name, ".o") {
						got = append(got, name)
					}
					return nil
				}))
				slices.Sort(want)
				slices.Sort(got)
				require.NotEmpty(t, want, p.pack)
				require.Equal(t, want, got, p.pack)
			}
		})
	}
}
