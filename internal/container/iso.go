package container

import (
	"encoding/binary"
	"errors"
	"io"
	"strings"
)

const isoSector = 2048

// iso reads an ISO 9660 image, with the names of Rock Ridge if it has them.
type iso struct {
	w       *walk
	r       io.ReaderAt
	size    int64
	visited visited
}

// iso reads an image.
func (w *walk) iso(at place, r io.ReaderAt, size int64) error {
	var b [isoSector]byte
	if err := readFullAt(r, b[:], 16*isoSector); err != nil {
		return err
	}
	x := &iso{w, w.readAt(r), size, visited{w: w}}
	defer x.visited.drop()
	if n := binary.LittleEndian.Uint16(b[128:]); n != isoSector {
		return errors.New("its sectors do not have 2048 bytes")
	}
	root := b[156:]
	return x.dir(at, "", binary.LittleEndian.Uint32(root[2:]), int64(binary.LittleEndian.Uint32(root[10:])), 0)
}

// isoFile is a file in one or several parts.
type isoFile struct {
	name  string
	parts []io.Reader
	size  int64
}

// dir reads the directory at a sector.
func (x *iso) dir(at place, name string, sector uint32, size int64, depth int) error {
	if err := x.visited.add(uint64(sector), depth); err != nil {
		return err
	}
	var b [isoSector]byte
	var f isoFile
	from := int64(sector) * isoSector
	if from > x.size || size > x.size-from {
		return errors.New("a directory is outside of the image")
	}
	le := binary.LittleEndian
	for off := int64(0); off < size; off += isoSector {
		if err := x.w.call(x.w.Step()); err != nil {
			return err
		}
		if err := readFullAt(x.r, b[:], from+off); err != nil {
			return err
		}
		for i := 0; i+34 <= len(b) && b[i] != 0; {
			length := int(b[i])
			chars := 0
			if length >= 34 {
				chars = int(b[i+32])
			}
			if length < 34 || i+length > len(b) || 33+chars > length {
				return errors.New("a directory is wrong")
			}
			rec := b[i : i+length]
			i += length
			if chars == 1 && rec[33] <= 1 { // the directory and the one above
				continue
			}
			extent, bytes, flags := le.Uint32(rec[2:])+uint32(rec[1]), int64(le.Uint32(rec[10:])), rec[25]
			child := name + "/" + isoName(rec, chars)
			if flags&2 != 0 {
				if err := x.w.ended(x.dir(at, child, extent, bytes, depth+1)); err != nil {
					return err
				}
				continue
			}
			start := int64(extent) * isoSector
			if start > x.size || bytes > x.size-start {
				return errors.New("a file is outside of the image")
			}
			f.name, f.size = child, f.size+bytes
			f.parts = append(f.parts, io.NewSectionReader(x.r, start, bytes))
			if flags&0x80 != 0 && len(f.parts) < 1<<12 {
				continue // more of it follows
			}
			if err := x.file(at, &f); err != nil {
				return err
			}
			f = isoFile{}
		}
	}
	return nil
}

func (x *iso) file(at place, f *isoFile) error {
	path, ok, err := x.w.clean(at, f.name)
	if err != nil || !ok {
		return err
	}
	return x.w.entry(at, path, f.size, io.MultiReader(f.parts...))
}

// isoName returns the name in a record.
func isoName(rec []byte, chars int) string {
	name := ""
	for i := 33 + chars + (1 - chars&1); i+5 <= len(rec); {
		n := int(rec[i+2])
		if n < 4 || i+n > len(rec) {
			break
		}
		if string(rec[i:i+2]) == "NM" && n >= 5 && rec[i+4]&6 == 0 {
			name += string(rec[i+5 : i+n])
		}
		i += n
	}
	if name != "" {
		return name
	}
	name, _, _ = strings.Cut(string(rec[33:33+chars]), ";")
	return strings.TrimSuffix(name, ".")
}
