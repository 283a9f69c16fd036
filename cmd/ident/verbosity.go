package main

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"ident/cmd/ident/internal/table"
	"ident/identify/folder"
	"ident/internal/rowlist"
)

// A gate passes texts for people to a writer, and drops them if the command is quiet.
type gate struct {
	w io.Writer
	u *inUse
}

// Write passes p on, or takes it as written if the command is quiet.
func (g gate) Write(p []byte) (int, error) {
	if g.u.quiet {
		return len(p), nil
	}
	return g.w.Write(p)
}

// addVerbosity gives a command -q, errors only, and -v, all notes, which a command may have with further tables.
func (s streams) addVerbosity(c *cobra.Command) {
	fl := c.Flags()
	const quiet = "print nothing but errors"
	if fl.Lookup(quietLogFlag) == nil {
		fl.BoolP("quiet", "q", false, quiet)
	} else {
		fl.VarPF(s.takeOldQuiet(c), "quiet", "q", quiet).NoOptDefVal = "true"
	}
	if fl.Lookup("verbose") == nil {
		fl.BoolP("verbose", "v", false, "print every note, those of one kind too")
	}
}

// forceFlag is the option that reads documents whose seal is broken.
const forceFlag = "force"

// addForce gives a command that reads the folder of a result, as its input or in place of a robot file, --force where it has none
// of its own.
func addForce(c *cobra.Command) {
	if slices.Contains([]string{"demo", "convert", "merge", "drift", "lab", "mcp", "version", "schema", "man", "verify", "tool"}, c.Name()) || c.Flags().Lookup(forceFlag) != nil {
		return
	}
	c.Flags().Bool(forceFlag, false, "read a result that was changed after it was written; its grade is doubtful at best")
}

// takeSeals reads --force before a command begins.
func (s streams) takeSeals(c *cobra.Command) {
	f := c.Flags().Lookup(forceFlag)
	said := map[string]bool{}
	s.inUse.seals = folder.Seals{Force: f != nil && f.Value.String() == "true", Say: func(worry bool, sentence string) {
		switch {
		case said[sentence]:
		case worry:
			s.warn("%s", sentence)
		case s.inUse.verbose:
			s.note("%s", sentence)
		}
		said[sentence] = true
	}}
}

// takeVerbosity reads -q and -v before a command begins.
func (u *inUse) takeVerbosity(c *cobra.Command) {
	on := func(name string) bool { f := c.Flags().Lookup(name); return f != nil && f.Value.String() == "true" }
	u.quiet, u.verbose = on("quiet"), on("verbose")
}

// particulars are the parts of a note that differ between notes of one kind: quoted names, and words with digits or a path.
var particulars = regexp.MustCompile(`"[^"]*"|\S*[0-9/\\]\S*`)

// tell prints a note or a warning. Of each kind it prints the first and counts the others, unless all are asked for.
func (s streams) tell(head, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if u := s.inUse; u != nil && !u.verbose {
		kind := head + particulars.ReplaceAllString(text, "")
		if u.kinds == nil {
			u.kinds = map[string]bool{}
		}
		if u.kinds[kind] {
			u.untold++
			return
		}
		u.kinds[kind] = true
	}
	fmt.Fprintln(s.err, s.fitted(head+": "+text))
}

// fitted returns a message with its longer lines broken for the terminal that shows it, but for lines that are commands, which somebody may paste.
// Elsewhere, on less than 40 columns, and for a program that shows messages itself, as the laboratory does, it stays as it is.
func (s streams) fitted(text string) string {
	if s.narrow < 40 || s.steps {
		return text
	}
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
		if utf8.RuneCountInString(line) <= s.narrow || strings.HasPrefix(line, indent+"ident ") {
			out = append(out, line)
			continue
		}
		for i, part := range table.Wrap(line, s.narrow-len(indent)-2) {
			if i > 0 {
				part = "  " + part
			}
			out = append(out, indent+part)
		}
	}
	return strings.Join(out, "\n")
}

// untold prints how many notes were not printed.
func (s streams) untold() {
	if n := s.inUse.untold; n > 0 {
		fmt.Fprintf(s.err, "note: %s like these; -v prints all\n", rowlist.Plural(n, "more note"))
	}
}
