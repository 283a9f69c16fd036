package robot

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"ident/internal/textfile"
	"ident/internal/xacro"
)

// StandardGravity is the default gravity vector in the base frame, m/s².
var StandardGravity = [3]float64{0, 0, -9.81}

// ReadOptions are the choices of a reader; the zero value is the default.
type ReadOptions struct {
	// NoSnap keeps angles near a multiple of π/12, and offsets near zero, as
	// the file prints them.
	NoSnap bool
	// Set gives values to symbols of the file's geometry, over the file's own.
	// A name that the file does not use is an error.
	Set map[string]float64
	// TreeOnly reads a file that describes closed loops as the tree that is
	// left when the loops are cut; Robot.Extra holds the frames at the cuts.
	TreeOnly bool
	// Loops reads a file that describes closed loops with them, as Robot.Loops.
	// Without it, and without TreeOnly, such a file is refused, because most
	// models are of trees.
	Loops bool
	// Args are the arguments of a xacro file, and Packages the folders that its $(find NAME) gives; those above and
	// beside the file are found by themselves.
	Args, Packages map[string]string

	files bool // it may read further files
}

// maxFile is the largest robot file in bytes: enough for any description, and
// small enough that a log given by mistake is refused at once.
const maxFile = 64 << 20

// Open reads a robot file. The format follows from the extension and, where
// that says nothing, from the content.
func Open(path string, opt ReadOptions) (*Robot, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("robot file: %w", err)
	}
	if info.IsDir() {
		return nil, &FileError{Path: path, Text: "is a folder; give the robot file in it"}
	}
	if info.Size() > maxFile {
		return nil, &FileError{Path: path, Text: fmt.Sprintf("%d bytes are too many for a robot file; is it a log?", info.Size())}
	}
	text, err := textfile.Read(path, maxFile)
	if err != nil {
		return nil, fmt.Errorf("robot file: %w", err)
	}
	opt.files = true
	r, err := Read(text, "", path, opt)
	if err != nil {
		return nil, err
	}
	r.Source.Path = path
	return r, nil
}

// Read reads a robot from a text. Format is "urdf", "xacro", "mjcf", "sdf", "par" or "yaml", or empty
// to detect it; name stands for the file in messages, and gives the robot's
// name where the text has none. The text is kept in Source. Errors match
// *FileError or *UnsupportedError. The text of a xacro file becomes its expansion, a URDF; it includes
// others only where Open reads it.
func Read(text []byte, format, name string, opt ReadOptions) (*Robot, error) {
	if format == "" {
		format = detectFormat(text, name)
	}
	base := filepath.Base(name)
	r := &Robot{Name: strings.TrimSuffix(base, filepath.Ext(base)), Gravity: StandardGravity}
	if name == "" {
		r.Name = "robot"
	}
	r.Source = Source{Path: name, NoSnap: opt.NoSnap}
	r.Source.of(text, format)
	var err error
	switch format {
	case "xacro":
		args := opt
		args.Args = nil
		if err = noArguments(name, "a URDF", args); err == nil {
			err = readXacro(r, name, text, opt)
		}
	case "urdf":
		if err = noArguments(name, "a URDF", opt); err == nil {
			err = readURDF(r, text, opt)
		}
	case "mjcf":
		if err = noArguments(name, "MuJoCo's XML", opt); err == nil {
			err = readMJCF(r, text, opt)
		}
	case "sdf":
		if err = noArguments(name, "SDFormat", opt); err == nil {
			err = readSDF(r, name, text, opt)
		}
	case "par":
		err = readPar(r, text, opt)
	case "yaml":
		err = readYAML(r, text, opt)
	default:
		return nil, &FileError{Path: name, Text: fmt.Sprintf("cannot tell the format %q; known are URDF (.urdf, .xml), xacro (.xacro), MuJoCo's XML (.xml, .mjcf), SDFormat (.sdf), SYMORO+ (.par) and YAML (.yaml, .yml)", format)}
	}
	err = ofText(err)
	var fe *FileError
	var ue *UnsupportedError
	switch {
	case errors.As(err, &fe):
		fe.Path = cmp.Or(fe.Path, name)
	case errors.As(err, &ue):
		ue.Path = name
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// of makes a text the robot's source.
func (s *Source) of(text []byte, format string) {
	sum := sha256.Sum256(text)
	s.Text, s.Format, s.SHA256 = text, format, hex.EncodeToString(sum[:])
}

// ofRobotXML is the format of a text of XML with a robot.
func ofRobotXML(text []byte, name string) string {
	if m := bodiesXML.FindSubmatch(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))); m != nil {
		return map[string]string{"mujoco": "mjcf", "sdf": "sdf"}[string(m[1])]
	}
	if strings.EqualFold(filepath.Ext(name), ".xacro") || xacro.Is(text) {
		return "xacro"
	}
	return "urdf"
}

// bodiesXML is how MuJoCo's XML and SDFormat begin, behind comments and a declaration.
var bodiesXML = regexp.MustCompile(`(?s)^\s*(?:<\?.*?\?>\s*|<!--.*?-->\s*)*<(mujoco|sdf)\b`)

// detectFormat goes by the extension, then by how the text begins.
func detectFormat(text []byte, name string) string {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".mjcf":
		return "mjcf"
	case ".sdf":
		return "sdf"
	case ".urdf", ".xml", ".xacro":
		return ofRobotXML(text, name)
	case ".par":
		return "par"
	case ".yaml", ".yml":
		return "yaml"
	}
	t := bytes.TrimLeft(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), " \t\r\n")
	switch {
	case bytes.HasPrefix(t, []byte("<")):
		return ofRobotXML(text, name)
	case bytes.HasPrefix(t, []byte("(*")):
		return "par"
	case bytes.Contains(t, []byte("links:")):
		return "yaml"
	case parAssignment.Match(t):
		return "par"
	}
	return strings.TrimPrefix(filepath.Ext(name), ".")
}
