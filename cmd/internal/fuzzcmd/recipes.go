package fuzzcmd

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/internal/base/regular"
)

// readRecipes reads the recipes of a file: one, an array of them, one row of
// a manifest, or a whole manifest.
func readRecipes(file string) ([]breaks.Recipe, error) {
	b, err := regular.Read(file, 0)
	if err != nil {
		return nil, err
	}
	all, err := parseRecipes(b)
	if err == nil && len(all) == 0 {
		err = errors.New("no recipe found")
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
	for i, one := range list {
		r, err := parseRecipe(one)
		if err != nil {
			return nil, fmt.Errorf("recipe %d: %w", i, err)
		}
		if r != nil {
			all = append(all, *r)
		}
	}
	return all, nil
}

// parseRecipe reads a recipe or the row of a manifest that has one. It returns
// nil for the row of a file that no recipe makes.
func parseRecipe(b []byte) (*breaks.Recipe, error) {
	var row struct {
		File    string          `json:"file"`
		Recipe  json.RawMessage `json:"recipe"`
		Changes []string        `json:"changes"`
	}
	if err := json.Unmarshal(b, &row); err != nil {
		return nil, err
	}
	switch {
	case row.Recipe != nil && len(row.Changes) > 0:
		return nil, fmt.Errorf("%s was mutated; a recipe does not describe how", row.File)
	case row.Recipe != nil:
		b = row.Recipe
	case row.File != "":
		return nil, nil
	}
	r := &breaks.Recipe{}
	if err := json.Unmarshal(b, r); err != nil {
		return nil, err
	}
	for _, step := range r.Breaks {
		if breaks.Lookup(step.Name) == nil {
			return nil, fmt.Errorf("unknown break %q", step.Name)
		}
	}
	return r, nil
}
