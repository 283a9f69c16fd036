package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"ident/cmd/ident/internal/help"
	"ident/internal/output"
)

func newMan(s streams) *cobra.Command {
	var out string
	var markdown bool
	c := &cobra.Command{
		Use:   "man [COMMAND|TOPIC]",
		Short: "print manual pages, or write the whole reference",
		Long: `Print the manual page of a command or a topic, or write all of them into a folder: ident.1,
ident-fit.1 and so on, and the topics as ident-TOPIC.7. With --markdown, write the reference of
the web site instead: commands, topics, settings, findings, verdicts, terms, formats and documents.`,
		Example: `  ident man fit
  ident man -o man
  ident man --markdown -o reference`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if markdown {
				if out == "" || len(args) > 0 {
					return usagef("--markdown writes all pages: give -o FOLDER and no name")
				}
				pages := referencePages(c.Root())
				names := slices.Sorted(maps.Keys(pages))
				if err := output.WriteFiles(out, names, func(i int) []byte { return []byte(pages[names[i]]) }, overwrites(c)); err != nil {
					return err
				}
				_, err := fmt.Fprintf(s.out, "wrote %d pages into %s\n", len(names), out)
				return err
			}
			pages, names := help.Manual(c.Root(), Version, pageDate().Format("2006-01-02"), topicText)
			switch {
			case out != "" && len(args) > 0:
				return usagef("-o writes all pages: give it without %s", args[0])
			case out != "":
				if err := output.WriteFiles(out, names, func(i int) []byte { return []byte(pages[names[i]]) }, overwrites(c)); err != nil {
					return err
				}
				_, err := fmt.Fprintf(s.out, "wrote %d pages into %s\n", len(names), out)
				return err
			case len(args) == 0:
				args = []string{""}
			}
			for _, name := range []string{"ident.1", "ident-" + args[0] + ".1", "ident-" + args[0] + ".7"} {
				if page, ok := pages[name]; ok && (args[0] == "" || name != "ident.1") {
					_, err := io.WriteString(s.data, page)
					return err
				}
			}
			return unknownName("command or topic", args[0], append(commandNames(c.Root()), help.Names()...))
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "", "folder for all pages")
	c.Flags().BoolVar(&markdown, "markdown", false, "write the whole reference as Markdown in place of roff")
	return c
}

// pageDate returns the date of manual pages: that of SOURCE_DATE_EPOCH where a reproducible build sets it.
func pageDate() time.Time {
	if s, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64); err == nil {
		return time.Unix(s, 0).UTC()
	}
	return time.Now()
}
