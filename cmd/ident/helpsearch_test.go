package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"ident/cmd/ident/internal/help"
)

// TestHelpSearch asks as people do. Lines of queries.txt have a query, the pages of the manual that answer it, and the places of the help that do. The
// first place must be right for three queries of four, and one of the first three for nine of ten, as on the web site.
func TestHelpSearch(t *testing.T) {
	passages := help.Passages(newRoot(streams{}), topicText)
	text, err := os.ReadFile("../../docs/.vitepress/queries.txt")
	if err != nil {
		t.Fatal(err)
	}
	words, err := os.ReadFile("internal/help/asked.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(words)) {
		place, _, ok := strings.Cut(line, ": ")
		if ok && !slices.ContainsFunc(passages, func(p help.Passage) bool { return p.Name == place || p.Read == "ident help "+place }) {
			t.Errorf("asked.txt has words for %s, which is no place", place)
		}
	}
	asked, first, three := 0, 0, 0
	var missed []string
	for line := range strings.Lines(string(text)) {
		parts := append(strings.Split(strings.TrimSpace(line), "|"), "")
		var right []string
		for page := range strings.SplitSeq(parts[1], ",") {
			right = append(right, "docs/"+page+".md")
			if question, ok := strings.CutPrefix(page, "questions/"); ok {
				right = append(right, "ident help "+question)
			}
		}
		for place := range strings.SplitSeq(parts[2], ",") {
			right = append(right, "ident "+place)
		}
		var found []string
		hit := -1
		for i, p := range help.Search(passages, parts[0], 3) {
			found = append(found, p.Name)
			if hit < 0 && (slices.Contains(right, p.Read) || slices.Contains(right, p.Name)) {
				hit = i
			}
		}
		asked++
		if hit == 0 {
			first++
		} else {
			missed = append(missed, fmt.Sprintf("%q finds %s", parts[0], strings.Join(found, "; ")))
		}
		if hit >= 0 {
			three++
		}
	}
	t.Logf("%d queries, %d right first, %d in the first three; first are not:\n%s", asked, first, three, strings.Join(missed, "\n"))
	if asked < 60 || 4*first < 3*asked || 10*three < 9*asked {
		t.Errorf("%d of %d queries find their place first, %d in three", first, asked, three)
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
		if entries == nil && !topic.Question {
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

// Help has the same words in every terminal, and no line that is wider but for a single word.
func TestHelpFits(t *testing.T) {
	var texts []string
	for _, topic := range help.Topics() {
		texts = append(texts, topicText(topic))
	}
	root := newRoot(streams{})
	for _, c := range append(root.Commands(), root) {
		texts = append(texts, help.Page(c, true))
	}
	for _, width := range []int{40, 60, 80, 120} {
		for _, text := range texts {
			got := help.Fit(text, width)
			if !slices.Equal(strings.Fields(got), strings.Fields(text)) {
				t.Errorf("width %d: other words in\n%s", width, got)
			}
			for line := range strings.Lines(got) {
				if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); width < 100 && n > width && len(strings.Fields(line)) > 3 {
					t.Errorf("width %d: %d columns: %s", width, n, line)
				}
			}
		}
	}
}
