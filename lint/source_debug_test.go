package lint

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDebugPackage(t *testing.T) {
	for name, want := range map[string]string{
		"hello_2.12-1_amd64.deb":               "hello-dbgsym_2.12-1_amd64.deb",
		"hello-2.12-1.fc43.x86_64.rpm":         "hello-debuginfo-2.12-1.fc43.x86_64.rpm",
		"hello-2.12-r1.apk":                    "hello-dbg-2.12-r1.apk",
		"hello-x-2.12-1-x86_64.pkg.tar.zst":    "hello-x-debug-2.12-1-x86_64.pkg.tar.zst",
		"hello.deb":                            "",
		"_1_amd64.deb":                         "",
		"1-x86_64.pkg.tar.zst":                 "",
		"hello.tar":                            "",
		"hello-dbgsym_2.12-1_amd64.deb":        "hello-dbgsym-dbgsym_2.12-1_amd64.deb",
		"linux-image-6.1.0-40_6.1-1_arm64.deb": "linux-image-6.1.0-40-dbgsym_6.1-1_arm64.deb",
	} {
		require.Equal(t, want, debugPackage(name), name)
	}
}
