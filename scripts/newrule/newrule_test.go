package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestStubsCompile makes the stubs of a rule of every family, and lays those of
// one over the tree to vet its package and the breaks.
func TestStubsCompile(t *testing.T) {
	t.Chdir("../..")
	dir := t.TempDir()
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	written := map[string][]byte{}
	for _, f := range families {
		id := f.Prefix + strings.Repeat("9", 6-len(f.Prefix))
		s, err := newSpec(id, "Scaffolded"+id, "AArch64: fault of a rule that does not exist", "C-V2-FDE-13")
		require.NoError(t, err)
		assert.Equal(t, f, s.family)
		files, err := s.stubs(os.ReadFile)
		require.NoError(t, err)
		assert.Len(t, files, 7)
		assert.Contains(t, string(files[sections]), "-- v3-aarch64-scaffolded-"+strings.ToLower(id)+" --\n# about: AArch64: fault")
		assert.Contains(t, string(files[clauses]), "Rules: SF2007, SF2008, SF2020, SF2021, SF6018, "+id+"\n")
		assert.Contains(t, string(files["rules/internal/"+f.Package+"/"+id+".md"]), "# "+id+": AArch64: fault of a rule that does not exist\n\nSeverity: warning")
		for path, data := range files {
			if f.Package == "fde" || strings.HasPrefix(path, "rules/internal/") && !strings.HasSuffix(path, ".md") {
				written[path] = data
			}
		}
	}
	root, err := os.Getwd()
	require.NoError(t, err)
	for path, data := range written {
		to := filepath.Join(dir, strings.ReplaceAll(path, "/", "_"))
		require.NoError(t, os.WriteFile(to, data, 0o666))
		overlay.Replace[filepath.Join(root, filepath.FromSlash(path))] = to
	}
	list, err := json.Marshal(overlay)
	require.NoError(t, err)
	file := filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(file, list, 0o666))
	out, err := exec.Command("go", "vet", "-overlay", file, "./rules/internal/...", "./generator/breaks").CombinedOutput()
	require.NoError(t, err, "%s", out)
}

func TestRefused(t *testing.T) {
	for _, args := range [][]string{
		{"SF999", "Name", "title"}, {"SF8009", "Name", "title"}, {"SF1001", "Name", "title"}, {"SF1999", "name", "title"},
	} {
		_, err := newSpec(args[0], args[1], args[2], "C-V2-FDE-13")
		assert.Error(t, err, "%q", args)
	}
	assert.Error(t, run(nil))
	_, err := appendTo([]byte("package p\nvar x = 1\n"), "x", "y")
	assert.Error(t, err)
}

// TestBasis: a rule is added to the clause that it checks or, with a sentence, its texts have that.
func TestBasis(t *testing.T) {
	t.Chdir("../..")
	stubs := func(basis string) (map[string][]byte, error) {
		s, err := newSpec("SF2099", "Based", "title", basis)
		if err != nil {
			return nil, err
		}
		return s.stubs(os.ReadFile)
	}
	files, err := stubs("C-V2E1-FDE-15")
	require.NoError(t, err)
	assert.Contains(t, string(files[clauses]), "may be used by future ABIs.\nRules: SF2099\nReason: ")
	files, err = stubs("All linkers agree.")
	require.NoError(t, err)
	assert.NotContains(t, files, clauses)
	assert.True(t, strings.HasSuffix(string(files["rules/internal/fde/SF2099.md"]), "    Bad: the same line with the fault\n\nBasis: All linkers agree.\n"))
	for _, basis := range []string{"", "C-V9-FDE-99"} {
		_, err := stubs(basis)
		assert.Error(t, err, basis)
	}
}

// TestFileNames: no file is for one processor only, as Go takes x_amd64.go.
func TestFileNames(t *testing.T) {
	t.Chdir("../..")
	for name, file := range map[string]string{"RowTwiceAMD64": "row_twiceamd64", "RowTwiceS390X": "row_twices390x", "S390XRow": "s390x_row"} {
		s, err := newSpec("SF2099", name, "title", "All linkers agree.")
		require.NoError(t, err)
		files, err := s.stubs(os.ReadFile)
		require.NoError(t, err)
		assert.Contains(t, files, "rules/internal/fde/sf2099_"+file+".go")
		assert.Contains(t, files, "rules/internal/fde/sf2099_"+file+"_test.go")
	}
}

// TestABIOf: a rule for one ABI has its example there.
func TestABIOf(t *testing.T) {
	for text, want := range map[string]string{
		"OddSlotS390x": "s390x", "AArch64 signs": "aarch64", "big-endian AArch64": "aarch64-be", "MASK FDE": "amd64",
	} {
		assert.Equal(t, want, abiOf(text).Name, text)
	}
}

// TestSimilar: words in common in titles or texts are a warning, whatever their endings; words of every title do not count.
func TestSimilar(t *testing.T) {
	similar := func(title string) (ids []string) {
		for _, r := range (&spec{Title: title}).similarRules() {
			ids = append(ids, r.ID)
		}
		return ids
	}
	assert.Contains(t, similar("FDE whose reserved bits of func_info are odd"), "SF2002")
	assert.Contains(t, similar("FREs with the same contents as previous ones"), "SF7003")
	assert.Empty(t, similar("a section without any that wanders"))
}
