//go:build linux

package campaign

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

func compiler(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("cc"); err != nil {
		t.Skip("there is no C compiler")
	}
}

func start(t *testing.T, run ...string) *Server {
	t.Helper()
	s, err := StartServer(run, nil)
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return s
}

// TestServer: a driver answers each section of a batch, whatever happens in one of them.
func TestServer(t *testing.T) {
	compiler(t)
	driver := filepath.Join(t.TempDir(), "driver")
	out, err := exec.Command("cc", "-g", "-rdynamic", "-I", "driver", "testdata/fake.c", "-ldl", "-o", driver).CombinedOutput()
	require.NoError(t, err, "%s", out)
	s := start(t, driver)
	some := Request{Data: []byte("fine"), Addr: 0x8000000000001000, Text: AnyText, Lookups: []Lookup{{0x1234, 1}, {^uint64(0), 0}}}
	for range 2 {
		var all []Request
		for _, data := range []string{"fine", "e", "", "a", "x", "t", "fine"} {
			all = append(all, Request{Data: []byte(data)})
		}
		got, err := s.Read(t.Context(), append(all, some, Request{Data: bytes.Repeat([]byte("f"), MaxSection+1)}))
		require.NoError(t, err)
		assert.Equal(t, Answer{false, "0 0 0 4"}, got[0])
		assert.True(t, got[1].Crashed)
		assert.True(t, strings.HasPrefix(got[1].Text, "signal 11 caused by a READ\n"), got[1].Text)
		assert.Equal(t, Answer{false, "0 0 0 0"}, got[2])
		assert.True(t, got[3].Crashed)
		assert.True(t, strings.HasPrefix(got[3].Text, "signal 6\n"), got[3].Text)
		assert.True(t, got[4].Crashed)
		assert.False(t, got[5].Crashed)
		assert.Len(t, got[5].Text, MaxText)
		assert.Equal(t, got[0], got[6])
		assert.Equal(t, Answer{false, "8000000000001000 0 ffffffffffffffff 4 1234:1 ffffffffffffffff:0"}, got[7])
		assert.Equal(t, Answer{false, fmt.Sprint("0 0 0 ", MaxSection)}, got[8])
	}
	got, err := s.Read(t.Context(), []Request{{Data: []byte("loop")}, {Data: []byte("fine")}, {Data: []byte("loop")}})
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(got[0].Text, "signal 27\n"), got[0].Text)
	assert.False(t, got[1].Crashed)
	assert.True(t, strings.HasPrefix(got[2].Text, "signal 27\n"), "within the shorter limit: %s", got[2].Text)

	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	_, err = s.Read(ctx, []Request{{Data: []byte("loop")}})
	assert.ErrorIs(t, err, context.DeadlineExceeded)
	_, err = start(t, "true").Read(t.Context(), []Request{{}})
	assert.ErrorContains(t, err, "the driver has ended")
}

