//go:build !unix

package regular

import "os"

const readOnly = os.O_RDONLY
