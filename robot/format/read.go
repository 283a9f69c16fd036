package format

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"ident/internal/spelling"
	"ident/internal/textfile"
	"ident/robot"
	"ident/robot/format/internal/xacro"
	"ident/robot/format/mjcf"
	"ident/robot/format/par"
	"ident/robot/format/sdf"
	"ident/robot/format/urdf"
	"ident/robot/format/yaml"
	"ident/robot/internal/assembly"
)

// parAssignment matches the start of a line of a SYMORO+ file.
var parAssignment = regexp.MustCompile(`(?im)^\s*(NL|NJ|NF|ant|sigma)\s*=`)

// maxFile is the largest robot file in bytes: enough for any description, and
// small enough that a log given by mistake is refused at once.
const maxFile = 64 << 20

// Kind is a format of robot files.
type Kind struct {
	Name       string   // as [Read] takes it
	Extensions []string // an extension that several formats share is decided by the content
	Title      string
	Written    bool // whether a robot can be written in it
}

// Kinds returns the formats of robot files, each with the extensions that name it.
func Kinds() []Kind {
	return []Kind{
		{"urdf", []string{".urdf", ".xml"}, "URDF, as ROS has it", true},
		{"xacro", []string{".xacro", ".urdf.xacro"}, "xacro, expanded on reading, with its arguments", false},
		{"mjcf", []string{".xml", ".mjcf"}, "MJCF, the XML of MuJoCo", true},
		{"sdf", []string{".sdf"}, "SDFormat, as Gazebo has it", true},
		{"par", []string{".par"}, "tables of SYMORO+", true},
		{"yaml", []string{".yaml", ".yml"}, "ident's own: loops, couplings, drives, symbols", true},
	}
}

// Open reads a robot file. The extension gives the format, otherwise the content.
func Open(path string, opt robot.ReadOptions) (*robot.Robot, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("the robot file %s is missing: %w%s", path, fs.ErrNotExist, spelling.NearFile(path))
	case err != nil:
		return nil, fmt.Errorf("robot file: %w", err)
	}
	if info.IsDir() {
		return nil, &robot.FileError{Path: path, Text: "is a folder; give the robot file in it"}
	}
	if info.Size() > maxFile {
		return nil, &robot.FileError{Path: path, Text: fmt.Sprintf("%d bytes are too many for a robot file; is it a log?", info.Size())}
	}
	read := textfile.Read
	if strings.HasPrefix(path, "/dev/") || strings.HasPrefix(path, "/proc/") { // a shell's <(xacro arm.xacro), which somebody writes
		read = textfile.ReadStream
	}
	text, err := read(path, maxFile)
	if err != nil {
		return nil, fmt.Errorf("robot file: %w", err)
	}
	beside, err := withConstraints(&text, path)
	if err != nil {
		return nil, err
	}
	r, err := readAs(text, "", path, opt, true)
	if err != nil {
		var fe *robot.FileError
		if errors.As(err, &fe) && beside > 0 && fe.Line > beside {
			fe.Path, fe.Line = constraintsOf(path), fe.Line-beside
		}
		return nil, err
	}
	if beside > 0 {
		r.Notes = append(r.Notes, robot.Note{Where: "file", Text: "its constraints are those of " + filepath.Base(constraintsOf(path)) + " beside it"})
	}
	r.Source.Path = path
	r.Source.Files = func(name string) ([]byte, error) { return readNamed(path, name, opt) }
	return r, nil
}

// constraintsOf names the file of SYMORO+ that has the constraints of a table.
func constraintsOf(path string) string { return strings.TrimSuffix(path, filepath.Ext(path)) + ".cons" }

