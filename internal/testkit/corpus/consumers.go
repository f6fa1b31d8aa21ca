package corpus

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/tool/shrink"
)

// ConsumersDir is the directory in the corpus with the minimal files on which consumers fail. It has a manifest, and
// one text with all files.
const (
	ConsumersDir  = "consumers"
	ConsumersText = "files.txt"
)

// Consumers is the manifest of ConsumersDir. It has the results of campaigns.
type Consumers struct {
	Targets []ConsumerTarget `json:"targets"`
	Finds   []ConsumerFind   `json:"finds"`
	// Breaks counts the outcomes for files with one known fault, by break, target and outcome.
	Breaks map[string]map[string]map[string]int `json:"breaks"`
}

// ConsumerTarget is a program, or a library in the process of the campaign.
type ConsumerTarget struct {
	Name    string         `json:"name"`
	Command string         `json:"command"` // with the names of tools from scripts/toolchains
	Version string         `json:"version"`
	Runs    map[string]int `json:"runs"` // number of runs by outcome
}

// ConsumerFind is a distinct failure or disagreement, with the smallest file that shows it.
type ConsumerFind struct {
	File    string   `json:"file"`
	Size    int      `json:"size"` // in bytes
	Kind    string   `json:"kind"`
	Key     string   `json:"key"`            // identifies the find
	Target  string   `json:"target"`         // the target with which the file was minimized
	Targets []string `json:"targets"`        // the targets that showed the failure
	With    string   `json:"with,omitempty"` // the target with which Target disagrees
	ABI     string   `json:"abi"`
	Class   string   `json:"class"` // class of the input
	Break   string   `json:"break,omitempty"`
	Clause  string   `json:"clause,omitempty"`
	Depends []string `json:"depends,omitempty"` // single repairs of the file that remove the failure
	Moves   bool     `json:"moves,omitempty"`   // single repairs of the file that move the failure to another place
	Fault   string   `json:"fault"`             // the fault of the program; other finds may have the same fault
	Message string   `json:"message,omitempty"`
}

// LoadConsumers reads the manifest of ConsumersDir in the corpus directory.
func LoadConsumers(dir string) (*Consumers, error) {
	return Read[*Consumers](dir, ConsumersDir, ManifestName)
}

// ConsumerFiles reads the files for the finds in the corpus directory. It returns their contents by file name.
func ConsumerFiles(dir string) (map[string][]byte, error) {
	text, err := os.ReadFile(filepath.Join(dir, ConsumersDir, ConsumersText))
	if err != nil {
		return nil, err
	}
	return shrink.ParseFiles(text)
}

// UnpackConsumers writes the files of the finds to a directory.
func UnpackConsumers(dir, to string) error {
	files, err := ConsumerFiles(dir)
	for name, data := range files {
		if err == nil {
			err = os.WriteFile(filepath.Join(to, name), data, 0o666)
		}
	}
	return err
}

// ReplaysName is the name of the file with the replays in the corpus.
const ReplaysName = "replays.json"

// Replays has a Replay for each file of ConsumersDir, by name.
type Replays map[string]*Replay

// Replay is how all programs react to a file.
type Replay struct {
	Fails  map[string]string `json:"fails"`            // by program: the kind of failure, and the place or the difference
	Varies []string          `json:"varies,omitempty"` // programs whose reaction varies between runs
	Writes []string          `json:"writes,omitempty"` // programs that write to memory out of bounds
}

// LoadReplays reads the replays in the corpus directory.
func LoadReplays(dir string) (Replays, error) { return Read[Replays](dir, ReplaysName) }

// Project returns the project of a target. Programs of one project share their faults.
func Project(target string) string {
	name, _, _ := strings.Cut(target, "-")
	switch name {
	case "objdump", "readelf", "ld", "libsframe":
		return "binutils"
	}
	return name
}