// TestLinux compiles the driver of Linux with a tree of a few lines. Reads of a process's memory
// beyond the section fail; those of the kernel's do not.
func TestLinux(t *testing.T) {
	compiler(t)
	tree := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(tree, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	write("kernel/unwind/sframe.h", "#include <linux/no-such-file.h>\nenum { RULE = 2 };\n")
	write("kernel/unwind/sframe_debug.h", "")
	write("include/linux/unwind_types.h", `#define UNWIND_RULE_DEREF 0x80000000u
struct rule { unsigned int rule; int offset; unsigned int regnum; };
struct unwind_frame { struct rule cfa, ra, fp; };
`)
	write("kernel/unwind/user.c", `#include <linux/kernel.h>
static int unwind_user_next_common(struct unwind_user_state *state, const struct unwind_frame *frame)
{
	WARN_ON_ONCE(1);
	return state->sp == register_value(SFRAME_REG_SP) ? -frame->cfa.offset : 0;
}
#error what follows the step is not compiled
`)
	// The rule of a PC is the byte of the section at it.
	write("kernel/unwind/sframe.c", `#include <linux/kernel.h>
#include "sframe.h"
DEFINE_STATIC_SRCU(unused);
static int byte_at(struct sframe_section *sec, unsigned long ip, u8 *byte)
{
	if (sec->sec_type == SFRAME_USER)
		unsafe_get_user(*byte, (u8 __user *)ip, Efault);
	else
		*byte = *(u8 *)ip;
	return 0;
Efault:
	return -EFAULT;
}
static int __sframe_find(struct sframe_section *sec, unsigned long ip, struct unwind_frame *frame)
{
	u8 byte;
	int ret = byte_at(sec, ip, &byte);

	if (ret)
		return ret;
	frame->cfa = (struct rule){ RULE, byte, SFRAME_REG_FP };
	frame->ra.rule = UNWIND_RULE_DEREF | 1;
	return 0;
}
static int sframe_validate_section(struct sframe_section *sec)
{
	return sec->text_start == 0x1000 ? -EINVAL : 0;
}
static int sframe_read_header(struct sframe_section *sec)
{
	int header;
	return copy_from_user(&header, (void __user *)sec->sframe_start, sizeof(header)) ? -EFAULT : 0;
}
#error what follows the header is not compiled
`)
	for kind, want := range map[Reader]string{
		Linux:      "validate 0\npc 10003 found 0 step 7 warnings 1 cfa 2 7 6 ra *1 0 0 fp 0 0 0\npc 10004 found 14 step 0 warnings 0\npc ffff found 14 step 0 warnings 0\n",
		LinuxARM64: "validate 0\npc 10003 found 0 step 7 warnings 1 cfa 2 7 29 ra *1 0 0 fp 0 0 0\n",
	} {
		run, err := (&Library{Kind: kind, Path: tree}).Compile(t.Context(), filepath.Join(t.TempDir(), "driver"))
		require.NoError(t, err)
		s := start(t, run...)
		lookups := []Lookup{{PC: 0x10003}, {PC: 0x10004}, {PC: 0xffff}}
		if kind == LinuxARM64 {
			lookups = lookups[:1]
		}
		beyond := []Lookup{{PC: 0x10004}}
		r := Request{Data: []byte{4, 5, 6, 7}, Addr: 0x10000, Text: AnyText}
		r.Lookups = lookups
		past, short, invalid := r, r, r
		past.Lookups, short.Data, invalid.Text = beyond, r.Data[:3], [2]uint64{0x1000, 0x2000}
		got, err := s.Read(t.Context(), []Request{r, past, invalid, short})
		require.NoError(t, err)
		assert.Equal(t, Answer{false, want}, got[0])
		assert.Equal(t, kind == LinuxARM64, got[1].Crashed, got[1].Text)
		if kind == Linux {
			assert.Equal(t, Answer{false, "refused 14\n"}, got[3])
			assert.True(t, strings.HasPrefix(got[2].Text, "validate 22\n"), got[2].Text)
		} else {
			assert.Contains(t, got[1].Text, "AddressSanitizer")
		}
	}
	write("kernel/unwind/sframe.c", "int other;\n")
	_, err := (&Library{Kind: Linux, Path: tree}).Compile(t.Context(), filepath.Join(t.TempDir(), "driver"))
	assert.ErrorContains(t, err, "there is no function sframe_read_header")
	_, err = (&Library{Kind: Glibc, Path: tree}).Compile(t.Context(), filepath.Join(t.TempDir(), "driver"))
	assert.ErrorIs(t, err, os.ErrNotExist)
	_, err = (&Library{Kind: Libsframe, Path: tree}).Compile(t.Context(), filepath.Join(t.TempDir(), "driver"))
	assert.ErrorContains(t, err, "there is no libsframe/sframe.c")
}

func TestParse(t *testing.T) {
	dir := t.TempDir()
	for _, k := range Readers() {
		if k == Own { // a library, which a campaign's test compiles
			continue
		}
		lib, err := ParseLibrary(string(k) + "=" + dir)
		require.NoError(t, err)
		assert.Equal(t, &Library{Kind: k, Path: dir}, lib)
		assert.True(t, lib.Tree())
	}
	for _, line := range []string{"", "linux", "linux=" + dir + "/none", "bsd=" + dir, "linux=inprocess_test.go"} {
		_, err := ParseLibrary(line)
		assert.Error(t, err, line)
	}
}

func section(t *testing.T, name string, addr uint64) *model.Section {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../../../corpus/files/hand", name+".sframe"))
	require.NoError(t, err)
	s, faults := reader.DecodeSection(data, reader.SectionOptions{Addr: addr})
	require.Empty(t, faults)
	return s
}

// TestExpect: what drivers should write of a function, for PCs around and in it.
func TestExpect(t *testing.T) {
	s := section(t, "v3-amd64", 0x2000)
	f := s.FDE(1)
	require.Equal(t, uint64(0x1020), f.Start())
	lookups := Lookups(s)
	for _, l := range []Lookup{{0x101f, 0}, {0x1020, 0}, {f.End() - 1, 0}, {f.End(), 1}} { // a flexible FDE follows
		assert.Contains(t, lookups, l)
	}
	assert.Nil(t, Lookups(nil))
	ask := []Lookup{{0x1020, 0}, {0x9999, 0}}
	assert.Equal(t, "pc 1020 base sp cfa 8 ra -8 fp none\npc 9999 not found\n", Glibc.Expect(s, ask))
	assert.Equal(t, "validate 0\npc 1020 found 0 step 0 warnings 0 cfa 0 8 0 ra *1 -8 0 fp 0 0 0\npc 9999 found 22 step 0 warnings 0\n", Linux.Expect(s, ask))
	text := Libsframe.Expect(s, ask)
	assert.True(t, strings.HasPrefix(text, "function -4124 32 "), text)
	assert.True(t, strings.HasSuffix(text, "\npc 1020 cfa 8 ra -8 fp none\npc 9999 not found\n"), text)
	for _, x := range [][3]string{
		{"pc 1 cfa 8", "pc 1 not found", "a PC without an FRE is found"},
		{"pc 1 not found", "pc 1 cfa 8", "a PC is not found"},
		{"pc 1 cfa 8", "pc 1 cfa 16", "a PC has another rule"},
		{"4 cfa 8", "4 cfa 16", "an FRE"},
		{"pc 1 cfa 8", "function 1 2 3", "function"},
	} {
		assert.Equal(t, x[2], Glibc.Difference(x[0], x[1]))
	}
	for _, k := range Readers() {
		assert.False(t, k.Ambiguous(s))
		assert.Len(t, k.ABIs(), map[Reader]int{Libsframe: 4, Linux: 1, LinuxARM64: 1, Glibc: 2, Own: 4}[k], k)
	}
}
