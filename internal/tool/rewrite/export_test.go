package rewrite

// Split returns the sections that data consists of.
func Split(data []byte, addr uint64, relocatable bool) ([]Piece, error) {
	return split(data, addr, relocatable, nil)
}
