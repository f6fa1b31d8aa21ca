package model

import (
	"fmt"
	"slices"
	"sync/atomic"
)

// accepted has the drafts that the process accepts, sorted.
var accepted atomic.Pointer[[]string]

// Drafts returns the names of drafts: ABIs that were proposed, and that no published version of the
// format defines. Their numbers may change.
func Drafts() []string {
	var out []string
	for _, a := range abiTable[1:] {
		if a.Draft != "" && !slices.Contains(out, a.Draft) {
			out = append(out, a.Draft)
		}
	}
	return out
}

// AcceptDraft makes the ABIs of a draft known to the process. A program calls it when it starts:
// what was read before stays as it is. Errors: there is no such draft.
func AcceptDraft(name string) error {
	if !slices.Contains(Drafts(), name) {
		return fmt.Errorf("no draft is called %q", name)
	}
	now := []string{name}
	if old := accepted.Load(); old != nil {
		now = append(now, *old...)
	}
	accepted.Store(&now)
	return nil
}

// DraftOf returns the draft that uses the identifier of an ABI, "" for none.
func DraftOf(id ABI) string {
	if int(id) < len(abiTable) && abiTable[id] != nil {
		return abiTable[id].Draft
	}
	return ""
}

// usable reports whether the format defines the ABI or the process accepts its draft.
func (a *ABIInfo) usable() bool {
	if a.Draft == "" {
		return true
	}
	now := accepted.Load()
	return now != nil && slices.Contains(*now, a.Draft)
}
