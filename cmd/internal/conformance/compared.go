package conformance

import (
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/campaign"
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
	if err != nil || len(head) < 5 || c.Verdict != Accept {
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

// Compared returns the questions with an answer that was compared, and the others, with the reason of their first case.
func (r *Report) Compared() (yes []string, no []campaign.NotCompared) {
	why, compared, _, _ := r.questions()
	for _, q := range sortedQuestions(why) {
		if compared[q] {
			yes = append(yes, q.String())
			continue
		}
		at := slices.IndexFunc(no, func(n campaign.NotCompared) bool { return n.Why == why[q] })
		if at < 0 {
			at = len(no)
			no = append(no, campaign.NotCompared{Why: why[q]})
		}
		no[at].Forms = append(no[at].Forms, q.String())
	}
	return yes, no
}

// questions returns the questions that were asked, with why the first case without an answer has none, those with a case that
// has one, and how many of all cases of the latter were skipped.
func (r *Report) questions() (why map[question]string, compared map[question]bool, skipped, all int) {
	why, compared = map[question]string{}, map[question]bool{}
	for i := range r.Results {
		x := &r.Results[i]
		if q, ok := questionOf(x.Case); ok && (x.Outcome == Skipped || x.Outcome == Crash) {
			why[q] = cmp.Or(why[q], x.Detail)
		} else if ok {
			reason := why[q] // a question without one is listed, too
			why[q], compared[q] = reason, true
		}
	}
	for i := range r.Results {
		if q, ok := questionOf(r.Results[i].Case); ok && compared[q] {
			if all++; r.Results[i].Outcome == Skipped {
				skipped++
			}
		}
	}
	return why, compared, skipped, all
}

func sortedQuestions(all map[question]string) []question {
	var list []question
	for q := range all {
		list = append(list, q)
	}
	slices.SortFunc(list, func(a, b question) int {
		looks := map[bool]int{true: 1}
		return cmp.Or(looks[a.lookUp]-looks[b.lookUp], cmp.Compare(a.version, b.version), cmp.Compare(a.abi, b.abi))
	})
	return list
}

// Incomplete returns an error if no answer was compared, or if more than most percent of the cases were skipped among those of
// versions, ABIs and look-ups that the decoder supports.
func (r *Report) Incomplete(most int) error {
	asked, compared, skipped, all := r.questions()
	switch {
	case len(asked) > 0 && len(compared) == 0:
		return errors.New("nothing was checked: no valid section has an answer that was compared")
	case skipped*100 > most*all:
		return fmt.Errorf("%d of %d cases of what the decoder supports were skipped, more than %d %% (--max-skipped)", skipped, all, most)
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

// InShort lists questions. If look-ups are in the same versions and ABIs as contents, it names these once.
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
