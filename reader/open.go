package reader

import "errors"

// Open reads the .sframe sections of the file at path: those of an ELF file or of the members of an
// archive, or a raw section. They can be used after the file has changed. Whatever is wrong with a
// section, its Faults say; what could be decoded is in its Section.
//
// The error is that of the first object that could not be read, or of I/O; the sections of the others
// are returned with it. [Scan] also tells what else is in the file.
func Open(path string) (all []*SFrame, err error) {
	var unread error
	err = Scan(path, Options{}, func(o *Object) error {
		all = append(all, o.SFrames...)
		switch o.Status {
		case StatusNotELF, StatusNotRead, StatusDamaged:
			if unread == nil && len(o.SFrames) == 0 {
				unread = errors.New(name(o) + ": " + o.Detail)
			}
		}
		return nil
	})
	if err == nil {
		err = unread
	}
	return all, err
}

// name returns the path of an object, with the member in parentheses as in archives.
func name(o *Object) string {
	if o.Member == "" {
		return o.Path
	}
	return o.Path + "(" + o.Member + ")"
}
