package main

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/pflag"

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

// Help is read at a glance: no sentence of a finding, a verdict, a topic or a command, and no option, has more than 200 characters.
func TestHelpIsShort(t *testing.T) {
	sentences := 0
	short := func(of, text string) {
		for paragraph := range strings.SplitSeq(text, "\n\n") {
			if strings.Contains("\n"+paragraph, "\n  ") {
				continue // a table
			}
			for sentence := range strings.SplitSeq(strings.Join(strings.Fields(paragraph), " "), ". ") {
				if sentences++; utf8.RuneCountInString(sentence) > 200 {
					t.Errorf("%s: %d characters: %s", of, utf8.RuneCountInString(sentence), sentence)
				}
			}
		}
	}
	for _, topic := range help.Topics() {
		entries := help.Entries(topic)
		for _, e := range entries {
			for _, part := range []string{e.What, e.Limit, e.Cause, e.Cure} {
				short(e.ID, part)
			}
		}
		if entries == nil {
			short(topic.Name, topicText(topic))
		}
	}
	for _, c := range newRoot(streams{}).Commands() {
		short(c.Name(), c.Long)
		c.Flags().VisitAll(func(f *pflag.Flag) { short(c.Name()+" --"+f.Name, f.Usage) })
	}
	if sentences < 500 {
		t.Errorf("%d sentences", sentences)
	}
}
