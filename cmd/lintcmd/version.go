package lintcmd

const homepage = "https://github.com/sframe-lint/sframe-lint"

// version is set by the linker where a release is built outside of the go
// command's knowledge: -X github.com/sframe-lint/sframe-lint/cmd/lintcmd.version=...
var version string
