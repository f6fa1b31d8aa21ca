package fuzzcmd

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/sframe-lint/sframe-lint/generator/breaks"
)

// readRecipes reads the recipes of a file: one, an array of them, one row of
// a manifest, or a whole manifest.
func readRecipes(file string) ([]breaks.Recipe, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	all, err := parseRecipes(b)
	if err == nil && len(all) == 0 {
		err = errors.New("no recipe is in it")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return all, nil
}

func parseRecipes(b []byte) (all []breaks.Recipe, err error) {
	var list []json.RawMessage
	if b = bytes.TrimSpace(b); len(b) > 0 && b[0] == '[' {
		if err := json.Unmarshal(b, &list); err != nil {
			return nil, err
		}
	} else {
		list = []json.RawMessage{b}
	}
	for _, one := range list {
		var row struct {
			Recipe    json.RawMessage `json:"recipe"`
			Container string          `json:"container"`
		}
		if err := json.Unmarshal(one, &row); err != nil {
			return nil, err
		}
		switch {
		case row.Recipe != nil:
			one = row.Recipe
		case row.Container == "":
			continue // a file that no recipe makes
		}
		var r breaks.Recipe
		if err := json.Unmarshal(one, &r); err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// recipeFor looks for the recipe of a file: the file may be one itself, or
// stand beside a manifest that has one for just these bytes. It returns nil
// where there is none.
func recipeFor(file string, data []byte) *breaks.Recipe {
	if filepath.Ext(file) == ".json" {
		if all, err := parseRecipes(data); err == nil && len(all) == 1 {
			return &all[0]
		}
		return nil
	}
	b, err := os.ReadFile(filepath.Join(filepath.Dir(file), manifestName))
	if err != nil {
		return nil
	}
	var rows []row
	if json.Unmarshal(b, &rows) != nil {
		return nil
	}
	sum := sha256.Sum256(data)
	for _, r := range rows {
		if r.SHA256 == hex.EncodeToString(sum[:]) && r.Recipe != nil && len(r.Changes) == 0 {
			return r.Recipe
		}
	}
	return nil
}
