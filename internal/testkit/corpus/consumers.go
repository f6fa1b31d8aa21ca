package corpus

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/tool/shrink"
)

// ConsumersDir is the directory of the minimal files on which consumers fail, below the corpus: a manifest, and the files in
// one text.
const (
	ConsumersDir  = "consumers"
	ConsumersText = "files.txt"
)

// Consumers is the manifest of ConsumersDir: what campaigns have found.
type Consumers struct {
	Targets []ConsumerTarget `json:"targets"`
	Finds   []ConsumerFind   `json:"finds"`
	// Breaks counts what targets did with files that have one known fault: by break, target and
	// outcome.
	Breaks map[string]map[string]map[string]int `json:"breaks"`
}

// ConsumerTarget is a program, or a library in process.
type ConsumerTarget struct {
	Name    string         `json:"name"`
	Command string         `json:"command"` // with tools as scripts/toolchains names them
	Version string         `json:"version"`
	Runs    map[string]int `json:"runs"` // by outcome
}

// ConsumerFind is a distinct failure or disagreement with the smallest file that shows it.
type ConsumerFind struct {
	File    string   `json:"file"`
	Size    int      `json:"size"` // bytes
	Kind    string   `json:"kind"`
	Key     string   `json:"key"`            // what distinguishes it
	Target  string   `json:"target"`         // with which the file was minimized
	Targets []string `json:"targets"`        // on which it was seen
	With    string   `json:"with,omitempty"` // the target that it disagrees with
	ABI     string   `json:"abi"`
	Class   string   `json:"class"` // of the input
	Break   string   `json:"break,omitempty"`
	Clause  string   `json:"clause,omitempty"`
	Depends []string `json:"depends,omitempty"` // what makes the failure go if it is repaired, one at a time
	Moves   bool     `json:"moves,omitempty"`   // then it fails elsewhere
	Fault   string   `json:"fault"`             // of the program; other finds may be places of the same
	Message string   `json:"message,omitempty"`
}

// LoadConsumers reads the manifest below the corpus's directory.
func LoadConsumers(dir string) (*Consumers, error) {
	return Read[*Consumers](dir, ConsumersDir, ManifestName)
}

// ConsumerFiles reads the files of the finds below the corpus's directory, by name.
func ConsumerFiles(dir string) (map[string][]byte, error) {
	text, err := os.ReadFile(filepath.Join(dir, ConsumersDir, ConsumersText))
	if err != nil {
		return nil, err
	}
	return shrink.ParseFiles(text)
}

// UnpackConsumers writes the files of the finds into a directory.
func UnpackConsumers(dir, to string) error {
	files, err := ConsumerFiles(dir)
	for name, data := range files {
		if err == nil {
			err = os.WriteFile(filepath.Join(to, name), data, 0o666)
		}
	}
	return err
}

// ReplaysName is the file of the replays, below the corpus.
const ReplaysName = "replays.json"

// Replays are what all programs do with the files of ConsumersDir, by file.
type Replays map[string]*Replay

// Replay is what programs do with a file.
type Replay struct {
	Fails  map[string]string `json:"fails"`            // by program: the kind of the failure, and the place or the difference
	Varies []string          `json:"varies,omitempty"` // programs that do not always do the same
	Writes []string          `json:"writes,omitempty"` // programs that write memory out of bounds
}

// LoadReplays reads the replays below the corpus's directory.
func LoadReplays(dir string) (Replays, error) { return Read[Replays](dir, ReplaysName) }

// Project returns the project whose programs share their faults with a target.
func Project(target string) string {
	name, _, _ := strings.Cut(target, "-")
	switch name {
	case "objdump", "readelf", "ld", "libsframe":
		return "binutils"
	}
	return name
}
