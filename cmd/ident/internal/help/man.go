package help

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// Manual holds the pages of a program, its commands and its topics by their file names, and the names in order; text
// fills the tables of a topic.
func Manual(root *cobra.Command, version, date string, text func(Topic) string) (pages map[string]string, names []string) {
	pages = map[string]string{}
	add := func(name, text string) {
		pages[name] = text
		names = append(names, name)
	}
	add("ident.1", Man(root, version, date))
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			add("ident-"+c.Name()+".1", Man(c, version, date))
		}
	}
	for _, t := range Topics() {
		add("ident-"+t.Name+".7", ManTopic(t, text(t), version, date))
	}
	return pages, names
}

// Man returns the manual page of a command in roff, section 1; date is in its foot.
func Man(c *cobra.Command, version, date string) string {
	var b strings.Builder
	name := strings.ReplaceAll(c.CommandPath(), " ", "-")
	fmt.Fprintf(&b, ".TH %q 1 %q %q %q\n", strings.ToUpper(name), date, "ident "+version, "ident")
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", escape(name), escape(c.Short))
	if c.HasParent() {
		fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n", escape(usage(c)))
	} else {
		fmt.Fprintf(&b, ".SH SYNOPSIS\n.B ident\n.I COMMAND INPUT...\n[options]\n")
	}
	b.WriteString(".SH DESCRIPTION\n")
	literal(&b, c.Long)
	if c.Example != "" {
		b.WriteString(".SH EXAMPLES\n")
		literal(&b, c.Example)
	}
	for _, s := range sections(c) {
		fmt.Fprintf(&b, ".SH %s\n", escape(strings.ToUpper(s.title)))
		for _, f := range s.flags {
			fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", escape(strings.TrimSpace(head(f))), escape(about(f)))
		}
	}
	if c.HasAvailableSubCommands() {
		b.WriteString(".SH COMMANDS\n")
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", escape(sub.CommandPath()), escape(sub.Short))
			}
		}
	}
	if !c.HasParent() {
		see(&b, c)
	} else {
		b.WriteString(".SH SEE ALSO\n.BR ident (1)\n")
	}
	return b.String()
}

// see lists the pages that the first one leads to.
func see(b *strings.Builder, c *cobra.Command) {
	b.WriteString(".SH SEE ALSO\n")
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			fmt.Fprintf(b, ".BR %s (1)\n", escape("ident-"+sub.Name()))
		}
	}
	for _, t := range Names() {
		fmt.Fprintf(b, ".BR %s (7)\n", escape("ident-"+t))
	}
}

// ManTopic returns the manual page of a topic, section 7, with the text as it is printed.
func ManTopic(t Topic, text, version, date string) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %q 7 %q %q %q\n", "IDENT-"+strings.ToUpper(t.Name), date, "ident "+version, "ident")
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n.SH DESCRIPTION\n", escape("ident-"+t.Name), escape(t.Title))
	_, body, _ := strings.Cut(text, "\n")
	literal(&b, body)
	b.WriteString(".SH SEE ALSO\n.BR ident (1)\n")
	return b.String()
}

// literal writes text with its own line breaks.
func literal(b *strings.Builder, text string) {
	b.WriteString(".nf\n")
	for line := range strings.Lines(strings.Trim(text, "\n") + "\n") {
		b.WriteString(escape(strings.TrimRight(line, "\n")) + "\n")
	}
	b.WriteString(".fi\n")
}

// escape writes a line of roff that shows the text: backslashes and hyphens are escaped, and a dot or an
// apostrophe that would begin a request is kept from it. Letters outside ASCII are named, which every roff takes.
func escape(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n", " ").Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	var b strings.Builder
	for _, r := range text {
		if r < 128 {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\[u%04X]`, r)
		}
	}
	return b.String()
}
