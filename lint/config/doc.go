// Package config reads the configuration of sframe-lint, a YAML file, and
// knows which quirks a producer has. The file is strict: what it says and
// nobody understands is an error with its line and column.
package config