// withConstraints appends the constraints of a SYMORO+ file, which stand in NAME.cons beside NAME.par, to its text, so that they go with it wherever it is kept.
// It returns the number of lines before them, 0 where there are none.
func withConstraints(text *[]byte, path string) (lines int, err error) {
	if !strings.EqualFold(filepath.Ext(path), ".par") {
		return 0, nil
	}
	info, err := os.Stat(constraintsOf(path))
	if err != nil || !info.Mode().IsRegular() {
		return 0, nil
	}
	if info.Size() > maxFile {
		return 0, &robot.FileError{Path: constraintsOf(path), Text: fmt.Sprintf("%d bytes are too many for constraints", info.Size())}
	}
	more, err := textfile.Read(constraintsOf(path), maxFile)
	if err != nil {
		return 0, fmt.Errorf("constraints of the robot file: %w", err)
	}
	if len(bytes.TrimSpace(more)) == 0 {
		return 0, nil
	}
	head := append(bytes.TrimSuffix(*text, []byte("\n")), '\n')
	*text = append(head, bytes.TrimPrefix(more, []byte("\xef\xbb\xbf"))...)
	return bytes.Count(head, []byte("\n")), nil
}

// Read reads a robot from text. format is "urdf", "xacro", "mjcf", "sdf", "par" or "yaml", or empty to detect it. name
// stands for the file in messages, and is the robot's name if the text has none. Source keeps the text; for xacro, its
// expansion to a URDF. A xacro text cannot include other files: use Open. Errors match *FileError or *UnsupportedError.
func Read(text []byte, format, name string, opt robot.ReadOptions) (*robot.Robot, error) {
	return readAs(text, format, name, opt, false)
}

// readAs is Read; if files is set, the text may include other files.
func readAs(text []byte, format, name string, opt robot.ReadOptions, files bool) (*robot.Robot, error) {
	if format == "" {
		format = detectFormat(text, name)
	}
	base := filepath.Base(name)
	r := &robot.Robot{Name: strings.TrimSuffix(base, filepath.Ext(base)), Gravity: robot.StandardGravity}
	if name == "" {
		r.Name = "robot"
	}
	r.Source = robot.Source{Path: name, NoSnap: opt.NoSnap}
	r.Source.SetText(text, format)
	var err error
	switch format {
	case "xacro":
		args := opt
		args.Args = nil
		if err = noArguments(name, "a URDF", args); err == nil {
			err = readXacro(r, name, text, opt, files)
		}
	case "urdf":
		if err = noArguments(name, "a URDF", opt); err == nil {
			err = urdf.Read(r, text, opt)
		}
	case "mjcf":
		if err = noArguments(name, "MuJoCo's XML", opt); err == nil {
			err = mjcf.Read(r, text, opt)
		}
	case "sdf":
		if err = noArguments(name, "SDFormat", opt); err == nil {
			err = sdf.Read(r, name, text, opt, sdf.Files(filesOf(name, opt, files)))
		}
	case "par":
		err = par.Read(r, text, opt)
	case "yaml":
		err = yaml.Read(r, text, opt)
	default:
		var known []string
		for _, k := range Kinds() {
			known = append(known, fmt.Sprintf("%s (%s)", k.Name, strings.Join(k.Extensions, ", ")))
		}
		return nil, &robot.FileError{Path: name, Text: fmt.Sprintf("cannot tell the format %q; known are %s", format, strings.Join(known, ", "))}
	}
	err = assembly.OfXML(err)
	var fe *robot.FileError
	var ue *robot.UnsupportedError
	switch {
	case errors.As(err, &fe):
		fe.Path = cmp.Or(fe.Path, name)
	case errors.As(err, &ue):
		ue.Path = name
	}
	if err != nil {
		return nil, err
	}
	markPlaceholders(r)
	return r, nil
}

// ofRobotXML returns the format of an XML text with a robot.
func ofRobotXML(text []byte, name string) string {
	if m := bodiesXML.FindSubmatch(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))); m != nil {
		return map[string]string{"mujoco": "mjcf", "sdf": "sdf"}[string(m[1])]
	}
	if strings.EqualFold(filepath.Ext(name), ".xacro") || xacro.Is(text) {
		return "xacro"
	}
	return "urdf"
}

// bodiesXML matches the start of MuJoCo's XML and of SDFormat, after comments and a declaration.
var bodiesXML = regexp.MustCompile(`(?s)^\s*(?:<\?.*?\?>\s*|<!--.*?-->\s*)*<(mujoco|sdf)\b`)

// detectFormat decides by the extension, otherwise by the start of the text.
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
