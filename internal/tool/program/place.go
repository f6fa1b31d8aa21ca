package program

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// Place makes a directory below dir for one run, with a file of a name, and returns the path of the file. No program can foresee
// the name of the directory, and nothing that a program has left elsewhere is written to. The caller removes the directory.
func Place(dir, name string, data []byte) (path string, err error) {
	own := filepath.Join(dir, fmt.Sprintf("%016x", rand.Uint64())) // of one length: it is on the stack of the program
	if err := os.Mkdir(own, 0o700); err != nil {
		return "", err
	}
	path = filepath.Join(own, name)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) // O_EXCL does not follow a link
	if err == nil {
		_, err = f.Write(data)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return "", errors.Join(err, os.RemoveAll(own))
	}
	return path, nil
}
