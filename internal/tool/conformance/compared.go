package conformance

import (
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/tool/campaign"
	"github.com/sframe-lint/sframe-lint/model"
)

// question is what valid cases ask: the content of sections of a version and an ABI, or look-ups in them.
type question struct {
	version model.Version
	abi     model.ABI
	lookUp  bool
}

func (q question) String() string {
	text := fmt.Sprintf("V%d %s", q.version, model.LookupABI(q.abi).Short())
	if q.lookUp {
		text = inLookUps + text
	}
	return text
}

const inLookUps = "look-ups in "

// questionOf returns the question of a case, false if its section is not valid.
func questionOf(c *Case) (question, bool) {
	head, err := hex.DecodeString(c.Section[:min(len(c.Section), 10)])
	if err != nil || len(head) < 5 || c.Duty != Accept {
		return question{}, false
	}
	return question{model.Version(head[2]), model.ABI(head[4]), c.PC != ""}, true
}

// skipQuestions skips the cases of versions of which the decoder refuses every section.
func (r *Report) skipQuestions() {
	reads, refused := map[model.Version]bool{}, map[model.Version]int{}
	for i := range r.Results {
		x := &r.Results[i]
		switch q, ok := questionOf(x.Case); {
		case !ok:
		case x.Outcome == Refused:
			refused[q.version]++
		case x.Outcome == Pass || x.Outcome == Partial || x.Outcome == Wrong:
			reads[q.version] = true
		}
	}
	for i := range r.Results {
		x := &r.Results[i]
		if q, ok := questionOf(x.Case); ok && !reads[q.version] && refused[q.version] >= mostNamed && x.Outcome == Refused {
			x.Outcome, x.Detail = Skipped, fmt.Sprintf("the decoder refuses each section of version %d: %s", q.version, x.Detail)
		}
	}
}

// Compared returns the questions of which an answer was compared. It groups the others by the reason of their first
// case.
func (r *Report) Compared() (yes []string, no []campaign.NotCompared) {
	all := r.questions()
	for _, q := range slices.SortedFunc(maps.Keys(all), question.compare) {
		if all[q].compared {
			yes = append(yes, q.String())
			continue
		}
		at := slices.IndexFunc(no, func(n campaign.NotCompared) bool { return n.Why == all[q].why })
		if at < 0 {
			at = len(no)
			no = append(no, campaign.NotCompared{Why: all[q].why})
		}
		no[at].Forms = append(no[at].Forms, q.String())
	}
	return yes, no
}

// answers are those to a question.
type answers struct {
	compared       bool
	why            string // the first case without an answer has none
	cases, skipped int
}

// questions returns the questions that were asked.
func (r *Report) questions() map[question]*answers {
	all := map[question]*answers{}
	for i := range r.Results {
		x := &r.Results[i]
		q, ok := questionOf(x.Case)
		if !ok {
			continue
		}
		if all[q] == nil {
			all[q] = &answers{}
		}
		a := all[q]
		if a.cases++; x.Outcome == Skipped {
			a.skipped++
		}
		if x.Outcome == Skipped || x.Outcome == Crash {
			a.why = cmp.Or(a.why, x.Detail)
		} else {
			a.compared = true
		}
	}
	return all
}

func (q question) compare(b question) int {
	looks := map[bool]int{true: 1}
	return cmp.Or(looks[q.lookUp]-looks[b.lookUp], cmp.Compare(q.version, b.version), cmp.Compare(q.abi, b.abi))
}

// Incomplete returns an error if no answer was compared. It also does so if more than most percent of the cases were
// skipped. Only the versions, ABIs and look-ups that the decoder supports count.
func (r *Report) Incomplete(most int) error {
	all := r.questions()
	cases, skipped := 0, 0
	for _, a := range all {
		if a.compared {
			cases, skipped = cases+a.cases, skipped+a.skipped
		}
	}
	switch {
	case len(all) > 0 && cases == 0:
		return errors.New("nothing was checked: no valid section has an answer that was compared")
	case skipped*100 > most*cases:
		return fmt.Errorf("%d of %d cases of what the decoder supports were skipped, more than %d %% (--max-skipped)", skipped, cases, most)
	}
	return nil
}

// comparison writes what was compared.
func (r *Report) comparison(b *strings.Builder) {
	yes, no := r.Compared()
	fmt.Fprintf(b, "compared: %s\n", cmp.Or(InShort(yes), "nothing"))
	for _, n := range no {
		fmt.Fprintf(b, "not compared: %s (%s)\n", InShort(n.Forms), n.Why)
	}
}

// InShort lists questions. It names a version and ABI only once if contents and look-ups cover the same ones.
func InShort(all []string) string {
	contents := slices.DeleteFunc(slices.Clone(all), func(s string) bool { return strings.HasPrefix(s, inLookUps) })
	same := len(all) == 2*len(contents)
	for _, s := range contents {
		same = same && slices.Contains(all, inLookUps+s)
	}
	if same && len(contents) > 0 {
		return strings.Join(contents, ", ") + ", with look-ups"
	}
	return strings.Join(all, ", ")
}
