package fuzzcmd

// version is set by the linker where a release is built outside of the go
// command's knowledge: -X github.com/sframe-lint/sframe-lint/cmd/internal/fuzzcmd.version=...
var version string
