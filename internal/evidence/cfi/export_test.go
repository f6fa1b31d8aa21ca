package cfi

// NumCIEs returns the number of CIEs, including those that can't be decoded.
func (s *Section) NumCIEs() int { return len(s.cies) }
