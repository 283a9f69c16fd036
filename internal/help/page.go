package help

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// Sizes of a page, in columns.
const (
	width  = 100
	indent = 30 // of the texts of options
)

// Page is the help of a command.
func Page(c *cobra.Command) string {
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
	for _, s := range sections(c) {
		fmt.Fprintf(&b, "\n%s:\n", s.title)
		for _, f := range s.flags {
			entry(&b, "  "+head(f), about(f), indent)
		}
	}
	if !c.HasParent() {
		fmt.Fprintf(&b, "\nTopics (ident help TOPIC):\n")
		for _, t := range Topics() {
			entry(&b, "  "+t.Name, t.Title, topicIndent)
		}
		fmt.Fprintf(&b, "\nident help COMMAND tells more about a command.\n")
	}
	return b.String()
}

// topicIndent is the column of the texts of commands and topics.
const topicIndent = 22

// usage is the line that shows how a command is called.
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
	for i, line := range wrap(text, width-column) {
		if i > 0 {
			at = 0
		}
		b.WriteString(strings.Repeat(" ", column-at) + line + "\n")
	}
}

// wrap breaks a text at spaces into lines of at most n columns; longer words stand alone.
func wrap(text string, n int) []string {
	var lines []string
	line := ""
	for _, w := range strings.Fields(text) {
		switch {
		case line == "":
			line = w
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(w) > n:
			lines = append(lines, line)
			line = w
		default:
			line += " " + w
		}
	}
	return append(lines, line)
}
