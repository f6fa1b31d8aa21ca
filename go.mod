module github.com/sframe-lint/sframe-lint

go 1.26.8
