package main

import (
	"io"

	"github.com/spf13/cobra"

	"ident/cmd/ident/internal/table"
	"ident/identify"
	"ident/identify/folder"
	"ident/identify/gravity"
	"ident/identify/project"
	"ident/internal/output"
)

func newGravity(s streams) *cobra.Command {
	f := s.flags()
	var out string
	c := &cobra.Command{
		Use:   "gravity LOG...",
		Short: "identify gravity parameters from slow passes in both directions",
		Long: `Identify the parameters that torques at rest determine, from logs of slow motions that pass poses
in both directions: the mean torque of both passes is free of friction, whatever its law.
ident design-trajectory --static designs such a motion. The document that -o writes is a
prior of ident fit: --prior gravity.json.`,
		Example: `  ident gravity slow.csv --robot arm.urdf -o gravity.json
  ident fit log.csv --robot arm.urdf --prior gravity.json`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := f.resolve(append(args, f.robot())...)
			if err != nil {
				return err
			}
			var doc *gravity.Document
			if err := s.during("fitting torques at rest", func() error {
				doc, err = identify.New(p, f.robot() != "", args...).Gravity(c.Context())
				return err
			}); err != nil {
				return err
			}
			if out != "" {
				if err := output.Write(out, func(w io.Writer) error { return folder.WriteSealed(w, doc, &doc.Seal) }); err != nil {
					return err
				}
			}
			if f.json {
				return folder.WriteJSON(s.data, doc)
			}
			return table.Gravity(s.out, doc)
		},
	}
	f.settings(c, project.RobotFile)
	f.robotFlags(c)
	f.termsFlag(c, "links,Ia,Fv,Fs,Fo")
	for _, key := range []string{"joints", "preset", "map", "units", "scale", "zero", "topics", "columns", "rate", "env", "gains", "rows"} {
		f.setting(c, entry(key))
	}
	f.jsonFlag(c)
	c.Flags().StringVarP(&out, "output", "o", "", "file for the document, a prior of ident fit")
	return c
}
