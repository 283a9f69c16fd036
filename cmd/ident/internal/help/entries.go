package help

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// Entry explains one id that a check or a judgement prints.
type Entry struct {
	ID    string
	What  string // in one sentence
	Limit string // of a verdict; "" for findings
	Cause string
	Cure  string
	Text  string // the lines of the topic
}

// Entries returns the entries of a topic that explains ids, findings or verdicts; nil for other topics. An entry begins with its id
// at the start of a line, and its parts are indented by two blanks.
func Entries(t Topic) []Entry {
	if t.Name != "findings" && t.Name != "verdicts" {
		return nil
	}
	var out []Entry
	for block := range strings.SplitSeq(t.Text, "\n\n") {
		head, rest, ok := strings.Cut(strings.TrimSpace(block), "\n  ")
		id, what, named := strings.Cut(head, ": ")
		if !ok || !named {
			continue
		}
		e := Entry{ID: id, What: what, Text: strings.TrimSpace(block)}
		for part := range strings.SplitSeq(rest, "\n  ") {
			name, text, _ := strings.Cut(part, ": ")
			switch name {
			case "Limit":
				e.Limit = text
			case "Cause":
				e.Cause = text
			case "Cure":
				e.Cure = text
			default:
				panic(fmt.Sprintf("help: %s of %s in topic %s", name, id, t.Name))
			}
		}
		out = append(out, e)
	}
	return out
}

// Explain returns what the topics say about an id, "" for an unknown one. Some ids are both a finding and a verdict.
func Explain(id string) string {
	var b strings.Builder
	for _, t := range Topics() {
		for _, e := range Entries(t) {
			if e.ID == id {
				fmt.Fprintf(&b, "%s\n", e.Text)
			}
		}
	}
	return b.String()
}

// Markdown returns the page of a command: its help, and all options in their groups as tables.
func Markdown(c *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s.\n\n```text\n%s\n```\n\n%s", c.CommandPath(), Escape(Capital(c.Short)), usage(c), Prose(c.Long))
	if c.Example != "" {
		fmt.Fprintf(&b, "\n## Examples\n\n```text\n%s\n```\n", strings.TrimPrefix(strings.ReplaceAll(strings.TrimRight(c.Example, "\n"), "\n  ", "\n"), "  "))
	}
	for _, s := range sections(c) {
		fmt.Fprintf(&b, "\n## %s\n\n| option | |\n|---|---|\n", s.title)
		for _, f := range s.flags {
			fmt.Fprintf(&b, "| `%s` | %s |\n", strings.ReplaceAll(strings.TrimSpace(head(f)), "|", `\|`), Escape(about(f)))
		}
	}
	return b.String()
}

// Prose returns a help text as Markdown. Paragraphs with an indented line stay preformatted.
func Prose(text string) string {
	var b strings.Builder
	for p := range strings.SplitSeq(strings.Trim(text, "\n"), "\n\n") {
		if strings.HasPrefix(p, " ") || strings.Contains(p, "\n ") {
			fmt.Fprintf(&b, "```text\n%s\n```\n\n", p)
		} else {
			fmt.Fprintf(&b, "%s\n\n", Escape(p))
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Capital returns a text with its first letter in upper case.
func Capital(text string) string {
	r, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[n:]
}

// Escape returns a text of which a table in Markdown shows every character.
func Escape(text string) string {
	return strings.NewReplacer("<", "&lt;", ">", "&gt;", "*", `\*`, "_", `\_`, "|", `\|`, "[", `\[`).Replace(text)
}
