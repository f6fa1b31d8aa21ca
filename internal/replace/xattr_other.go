//go:build !linux

package replace

import "os"

func copyAttributes(*os.File, string) error { return nil }
