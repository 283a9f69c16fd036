package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"ident/cmd/ident/internal/exports"
	"ident/identify"
	"ident/identify/folder"
	"ident/internal/output"
	"ident/physical/draws"
)

// drawsFile is the document in a folder of draws.
const drawsFile = "draws.json"

// drawing is the options of --draws.
type drawing struct {
	count     int
	deviation float64
	flat      bool
	seed      uint64
}

func (d *drawing) flags(c *cobra.Command) {
	fl := c.Flags()
	addNumber(fl, &d.count, "draws", "", 0, 0, 100_000, "number of robots to draw from the distribution that the fit determined")
	addNumber(fl, &d.deviation, "prior-deviation", "%", 100*draws.DefaultDeviation, 0.1, 60, "relative standard deviation of parameters that the data do not determine, %")
	fl.BoolVar(&d.flat, "flat-prior", false, "draw base parameters by the fit's covariance and feasibility alone, without the prior")
	fl.Uint64Var(&d.seed, "seed", 1, "of the draws")
}

// write draws robots, and writes them as files into a new folder, or as one document.
func (d *drawing) write(c *cobra.Command, s streams, dir, to, out, friction string) error {
	extension, files := map[string]string{"urdf": ".urdf", "mjcf": ".xml", "sdf": ".sdf", "yaml": ".yaml", "par": ".par"}[to]
	switch {
	case !files && to != "json":
		return usagef("--draws goes with --to urdf, mjcf, sdf, yaml or par, and a new folder as -o, or with --to json")
	case files && out == "":
		return usagef("--draws writes files: name a new folder with -o")
	}
	digits := len(strconv.Itoa(d.count))
	nameOf := func(k int) string { return fmt.Sprintf("robot-%0*d%s", digits, k+1, extension) }
	if files {
		for k := range d.count {
			if err := output.Claim(filepath.Join(out, nameOf(k)), overwrites(c)); err != nil {
				return err
			}
		}
		if err := output.Claim(filepath.Join(out, drawsFile), overwrites(c)); err != nil {
			return err
		}
	}
	saved, err := identify.OpenResult(dir, s.inUse.seals)
	if err != nil {
		return err
	}
	var doc *identify.DrawsDocument
	if err := s.during("drawing robots", func() error {
		doc, err = saved.Draw(c.Context(), identify.DrawOptions{Count: d.count, Seed: d.seed, Deviation: d.deviation / 100, Flat: d.flat})
		return err
	}); err != nil {
		return err
	}
	s.note("%d draws: R̂ %.3f (%s is worst), %.0f effective draws of %d checked", d.count, doc.Mixing.Reduction, doc.Mixing.Worst, doc.Mixing.Effective, doc.Mixing.Checked)
	if text := doc.Narrower(); text != "" {
		if !d.flat {
			text += "; --flat-prior draws them without the prior"
		}
		s.note("%s", text)
	}
	if !files {
		if out == "" || out == "-" {
			return folder.WriteJSON(s.data, doc)
		}
		return output.Write(out, func(w io.Writer) error { return folder.WriteJSON(w, doc) })
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	for k := range d.count {
		if err := c.Context().Err(); err != nil {
			return err
		}
		text, said, err := exports.Drawn(saved, doc, k, exports.RobotOptions{Format: to, Friction: friction})
		if err != nil {
			return fmt.Errorf("draw %d: %w", k+1, err)
		}
		if k == 0 {
			s.remarks(said)
		}
		name := nameOf(k)
		doc.Files = append(doc.Files, name)
		if err := writeTo(s, filepath.Join(out, name), to, text); err != nil {
			return err
		}
	}
	return output.Write(filepath.Join(out, drawsFile), func(w io.Writer) error { return folder.WriteJSON(w, doc) })
}
