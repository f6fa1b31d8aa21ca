//go:build !js

package lintcmd

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
)

// maxKernelConfig bounds the configuration of a kernel, in bytes.
const maxKernelConfig = 4 << 20

// machine says what the C library and the kernel of this machine read.
func (d *diagnosis) machine(a *app) {
	if out, err := exec.CommandContext(a.ctx, "getconf", "GNU_LIBC_VERSION").Output(); err == nil {
		d.note("%s", libcReads(strings.TrimSpace(string(out))))
	}
	release, err := os.ReadFile("/proc/sys/kernel/osrelease")
	if err != nil {
		return // not Linux
	}
	name := strings.TrimSpace(string(release))
	config, err := kernelConfig("/boot/config-" + name)
	d.note("%s", kernelReads(name, config, err))
}

// libcReads says what a release of glibc reads: backtrace() follows SFrame data since 2.42.
func libcReads(release string) string {
	var major, minor int
	switch _, err := fmt.Sscanf(release, "glibc %d.%d", &major, &minor); {
	case err != nil:
		return fmt.Sprintf("the C library is %s: whether it reads SFrame data is not known", release)
	case major > 2 || major == 2 && minor >= 42:
		return release + " reads version 2 in backtrace(), if it was built with --enable-sframe, and no version 3"
	}
	return release + " reads no SFrame data: 2.42 and later read version 2"
}

var kernelOption = lookup.Regexp(`(?m)^CONFIG_\w*SFRAME\w*=[ym]$`)

// kernelReads says what a kernel with a configuration reads.
func kernelReads(release string, config []byte, err error) string {
	option := kernelOption().Find(config)
	switch {
	case err != nil:
		return fmt.Sprintf("Linux %s: its configuration cannot be read, so whether it reads SFrame data is not known", release)
	case option == nil:
		return fmt.Sprintf("Linux %s reads no SFrame data: only a patch series of 2026 does", release)
	}
	return fmt.Sprintf("Linux %s reads version 3 (%s)", release, option)
}

// kernelConfig returns the configuration of the running kernel: the file, or what the kernel itself shows.
func kernelConfig(path string) ([]byte, error) {
	if data, err := os.ReadFile(path); err == nil {
		return data, nil
	}
	data, err := os.ReadFile("/proc/config.gz")
	if err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(z, maxKernelConfig))
}
