package shrink

import (
	"bytes"

	"github.com/sframe-lint/sframe-lint/generator"
)

// reduceArchive replaces an archive by one of its members, or by an archive of one
// member, and reduces that member.
func reduceArchive(l *Loop[[]byte]) {
	data := l.Value
	if !bytes.HasPrefix(data, []byte(archiveMagic)) {
		return
	}
	for _, o := range scan(data) {
		if o.Member == "" || o.Base < 0 || o.Base+o.Size > int64(len(data)) {
			continue
		}
		member := data[o.Base : o.Base+o.Size]
		if l.Try(member) {
			reduceFile(l)
			return
		}
		alone := within(l, member, func(b []byte) ([]byte, bool) {
			a, err := generator.WrapArchive([]generator.Member{{Name: "a.o", Bytes: b}})
			return a, err == nil
		})
		if alone.Try(member) {
			reduceFile(alone)
			return
		}
	}
}
