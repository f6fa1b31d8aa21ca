package main

import (
	"archive/tar"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// format is a format of packages.
type format struct {
	name, ext string
	pack      func(t *tree, to string) error
	unpack    string // a script with the package $1 and the empty directory $2
}

// compressions are those of the formats that have several: packages take turns.
var turn int

func of(all ...string) string {
	turn++
	return all[turn%len(all)]
}

var formats = []format{
	{"deb", ".deb", func(t *tree, to string) error {
		return shell(t.dir, `mkdir DEBIAN; trap 'rm -r DEBIAN' EXIT
printf 'Package: %s\nVersion: 1\nArchitecture: all\nMaintainer: x <x@example.org>\nDescription: x\n' "$2" > DEBIAN/control
dpkg-deb -Z"$3" --root-owner-group -b . "$1"`, to, t.name, of("xz", "zstd", "gzip"))
	}, `dpkg-deb -x "$1" "$2"`},
	{"rpm", ".rpm", packRPM, `cd "$2"; rpm2cpio "$1" | cpio -id --quiet`},
	{"apk", ".apk", packAPK, `tar -xzf "$1" -C "$2" --warning=no-unknown-keyword`},
	{"pkg.tar.zst", ".pkg.tar.zst", func(t *tree, to string) error {
		return shell(t.dir, `printf 'pkgname = %s\npkgver = 1-1\n' "$2" > .PKGINFO; trap 'rm -f .PKGINFO .MTREE' EXIT
bsdtar -czf .MTREE --format=mtree --options='!all,use-set,type,uid,gid,mode,time,size,md5,sha256,link' .PKGINFO *
bsdtar --no-fflags -cf - .MTREE .PKGINFO * | zstd -q -c -T1 - > "$1"`, to, t.name)
	}, `tar --zstd -xf "$1" -C "$2"`},
}

func (f *format) path(dir string, t *tree) string { return filepath.Join(dir, f.name, t.name+f.ext) }

// packAll makes the packages that are missing.
func (f *format) packAll(dir string, trees []tree) error {
	for i := range trees {
		if err := makeMissing(f.path(dir, &trees[i]), func(to string) error { return f.pack(&trees[i], to) }); err != nil {
			return err
		}
	}
	return nil
}

// packRPM runs rpmbuild, which changes none of the files.
func packRPM(t *tree, to string) error {
	return shell(t.dir, `work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cat > "$work/spec" <<END
%global debug_package %{nil}
%global __os_install_post %{nil}
%global _build_id_links none
%global _binary_payload $3
%global _binaries_in_noarch_packages_terminate_build 0
Name: $(tr - _ <<< "$2")
Version: 1
Release: 1
Summary: x
License: x
BuildArch: noarch
AutoReqProv: no
%description
%install
mkdir -p %{buildroot}
cp -a "$PWD/." %{buildroot}
%files
%dir /
$(find . -mindepth 1 -maxdepth 1 -printf '"/%P"\n')
END
rpmbuild -bb --quiet --define "_topdir $work" --define "_rpmdir $work/out" "$work/spec"
mv "$work"/out/noarch/*.rpm "$1"`, to, t.name, of("w3.xzdio", "w9.zstdio", "w6.gzdio"))
}

// packAPK writes the two segments of a package of Alpine: its description and its files, each compressed by gzip.
func packAPK(t *tree, to string) error {
	f, err := os.Create(to)
	if err != nil {
		return err
	}
	defer f.Close()
	z := gzip.NewWriter(f)
	w := tar.NewWriter(z)
	info := "pkgname = " + t.name + "\npkgver = 1-r0\n"
	if err := w.WriteHeader(&tar.Header{Name: ".PKGINFO", Mode: 0o644, Size: int64(len(info)), Typeflag: tar.TypeReg}); err != nil {
		return err
	}
	if _, err := io.WriteString(w, info); err != nil {
		return err
	}
	if err := w.Flush(); err != nil { // the segment has no end of an archive
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	z.Reset(f)
	w = tar.NewWriter(z)
	if err := add(w, t.dir); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return z.Close()
}

// add adds what is below a directory.
func add(w *tar.Writer, dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		link := ""
		if info.Mode()&fs.ModeSymlink != 0 {
			if link, err = os.Readlink(path); err != nil {
				return err
			}
		}
		h, err := tar.FileInfoHeader(info, link)
		if err != nil {
			return err
		}
		h.Name = name
		if d.IsDir() {
			h.Name += "/"
		}
		if err := w.WriteHeader(h); err != nil || !info.Mode().IsRegular() {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = io.Copy(w, f)
		return err
	})
}
