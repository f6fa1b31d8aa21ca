package dump_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/tool/dump"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Print the header of a section as objdump does.
func ExampleObjdump() {
	var text strings.Builder
	err := reader.Scan("../../../corpus/files/binutils-2.47/amd64/one.elf", reader.Options{}, func(o *reader.Object) error {
		return dump.Objdump(&text, o, o.SFrames[0])
	})
	if err != nil {
		log.Fatal(err)
	}
	header, _, _ := strings.Cut(text.String(), "  Function Index")
	fmt.Print(header)
	// Output:
	// Contents of the SFrame section .sframe:
	//   Header :
	//
	//     Version: SFRAME_VERSION_3
	//     Flags: SFRAME_F_FDE_SORTED,
	//            SFRAME_F_FDE_FUNC_START_PCREL
	//     CFA fixed RA offset: -8
	//     Num FDEs: 5
	//     Num FREs: 22
}

// Print all fields of one function, with their bytes and meanings.
func ExampleFull() {
	var text strings.Builder
	err := reader.Scan("../../../corpus/files/binutils-2.47/amd64/one.elf", reader.Options{}, func(o *reader.Object) error {
		return dump.Full(&text, o, o.SFrames[0], dump.Selection{Func: "leaf"})
	})
	if err != nil {
		log.Fatal(err)
	}
	_, function, _ := strings.Cut(text.String(), "\n\nFDE ")
	fmt.Print(function)
	// Output:
	// [0] leaf
	//   entry       0x001c  c4 fe ff ff ff ff ff ff | 04 00 00 00 | 00 00 00 00
	//   attribute   0x006c  01 00 | 00 | 00 | 00
	//   start       0x4000e8 (field -316, from the field), in [1] .text
	//   range       [0x4000e8,0x4000ec), 4 bytes
	//   FREs        1, ADDR1, at 0x71 (sfdi_func_start_fre_off 0x0)
	//   info        PC type INC, FDE type DEFAULT, sfda_func_rep_size 0
	//   offset  start   PCs                  CFA         RA          FP          base  words       bytes
	//   0x0071  0x0     [0x4000e8,0x4000ec)  rsp+8       *(CFA-8)    unchanged   SP    8           00 03 08
}
