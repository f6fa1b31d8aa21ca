package container

import (
	"bufio"
	"errors"
	"io"
)

// The header of a Linux kernel for x86, a bzImage. What it loads is an ELF file, which is mostly compressed.
const (
	kernelBoot    = 0x1fe // the end of a boot sector
	kernelMagic   = 0x202
	kernelVersion = 0x206 // of the boot protocol
	kernelSetup   = 0x1f1 // sectors before the code, besides the first one
	kernelPayload = 0x248 // where the ELF file is in the code, and its bytes
	kernelHead    = kernelPayload + 8
	kernelLeast   = 0x208 // the first version that says where the ELF file is
	kernelSize    = 4     // bytes after compressed data: the size of the ELF file, which gzip has itself
)

func isKernel(head []byte) bool {
	return len(head) >= kernelHead && string(head[kernelBoot:kernelBoot+2]) == "\x55\xaa" && string(head[kernelMagic:kernelMagic+4]) == "HdrS"
}

// kernel reads the ELF file of a kernel, which has the path of the kernel.
func (w *walk) kernel(at position, r *bufio.Reader) error {
	head, err := r.Peek(kernelHead)
	if err != nil {
		return err
	}
	if le.Uint16(head[kernelVersion:]) < kernelLeast {
		return errors.New("its header does not say where the kernel is")
	}
	sectors := int64(head[kernelSetup])
	if sectors == 0 {
		sectors = 4
	}
	from, size := (sectors+1)*512+int64(le.Uint32(head[kernelPayload:])), int64(le.Uint32(head[kernelPayload+4:]))
	if _, err := io.CopyN(io.Discard, r, from); err != nil {
		return err
	}
	at.layers++
	head, err = r.Peek(HeadSize)
	if err != nil && err != io.EOF {
		return err
	}
	head = head[:min(int64(len(head)), size)]
	switch k := KindOf(head, nil, 0); {
	case w.Want(head), k == Gzip, k.Unsupported():
	case k.compressed():
		size -= kernelSize
	default:
		return errors.New("what it loads is of an unknown kind")
	}
	return w.entry(at, "", -1, io.LimitReader(r, size))
}
