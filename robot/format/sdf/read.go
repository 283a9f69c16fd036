package sdf

import (
	"errors"

	"ident/internal/xmltree"
	"ident/robot"
	"ident/robot/format/internal/mujoco"
	"ident/robot/internal/assembly"
)

// Files are those that a text may include: Find is the folder of model://name and package://name, Open reads a file and is nil where the
// text may include none.
type Files struct {
	Find func(name string) (folder string, ok bool)
	Open func(path string) ([]byte, error)
}

// Read fills r from a text of SDFormat. Where the text includes models, one with them in their place becomes the robot's source. Package format
// calls it, and gives its errors their path.
func Read(r *robot.Robot, name string, text []byte, opt robot.ReadOptions, files Files) error {
	text, _, err := xmltree.ToUTF8(text)
	if err != nil {
		return err
	}
	x, err := include(text, name, files)
	var ie *includeError
	switch {
	case errors.As(err, &ie):
		return &robot.FileError{Path: ie.Path, Line: ie.Line, Err: ie.Err}
	case err != nil:
		return err
	case len(x.Files) > 0:
		r.Source.SetText(x.Text, "sdf")
		r.Notes = append(r.Notes, robot.Note{Where: name, Text: "read together with the models that it includes; identified parameters are written into one file that contains them"})
		err = assembly.OfXML(Read(r, name, x.Text, opt, Files{}))
		var fe *robot.FileError
		if errors.As(err, &fe) && fe.Line > 0 {
			fe.Path, fe.Line = x.Source(fe.Line)
		}
		return err
	}
	root, err := xmltree.Parse(text)
	if err != nil {
		return err
	}
	m, err := readModel(text, root, opt)
	if errors.As(x.Missed, &ie) && err != nil && files.Open != nil {
		return &robot.FileError{Path: ie.Path, Line: ie.Line, Err: ie.Err}
	}
	if err != nil {
		return err
	}
	return mujoco.Fill(r, m, opt)
}
