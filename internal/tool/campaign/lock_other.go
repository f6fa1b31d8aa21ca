//go:build !unix

package campaign

import "os"

func lock(*os.File) error { return nil }
