module github.com/sframe-lint/sframe-lint

go 1.26.8

require (
	github.com/leanovate/gopter v0.2.11 // indirect
	github.com/spf13/pflag v1.0.10 // indirect
	github.com/stretchr/testify v1.12.1 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/tools v0.52.0 // indirect
)
