package minimize

import "github.com/sframe-lint/sframe-lint/generator"

// archive looks for a member that will do, by itself or alone in an archive,
// and shrinks it; nil where there is none.
func archive(data []byte, keep func([]byte) bool) []byte {
	for _, o := range scan(data) {
		if o.Member == "" || o.Base < 0 || o.Base+o.Size > int64(len(data)) {
			continue
		}
		member := data[o.Base : o.Base+o.Size]
		if keep(member) {
			return File(member, keep)
		}
		around := func(b []byte) []byte {
			a, err := generator.WrapArchive([]generator.Member{{Name: "a.o", Bytes: b}})
			if err != nil {
				return nil
			}
			return a
		}
		alone := func(b []byte) bool {
			a := around(b)
			return a != nil && keep(a)
		}
		if alone(member) {
			return around(File(member, alone))
		}
	}
	return nil
}
