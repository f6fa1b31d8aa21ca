package container

import (
	"archive/tar"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// blobs are the files of an image of a container.
type blobs interface {
	// index returns the files by their names, nil if this is no such image.
	index() (map[string]blob, error)
}

// blob is a file of an image.
type blob struct {
	r    io.ReaderAt
	size int64
}

// mostBlobs is how many files an image has at most, and mostJSON how many bytes one that describes it.
const (
	mostBlobs   = 4096
	mostJSON    = 4 << 20
	mostIndices = 64
)

// tarBlobs are those in a tar archive.
type tarBlobs struct{ r *io.SectionReader }

func (t tarBlobs) index() (map[string]blob, error) {
	all := map[string]blob{}
	z := tar.NewReader(t.r)
	for {
		h, err := z.Next()
		if err != nil || len(all) > mostBlobs { // who reads the archive reports the error
			break
		}
		if h.Typeflag != tar.TypeReg {
			if h.Typeflag == tar.TypeSymlink && all != nil { // docker links layers that are the same
				if b, ok := all[path.Join(path.Dir(path.Clean(h.Name)), h.Linkname)]; ok {
					all[path.Clean(h.Name)] = b
				}
			}
			continue
		}
		at, err := t.r.Seek(0, io.SeekCurrent)
		if err != nil {
			return nil, err
		}
		all[path.Clean(h.Name)] = blob{io.NewSectionReader(t.r, at, h.Size), h.Size}
	}
	_, docker := all["manifest.json"]
	_, oci := all[layoutMark]
	if !docker && !oci || len(all) > mostBlobs {
		return nil, nil
	}
	return all, nil
}

// layered is an image: a name if there are several, and its layers from the lowest to the uppermost.
type layered struct {
	name   string
	layers []string
}

// image reads an image of a container as its processes see it: what an upper layer replaces or removes is not
// read. done is false for another archive.
func (w *walk) image(at place, src blobs) (done bool, err error) {
	files, err := src.index()
	if files == nil {
		return false, nil
	}
	if err != nil {
		return true, err
	}
	images, err := imagesOf(files)
	if len(images) == 0 {
		if _, oci := files[layoutMark]; !oci && err != nil {
			return false, nil // another archive with a manifest.json
		}
		return true, err
	}
	for _, image := range images {
		in := place{name: at.name, depth: at.depth, layers: at.layers, over: &overlay{seen: map[string]hiding{}, root: image.name}}
		for i := len(image.layers) - 1; i >= 0; i-- {
			b, ok := files[image.layers[i]]
			if !ok {
				return true, fmt.Errorf("it has no layer %q", image.layers[i])
			}
			head := make([]byte, min(HeadSize, b.size))
			if err := readFullAt(b.r, head, 0); err != nil {
				return true, err
			}
			if k := KindOf(head, nil, 0); k != Tar && !k.compressed() {
				if k == None && len(head) == 0 {
					continue
				}
				return true, fmt.Errorf("the layer %q is not a tar archive", image.layers[i])
			}
			sec := io.NewSectionReader(w.readAt(b.r), 0, b.size)
			if KindOf(head, nil, 0) == Tar {
				err = w.fault(in, w.tar(in, sec))
			} else {
				err = w.stream(in, newBuffered(sec))
			}
			if err != nil {
				return true, err
			}
			if err := in.over.next(w); err != nil {
				return true, err
			}
		}
		in.over.end(w)
	}
	return true, err
}

// imagesOf returns the images that the files describe: in the way of OCI if they do, else of docker save.
func imagesOf(files map[string]blob) ([]layered, error) {
	if _, ok := files["index.json"]; ok {
		left := mostIndices
		images, err := ociImages(files, "index.json", &left)
		if len(images) > 1 {
			for i := range images {
				if images[i].name == "" {
					images[i].name = fmt.Sprintf("/image-%d", i+1)
				}
			}
		} else if len(images) == 1 {
			images[0].name = ""
		}
		return images, err
	}
	var list []struct {
		RepoTags []string
		Layers   []string
	}
	if err := decode(files, "manifest.json", &list); err != nil {
		return nil, err
	}
	var images []layered
	for i, m := range list {
		x := layered{}
		if len(list) > 1 {
			x.name = fmt.Sprintf("/image-%d", i+1)
			if len(m.RepoTags) > 0 {
				x.name = path.Clean("/" + m.RepoTags[0])
			}
		}
		for _, l := range m.Layers {
			x.layers = append(x.layers, path.Clean(l))
		}
		if len(x.layers) > 0 {
			images = append(images, x)
		}
	}
	if len(images) == 0 {
		return nil, errors.New("its manifest.json has no layers")
	}
	return images, nil
}

// ociImages returns the images of an index.
func ociImages(files map[string]blob, name string, left *int) (all []layered, err error) {
	if *left--; *left < 0 {
		return nil, errors.New("it has too many manifests")
	}
	var index struct {
		Manifests []struct {
			Digest      string            `json:"digest"`
			Annotations map[string]string `json:"annotations"`
			Platform    struct {
				OS   string `json:"os"`
				Arch string `json:"architecture"`
			} `json:"platform"`
		} `json:"manifests"`
		Layers []struct {
			Digest string `json:"digest"`
		} `json:"layers"`
	}
	if err := decode(files, name, &index); err != nil {
		return nil, err
	}
	if len(index.Layers) > 0 {
		x := layered{}
		for _, l := range index.Layers {
			x.layers = append(x.layers, blobName(l.Digest))
		}
		all = append(all, x)
	}
	for _, m := range index.Manifests {
		if m.Annotations["vnd.docker.reference.type"] != "" || m.Platform.OS == "unknown" {
			continue // an attestation
		}
		inner, err := ociImages(files, blobName(m.Digest), left)
		if err != nil {
			return all, err
		}
		for _, x := range inner {
			if x.name == "" && m.Platform.OS != "" {
				x.name = path.Clean("/" + m.Platform.OS + "/" + m.Platform.Arch)
			}
			all = append(all, x)
		}
	}
	return all, nil
}

func blobName(digest string) string {
	return path.Clean("blobs/" + strings.Replace(digest, ":", "/", 1))
}

func decode(files map[string]blob, name string, v any) error {
	b, ok := files[name]
	if !ok {
		return fmt.Errorf("it has no %q", name)
	}
	if b.size > mostJSON {
		return fmt.Errorf("%q has %d bytes", name, b.size)
	}
	text := make([]byte, b.size)
	if err := readFullAt(b.r, text, 0); err != nil {
		return err
	}
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("%q: %w", name, err)
	}
	return nil
}

