package shard

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/sframe-lint/sframe-lint/internal/base/regular"
)

// A unit whose worker failed mostFailures times is given up. One that mostLost starts of a worker were made for, and
// no end of which was seen, is given up too: perhaps it ends the whole shard each time.
const (
	mostFailures = 3
	mostLost     = 10
)

// try is a line of the file that counts the tries of a unit without a result.
type try struct {
	SHA256 string `json:"sha256,omitempty"`
	Setup  string `json:"setup"`
	Limits string `json:"limits"`
	Failed string `json:"failed,omitempty"` // "" for a start
}

// tries counts those of a unit that are alike.
func (u *Unit) tries(dir string, like try) (starts, failures int, last string) {
	f, _, err := regular.Open(u.path(dir, ".tries"))
	if err != nil {
		return 0, 0, ""
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var t try
		if json.Unmarshal(lines.Bytes(), &t) != nil {
			continue // a line that was cut by the end of a machine
		}
		why := t.Failed
		t.Failed = ""
		switch {
		case t != like:
		case why == "":
			starts++
		default:
			failures, last = failures+1, why
		}
	}
	return starts, failures, last
}

// note adds a line.
func (u *Unit) note(dir string, t try) error {
	name := u.path(dir, ".tries")
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	b, err := json.Marshal(t)
	if err == nil {
		_, err = f.Write(append(b, '\n'))
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}
