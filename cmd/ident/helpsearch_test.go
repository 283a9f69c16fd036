package main

import (
	"strings"
	"testing"
	"unicode/utf8"

	"ident/cmd/ident/internal/help"
)

// TestHelpSearch asks as people do; one of the three places must be the one that answers.
func TestHelpSearch(t *testing.T) {
	passages := help.Passages(newRoot(streams{}), topicText)
	for _, c := range []struct{ asked, read string }{
		{"belt between joints 5 and 6", "coupling"},
		{"thousands separator", "formats"},
		{"merge a second day", "merge"},
		{"my torques are currents", "gains"},
		{"total mass", "fit --total-mass"},
		{"fix a known mass", "fit --mass"},
		{"motor inertia", "fit-terms"},
		{"wrong units", "fit --unit"},
		{"collision", "watch"},
		{"weigh a gripper", "payload"},
		{"can I trust the result", "judgement"},
		{"negative mass", "priors"},
		{"is my data sent anywhere", "first-steps"},
		{"isaac", "export --to"},
		{"the column names differ", "fit --map"},
		{"joint does not move", "dead"},
		{"hdf5", "formats"},
		{"exit code", "exit-codes"},
		{"machine readable output", "json"},
		{"late velocity", "lag-velocity"},
	} {
		var found []string
		for _, p := range help.Search(passages, c.asked, 3) {
			found = append(found, strings.TrimPrefix(strings.TrimPrefix(p.Read, "ident "), "help ")+" | "+p.Name)
		}
		if text := strings.Join(found, "; "); !strings.Contains(text, c.read) {
			t.Errorf("%q finds %s, not %s", c.asked, text, c.read)
		}
	}
	if found := help.Search(passages, "the of and", 3); len(found) > 0 {
		t.Errorf("words without a matter find %v", found)
	}
}

// What the help says of a finding or a verdict is read at a glance: no sentence has more than 200 characters.
func TestEntriesAreShort(t *testing.T) {
	sentences := 0
	for _, topic := range help.Topics() {
		for _, e := range help.Entries(topic) {
			for _, part := range []string{e.What, e.Limit, e.Cause, e.Cure} {
				for sentence := range strings.SplitSeq(part, ". ") {
					if sentences++; utf8.RuneCountInString(sentence) > 200 {
						t.Errorf("%s: %d characters: %s", e.ID, utf8.RuneCountInString(sentence), sentence)
					}
				}
			}
		}
	}
	if sentences < 200 {
		t.Errorf("%d sentences", sentences)
	}
}