// hiding is what an entry of an upper layer hides in lower ones.
type hiding uint8

const (
	hidesFile  hiding = iota + 1 // a file of this path
	hidesBelow                   // what is below this path
	hidesAll                     // both
)

// overlay are the paths of the upper layers.
type overlay struct {
	root string // of the image if there are several
	seen map[string]hiding
	now  map[string]hiding // of the layer that is read
	held int64
}

// whiteout marks what a layer removes.
const (
	whiteout = ".wh."
	opaque   = ".wh..wh..opq"
)

// hides reports whether an upper layer hides an entry, and notes what the entry hides. It puts the root of the
// image before the name.
func (o *overlay) hides(w *walk, h *tar.Header) (bool, error) {
	name := path.Clean("/" + h.Name)
	if len(name) > maxName {
		return false, nil // who reads it says so
	}
	note := func(name string, v hiding) error {
		n := int64(len(name)) + 64
		if err := w.take(n); err != nil {
			return err
		}
		if o.now == nil {
			o.now = map[string]hiding{}
		}
		o.held += n
		o.now[name] |= v
		return nil
	}
	dir, base := path.Split(name)
	dir = path.Clean(dir)
	if base == opaque {
		return true, note(dir, hidesBelow)
	}
	if strings.HasPrefix(base, whiteout) {
		return true, note(path.Join(dir, base[len(whiteout):]), hidesAll)
	}
	isDir := h.Typeflag == tar.TypeDir
	hidden := o.seen[name]&hidesFile != 0 && !isDir || o.seen[name] == hidesAll
	for up := dir; !hidden; up = path.Dir(up) {
		hidden = o.seen[up]&hidesBelow != 0
		if up == "/" {
			break
		}
	}
	if hidden {
		return true, nil
	}
	h.Name = o.root + name
	if isDir {
		return false, note(name, hidesFile)
	}
	return false, note(name, hidesAll)
}

// next goes on with the layer below.
func (o *overlay) next(w *walk) error {
	for name, v := range o.now {
		o.seen[name] |= v
	}
	o.now = nil
	return w.stopped()
}

func (o *overlay) end(w *walk) { _ = w.Hold(-o.held) }
