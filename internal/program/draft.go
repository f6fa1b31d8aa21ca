package program

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/internal/suggest"
	"github.com/sframe-lint/sframe-lint/model"
)

// draft is the value of the flag --draft, which accepts a draft as soon as it is set.
type draft struct{}

func (draft) Type() string   { return "NAME" }
func (draft) String() string { return "" }

func (draft) Set(name string) error {
	if !slices.Contains(model.Drafts(), name) {
		return suggest.Unknown("draft", name, model.Drafts(), "")
	}
	return model.AcceptDraft(name)
}

// AcceptDrafts accepts the drafts that the arguments name. Programs call it before they build their
// commands, whose flags may list ABIs. A draft that does not exist is an error of the flag later.
func AcceptDrafts(args []string) {
	for i, arg := range args {
		switch name, ok := strings.CutPrefix(arg, "--draft="); {
		case arg == "--":
			return
		case ok:
			_ = model.AcceptDraft(name)
		case arg == "--draft" && i+1 < len(args):
			_ = model.AcceptDraft(args[i+1])
		}
	}
}

// draftFlag adds the flag --draft to a program.
func draftFlag(root *cobra.Command) {
	root.PersistentFlags().Var(draft{}, "draft", "also read the ABIs of a draft, whose numbers may change: `NAME` is "+strings.Join(model.Drafts(), ", "))
	Complete(root, "draft", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return model.Drafts(), cobra.ShellCompDirectiveNoFileComp
	})
}
