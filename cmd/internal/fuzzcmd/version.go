package fuzzcmd

// version is set by the linker if a release is built without version control
// information: -X github.com/sframe-lint/sframe-lint/cmd/internal/fuzzcmd.version=...
var version string
