package help

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"ident/cmd/ident/internal/table"
	"ident/internal/rowlist"
)

// Sizes of a page, in columns.
const (
	width  = 100
	indent = 30 // of the texts of options
)

// allOption asks for a page with every option.
const allOption = "--help-all"

// All replaces the option for a page with every option by --help in the arguments, and reports whether it was there.
func All(args []string) ([]string, bool) {
	out := slices.Clone(args)
	for i, a := range out {
		if a == "--" {
			break
		}
		if a == allOption {
			out[i] = "--help"
			return out, true
		}
	}
	return out, false
}

// mostLines is the number of lines of a page up to which it holds every option.
const mostLines = 45

// Page returns the help of a command. It lists every option if all is set or the page is short, otherwise those that most users need.
func Page(c *cobra.Command, all bool) string {
	text := page(c, sections(c), false)
	if all || !c.HasParent() || strings.Count(text, "\n") <= mostLines {
		return text
	}
	if s := sections(c); s[0].title == string(Most) {
		return page(c, s[:1], true)
	}
	return text
}

// Missing returns the text of an error about the number of arguments, in the words of the help.
func Missing(err error) string {
	text := err.Error()
	for _, f := range []struct{ form, words string }{
		{`^accepts (\d+) arg\(s\), received (\d+)$`, "%s needed, %s given"},
		{`^requires at least (\d+) arg\(s\), only received (\d+)$`, "at least %s needed, %s given"},
		{`^accepts at most (\d+) arg\(s\), received (\d+)$`, "at most %s can be given, not %s"},
		{`^accepts between (\d+) and \d+ arg\(s\), received (0)$`, "at least %s needed, %s given"},
		{`^accepts between \d+ and (\d+) arg\(s\), received (\d+)$`, "at most %s can be given, not %s"},
	} {
		if m := regexp.MustCompile(f.form).FindStringSubmatch(text); m != nil {
			n, _ := strconv.Atoi(m[1])
			got := m[2]
			if got == "0" {
				got = "none"
			}
			return fmt.Sprintf(f.words, rowlist.Plural(n, "argument"), got)
		}
	}
	return text
}

// Call is how a command is called, with an example.
func Call(c *cobra.Command) string {
	text := "usage: " + usage(c)
	if first, _, _ := strings.Cut(strings.TrimSpace(c.Example), "\n"); first != "" {
		text += "\nexample: " + strings.TrimSpace(first)
	}
	return text
}

// page writes the sections of a command; short ends it with the way to the others.
func page(c *cobra.Command, listed []section, short bool) string {
	var b strings.Builder
	text := c.Long
	if text == "" {
		text = c.Short
	}
	fmt.Fprintf(&b, "%s\n", strings.TrimSpace(text))
	if c.Runnable() && c.HasParent() {
		fmt.Fprintf(&b, "\nUsage:\n  %s\n", usage(c))
	}
	if c.Example != "" {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", strings.TrimRight(c.Example, "\n"))
	}
	if c.HasAvailableSubCommands() {
		commands(&b, c)
	}
	for _, s := range listed {
		fmt.Fprintf(&b, "\n%s:\n", s.title)
		for _, f := range s.flags {
			entry(&b, "  "+head(f), about(f), indent)
		}
	}
	if short {
		n := 0
		for _, s := range sections(c) {
			n += len(s.flags)
		}
		fmt.Fprintf(&b, "\n%s %s lists all %d options.\n", c.CommandPath(), allOption, n)
	}
	if !c.HasParent() {
		fmt.Fprintf(&b, "\nTopics (ident help TOPIC):\n")
		var questions []string
		for _, t := range Topics() {
			if t.Question {
				questions = append(questions, t.Name)
				continue
			}
			entry(&b, "  "+t.Name, t.Title, topicIndent)
		}
		b.WriteString("\nQuestions (ident help QUESTION):\n")
		entry(&b, "", strings.Join(questions, ", "), 2)
		b.WriteString("\nident help COMMAND tells more about a command; other words are searched.\n")
	}
	return b.String()
}

// topicIndent is the column of the texts of commands and topics.
const topicIndent = 22

// usage returns the line that shows how a command is called.
func usage(c *cobra.Command) string {
	line := c.CommandPath() + strings.TrimPrefix(c.Use, c.Name())
	if c.HasAvailableLocalFlags() {
		line += " [options]"
	}
	return line
}

// commands lists the commands below one, in their groups.
func commands(b *strings.Builder, c *cobra.Command) {
	list := func(title, id string) {
		first := true
		for _, sub := range c.Commands() {
			if sub.GroupID != id || !sub.IsAvailableCommand() {
				continue
			}
			if first {
				fmt.Fprintf(b, "\n%s:\n", title)
				first = false
			}
			entry(b, "  "+sub.Name(), sub.Short, topicIndent)
		}
	}
	for _, g := range c.Groups() {
		list(g.Title, g.ID)
	}
	list("Commands", "")
}

// entry writes a name and its text, wrapped, from a column on; a long name stands on a line of its own.
func entry(b *strings.Builder, name, text string, column int) {
	b.WriteString(name)
	at := utf8.RuneCountInString(name)
	if at > column-2 {
		b.WriteByte('\n')
		at = 0
	}
	for i, line := range table.Wrap(text, width-column) {
		if i > 0 {
			at = 0
		}
		b.WriteString(strings.Repeat(" ", column-at) + line + "\n")
	}
}
