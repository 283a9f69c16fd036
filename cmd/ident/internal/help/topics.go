package help

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"ident/docs/questions"
)

//go:embed topics/*.txt
var topicFiles embed.FS

// Topic is a long matter that several commands share, or the answer to a question.
type Topic struct {
	Name     string
	Title    string // first line of the text
	Text     string // with the title
	Question bool   // the text is a page of the manual
}

// topicOrder lists the topics from the first steps to the details.
var topicOrder = [...]string{"first-steps", "logs", "formats", "project-file", "processing", "fit-terms", "friction", "gains", "estimators", "priors", "judgement", "doctor", "findings", "verdicts", "exit-codes", "json"}

// Topics returns all topics, the answers to questions last. Lines @NAME@ in their texts stand for tables of the program: see Fill.
var Topics = sync.OnceValue(func() []Topic {
	var out []Topic
	for _, name := range topicOrder {
		text, err := fs.ReadFile(topicFiles, "topics/"+name+".txt")
		if err != nil {
			panic(fmt.Sprintf("help: topic %s: %v", name, err))
		}
		title, _, _ := strings.Cut(string(text), "\n")
		out = append(out, Topic{Name: name, Title: title, Text: string(text)})
	}
	for _, p := range questions.Pages() {
		out = append(out, Topic{Name: p.Name, Title: p.Title, Text: terminal(p), Question: true})
	}
	return out
})

// Names lists the topics.
func Names() []string {
	var out []string
	for _, t := range Topics() {
		out = append(out, t.Name)
	}
	return out
}

// Find returns a topic by its name.
func Find(name string) (Topic, bool) {
	for _, t := range Topics() {
		if t.Name == name {
			return t, true
		}
	}
	return Topic{}, false
}

// Row is a line of a table in a topic.
type Row struct{ Name, Text string }

// Fill puts tables into a text: a line @NAME@ becomes the rows of that name.
func Fill(text string, tables map[string][]Row) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		name := strings.Trim(strings.TrimSpace(line), "@")
		rows, ok := tables[name]
		if !ok || !strings.HasPrefix(line, "@") {
			b.WriteString(line)
			continue
		}
		widest := 0
		for _, r := range rows {
			widest = max(widest, len(r.Name))
		}
		for _, r := range rows {
			entry(&b, "  "+r.Name, r.Text, min(widest, topicIndent)+4)
		}
	}
	return b.String()
}
