package shrink_test

import (
	"bytes"
	"fmt"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/tool/shrink"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Minimize an ELF file that contains a signal frame.
func ExampleSearch() {
	knobs := generator.Default()
	knobs.Signal = 50
	plan, err := generator.Generate(knobs)
	if err != nil {
		fmt.Println(err)
		return
	}
	file, err := generator.WrapExec(plan)
	if err != nil {
		fmt.Println(err)
		return
	}
	search := &shrink.Search{Keep: hasSignalFrame, MaxTries: 5000}
	small := search.File(file.Bytes)
	fmt.Println(len(small) < len(file.Bytes)/10, hasSignalFrame(small))
	// Output: true true
}

func hasSignalFrame(data []byte) (found bool) {
	err := reader.ScanReader("file", bytes.NewReader(data), int64(len(data)), reader.Options{}, func(o *reader.Object) error {
		for _, sf := range o.SFrames {
			for i := 0; sf.Section != nil && i < sf.Section.NumFDEs(); i++ {
				found = found || sf.Section.FDE(i).Signal()
			}
		}
		return nil
	})
	return found && err == nil
}

// Minimize any bytes.
func ExampleLoop() {
	loop := shrink.Loop[[]byte]{
		Value: []byte("some text with a needle in it"),
		Keep:  func(b []byte) bool { return bytes.Contains(b, []byte("needle")) },
	}
	fmt.Printf("%s\n", loop.Run(shrink.Bytes))
	// Output: needle
}
