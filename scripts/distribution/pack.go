package main

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// format is a format of packages or images.
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
	{"oci", "", packOCI, `for layer in $(sed 's/.*"layers"//' "$1"/blobs/sha256/manifest | grep -o 'sha256:[0-9a-f]*'); do
  tar -xzf "$1/blobs/${layer/://}" -C "$2"
done; find "$2" -name '.wh.*' | while read -r f; do rm -rf "$f" "${f/.wh./}"; done`},
	{"squashfs", ".squashfs", func(t *tree, to string) error {
		return shell(t.dir, `mksquashfs . "$1" -noappend -quiet -no-progress -all-root -processors 1 -comp "$2"`, to, of("gzip", "xz", "zstd"))
	}, `unsquashfs -q -n -p 1 -f -d "$2" "$1"`},
}

func (f *format) path(dir string, t *tree) string { return filepath.Join(dir, f.name, t.name+f.ext) }

// packAll makes the packages that are missing.
func (f *format) packAll(dir string, trees []tree) error {
	for i := range trees {
		if err := once(f.path(dir, &trees[i]), func(to string) error { return f.pack(&trees[i], to) }); err != nil {
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
	if err := add(w, t.dir, func(string) bool { return true }); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return z.Close()
}

// add adds what is below a directory and wanted.
func add(w *tar.Writer, dir string, want func(path string) bool) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil || !d.IsDir() && !want(name) {
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

// packOCI writes a layout with two layers. The lower one has half of the files, and one that the upper one removes.
func packOCI(t *tree, to string) error {
	dir := filepath.Join(to, "blobs", "sha256")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	number := 0
	half := map[string]bool{}
	lower := func(path string) bool {
		number++
		half[path] = number%2 == 0
		return half[path]
	}
	first, err := layer(dir, t, lower, "gone", "\x7fELF\x02\x01\x01")
	if err != nil {
		return err
	}
	second, err := layer(dir, t, func(path string) bool { return !half[path] }, ".wh.gone", "")
	if err != nil {
		return err
	}
	type descriptor struct {
		Type   string `json:"mediaType"`
		Digest string `json:"digest"`
		Size   int    `json:"size"`
	}
	manifest, err := json.Marshal(map[string]any{"schemaVersion": 2, "config": descriptor{"application/vnd.oci.empty.v1+json", "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a", 2},
		"layers": []descriptor{{"application/vnd.oci.image.layer.v1.tar+gzip", first, 0}, {"application/vnd.oci.image.layer.v1.tar+gzip", second, 0}}})
	if err != nil {
		return err
	}
	digest := digestOf(manifest)
	index := fmt.Sprintf(`{"schemaVersion":2,"manifests":[{"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"sha256:%s","size":%d}]}`, digest, len(manifest))
	for name, text := range map[string]string{"oci-layout": `{"imageLayoutVersion":"1.0.0"}`, "index.json": index, "blobs/sha256/" + digest: string(manifest),
		"blobs/sha256/44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a": "{}"} {
		if err := os.WriteFile(filepath.Join(to, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return os.Symlink(digest, filepath.Join(dir, "manifest"))
}

func digestOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// layer writes a layer with a file of its own, and returns its digest.
func layer(dir string, t *tree, want func(string) bool, name, text string) (string, error) {
	f, err := os.Create(filepath.Join(dir, "layer"))
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	z := gzip.NewWriter(io.MultiWriter(f, sum))
	w := tar.NewWriter(z)
	if err := add(w, t.dir, want); err != nil {
		return "", err
	}
	if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text)), Typeflag: tar.TypeReg}); err != nil {
		return "", err
	}
	if _, err := io.Copy(w, strings.NewReader(text)); err != nil {
		return "", err
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	if err := z.Close(); err != nil {
		return "", err
	}
	digest := hex.EncodeToString(sum.Sum(nil))
	return "sha256:" + digest, os.Rename(f.Name(), filepath.Join(dir, digest))
}
