package fuzzcmd

import (
	"cmp"
	"regexp"
	"strings"
	"time"

	"github.com/sframe-lint/sframe-lint/internal/tool/campaign"
	"github.com/sframe-lint/sframe-lint/internal/tool/conformance"
)

// asker asks a decoder that meets the protocol of the conformance suite, for a campaign.
type asker struct{ conformance.Process }

func newAsker(args []string, limits campaign.Limits) *asker {
	return &asker{conformance.Process{Command: args, Env: limits.Env}}
}

// Ask implements [campaign.Asker].
func (d *asker) Ask(data []byte, addr uint64, limit time.Duration) campaign.Reply {
	d.Timeout = limit
	r, a := conformance.Examine(&d.Process, data, addr)
	switch r.Outcome {
	case conformance.Crash:
		if a.Silent {
			return campaign.Reply{Kind: campaign.Hang, Key: "timeout", Message: r.Detail}
		}
		return campaign.Reply{Kind: campaign.Crash, Key: r.Detail, Message: cmp.Or(a.Stderr, r.Detail)}
	case conformance.Refused:
		return campaign.Reply{Kind: campaign.RejectsValid, Key: r.Detail, Message: r.Detail}
	case conformance.Wrong:
		member, _, _ := strings.Cut(indexes.ReplaceAllString(r.Detail, ""), " ")
		return campaign.Reply{Kind: campaign.Misreads, Key: strings.TrimPrefix(member, "."), Message: r.Detail}
	case conformance.Taken:
		key := "no rule"
		if len(r.Case.Rules) > 0 {
			key = r.Case.Rules[0]
		}
		return campaign.Reply{Kind: campaign.Silent, Key: key, Message: r.Detail}
	}
	if a.Error != "" || a.Unsupported {
		return campaign.Reply{Kind: campaign.Rejects, Message: a.Error}
	}
	return campaign.Reply{Kind: campaign.Accepts}
}

// indexes matches those of lists in the path of a member of an answer.
var indexes = regexp.MustCompile(`\[\d+\]`)
