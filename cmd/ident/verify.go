package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"ident/identify/folder"
)

func newVerify(s streams) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "verify RESULT [LOG...]",
		Short: "check that the files of a result are what was written",
		Long: `Read every file of a result again, and test whether it was changed. The document is compared
with its seal; the robot, the residuals, other files that are not drawn again, and the logs
with their hashes. Logs that are not named are looked for beside the result and in the
current folder.

The exit code is 0 if everything is unchanged. It is 1 if a file of the folder was changed
or is missing, or if a document has lost its seal. It is 3 if something could not be
checked: a log that is not here, or a document of version 0.4.0 or earlier, which has no
seal. White space, line ends and the order of members of the document may differ. A seal
finds accidents; it is no signature.`,
		Example: `  ident verify log.ident
  ident verify log.ident log.csv --json`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			var doc *folder.VerifyDocument
			if err := s.during("reading the files again", func() (err error) {
				doc, err = folder.Verify(c.Context(), args[0], args[1:])
				return err
			}); err != nil {
				return err
			}
			if asJSON {
				if err := folder.WriteJSON(s.data, doc); err != nil {
					return err
				}
			} else {
				t := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
				for _, f := range doc.Files {
					why := ""
					if f.Why != "" {
						why = "\t" + f.Why
					}
					fmt.Fprintf(t, "%s\t%s\t%s%s\n", f.Kind, f.File, f.State, why)
				}
				if err := t.Flush(); err != nil {
					return err
				}
			}
			switch {
			case doc.Changed > 0:
				for _, f := range doc.Files {
					if f.State == folder.Changed || f.State == folder.Missing {
						return fmt.Errorf("%s is not as it was written: %s %q: %s (%d of %d files)", args[0], f.Kind, f.File, f.Why, doc.Changed, len(doc.Files))
					}
				}
			case doc.NotChecked > 0:
				return errVerdict
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document to standard output")
	return c
}
