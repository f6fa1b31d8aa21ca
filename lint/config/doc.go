// Package config reads the configuration of sframe-lint, a YAML file. Unknown keys,
// rules and levels are errors, which name the line and column.
package config
