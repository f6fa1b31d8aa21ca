package rewrite_test

import (
	"fmt"
	"os"

	"github.com/sframe-lint/sframe-lint/internal/tool/rewrite"
	"github.com/sframe-lint/sframe-lint/model"
)

// Convert a section of version 2 to version 3.
func ExampleBuild() {
	data, err := os.ReadFile("../../../corpus/files/raw/binutils-2.44-amd64-static.sframe")
	if err != nil {
		fmt.Println(err)
		return
	}
	pieces, err := rewrite.Split(data, 0, false)
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := rewrite.Build(pieces, rewrite.Changes{Version: model.SFRAME_VERSION_3})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(pieces[0].Version(), "in", len(data), "bytes")
	fmt.Println(result.Section.Version(), "in", len(result.Data), "bytes")
	// Output:
	// V2 in 236 bytes
	// V3 in 242 bytes
}
