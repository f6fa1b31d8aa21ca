//go:build !unix

package regular

import "os"

const readOnly = os.O_RDONLY

func open(path string) (*os.File, error) { return os.Open(path) }
