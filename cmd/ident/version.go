package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"ident/identify/folder"
)

func newVersion(s streams) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "version",
		Short: "print the version and what the program was built from",
		Long: `Print the version, the commit and the compiler that the program was built by, the system,
and the vector unit that it uses here. Reports of errors are easier to follow with it. To
cite ident in a publication, name this version and take CITATION.cff.`,
		Example: `  ident version
  ident version --json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			d := readBuild()
			if asJSON {
				return folder.WriteJSON(s.data, d)
			}
			fmt.Fprintf(s.out, "ident %s\n%s, %s, %d cores, %s\n", d.Version, d.Go, d.System, d.Cores, d.Vectors)
			if d.Revision != "" {
				changed := ""
				if d.Modified {
					changed = ", with changes"
				}
				fmt.Fprintf(s.out, "commit %s of %s%s\n", d.Revision, d.Time, changed)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document to standard output")
	return c
}
