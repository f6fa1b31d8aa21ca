package entries

import (
	"flag"
	"fmt"
	"hash/crc32"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/reader"
)

var (
	archives = flag.Int("archives", 300, "number of archives of each format that are drawn")
	firstArc = flag.Uint64("first", 0, "number of the first archive")
)

// extractors are the programs for each format, and scripts that extract "$1".
var extractors = map[string][]string{
	"tar":  {`tar --backup=numbered -xf "$1"`, `tar --backup=numbered -xif "$1"`, `bsdtar -xf "$1"`, `busybox tar -xf "$1"`, `7z x -y -aou "$1"`, "python3"},
	"zip":  {`unzip -B -o "$1"`, `busybox unzip -o "$1"`, `bsdtar -xf "$1"`, `7z x -y -aou "$1"`, "python3"},
	"cpio": {`cpio -idu --no-absolute-filenames < "$1"`, `busybox cpio -idu < "$1"`, `bsdtar -xf "$1"`, `7z x -y -aou "$1"`},
	"rpm":  {`rpm2cpio "$1" | cpio -idu --no-absolute-filenames`, `busybox rpm2cpio "$1" | cpio -idu --no-absolute-filenames`, `bsdtar -xf "$1"`},
	"a":    {`ar x "$1"`, `llvm-ar x "$1"`, `busybox ar x "$1"`, `bsdtar -xf "$1"`, `7z x -y -aou "$1"`},
	"deb":  {`dpkg-deb -x "$1" .`, `ar p "$1" data.tar.gz | tar -xz`, `ar p "$1" data.tar | tar -x`, `7z x -y -aou "$1"; tar -xf data.tar`},
}

// python extracts all archives of a directory. A program of the name would begin once for each.
const python = `import os, sys, tarfile, zipfile
for f in sorted(os.listdir(sys.argv[1])):
    os.makedirs(f); os.chdir(f); z = None
    path = os.path.join(sys.argv[1], f)
    try:
        if f.endswith("tar"): z = tarfile.open(path)
        else: z = zipfile.ZipFile(path)
        for m in z:
            z.extract(m, filter="tar")
    except Exception: pass
    try:
        for m in z.infolist():
            try: z.extract(m)
            except Exception: pass
    except Exception: pass
    os.chdir("..")
`

// shell extracts all archives of "$1", each in a directory of its name. A program has limits: sizes may be wrong.
const shell = `ulimit -t 5 -f 20000
for f in "$1"/*; do mkdir "${f##*/}"; (cd "${f##*/}"; set -- "$f"; %s); done < /dev/null > /dev/null 2>&1; true`

// TestDrawn draws archives of each format, half of them damaged, and extracts them with all programs that there are: each
// program in one that any of them writes is read, or something of the archive is named. All of an archive that is not
// damaged is read, and nothing named.
func TestDrawn(t *testing.T) {
	program, err := os.ReadFile("../../corpus/files/wrong-cfi/adjust-sign.o")
	require.NoError(t, err)
	extractors["whl"] = extractors["zip"]
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			const batch = 50
			for from := 0; from < *archives; from += batch {
				compare(t, kind, *firstArc+uint64(from), min(batch, *archives-from), program)
			}
		})
	}
}

// compare draws archives and compares what they have with what programs extract.
func compare(t *testing.T, kind string, from uint64, count int, program []byte) {
	dir := t.TempDir()
	in := filepath.Join(dir, "in")
	require.NoError(t, os.Mkdir(in, 0o700))
	read, named := map[string][]string{}, map[string]string{}
	for seed := from; seed < from+uint64(count); seed++ {
		a := &archive{Rand: rand.New(rand.NewPCG(seed, uint64(crc32.ChecksumIEEE([]byte(kind))))), program: program, harm: seed%2 == 1}
		kinds[kind](a)
		if a.hurt() {
			a.Truncate(a.IntN(a.Len()))
		}
		file := fmt.Sprintf("%d.%s", seed, kind)
		require.NoError(t, os.WriteFile(filepath.Join(in, file), a.Bytes(), 0o600))
		read[file], named[file] = objects(t, filepath.Join(in, file))
		if a.harmed {
			continue
		}
		require.Empty(t, named[file], "seed %d", seed)
		want := []string{}
		for i, text := range a.want {
			if strings.HasPrefix(text, "\x7fELF") {
				path := filepath.Join(dir, fmt.Sprint(i))
				require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
				keys, _ := objects(t, path)
				want = append(want, keys...)
			}
		}
		slices.Sort(want)
		slices.Sort(read[file])
		require.Equal(t, want, append([]string{}, read[file]...), "seed %d", seed)
	}
	for i, script := range extractors[kind] {
		if _, err := exec.LookPath(strings.Fields(script)[0]); err != nil {
			t.Log("skipped: ", err)
			continue
		}
		out := filepath.Join(dir, fmt.Sprint("out", i))
		require.NoError(t, os.Mkdir(out, 0o700))
		c := exec.Command("bash", "-c", fmt.Sprintf(shell, script), "bash", in)
		if script == "python3" {
			c = exec.Command("python3", "-c", python, in)
		}
		c.Dir = out
		require.NoError(t, c.Run(), script)
		require.NoError(t, filepath.WalkDir(out, func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() {
				return err
			}
			keys, _ := objects(t, path)
			file, _, _ := strings.Cut(strings.TrimPrefix(path, out+"/"), "/")
			for _, key := range keys {
				if !slices.Contains(read[file], key) && named[file] == "" {
					t.Errorf("%s: %q writes %s, which is not read: %s", file, script, strings.TrimPrefix(path, out), key)
				}
			}
			return nil
		}))
		require.NoError(t, os.RemoveAll(out))
	}
	require.NoError(t, os.RemoveAll(in))
}

// objects returns what tells the programs of a file, and why it is not read to its end.
func objects(t *testing.T, file string) (keys []string, named string) {
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	var head [4]byte
	_, _ = f.Read(head[:])
	ext := strings.TrimPrefix(filepath.Ext(file), ".")
	if kinds[ext] == nil && string(head[:]) != "\x7fELF" {
		return nil, ""
	}
	require.NoError(t, reader.Scan(file, reader.Options{}, func(o *reader.Object) error {
		for _, f := range o.Faults {
			if f.Code == reader.ArchiveDamaged || f.Code == reader.BudgetExceeded {
				named = o.Path + ": " + f.Detail
				return nil
			}
		}
		if o.Status == reader.StatusNotELF {
			return nil
		}
		key := fmt.Sprintf("%d bytes, %s", o.Size, o.Status)
		for _, f := range o.SFrames {
			key += fmt.Sprintf(", %x", f.Data[:min(len(f.Data), 32)])
		}
		keys = append(keys, key)
		return nil
	}))
	return keys, named
}
