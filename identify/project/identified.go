package project

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ident/identify/folder"
	"ident/regressor"
	"ident/robot"
	"ident/robot/format/yaml"
)

// IsResult reports whether a path is the folder of a result of rigid joints.
func IsResult(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return false
	}
	_, err := os.Stat(filepath.Join(path, folder.ResultFile))
	return err == nil
}

// ResultOfRobot returns the folder of the result that contains a robot file, or "". The file there is the robot as it
// was read: its bodies are not the identified ones.
func ResultOfRobot(path string) string {
	dir := filepath.Dir(path)
	if strings.HasPrefix(filepath.Base(path), "robot.") && IsResult(dir) {
		return dir
	}
	return ""
}

// identifiedRobot returns the robot of a result's folder with the identified bodies and drives; its text is a YAML file.
// Locks of the result are added to the settings, for joints that these do not lock. Friction laws that a robot cannot
// hold are dropped, with a note.
func identifiedRobot(p *Settings, dir string) (*robot.Robot, error) {
	f, err := OpenFitted(dir, p.Seals)
	if err != nil {
		return nil, err
	}
	for joint, at := range f.Settings.Lock {
		if _, own := p.Lock[joint]; own {
			continue
		}
		if p.Lock == nil {
			p.Lock = map[string]float64{}
		}
		p.Lock[joint] = at
	}
	id := f.Identified()
	r := id.Robot
	var b bytes.Buffer
	if err := yaml.Write(&b, r); err != nil {
		return nil, fmt.Errorf("%s: the identified robot: %w", dir, err)
	}
	r.Source = robot.Source{Path: dir}
	r.Source.SetText(b.Bytes(), "yaml")
	r.Notes = append(slices.Clone(r.Notes), robot.Note{Where: r.Name, Text: "bodies and drives are taken from the result " + dir})
	if b := f.Result.Bodies; b != nil && b.DistanceSigma > b.LimitSigma {
		r.Notes = append(r.Notes, robot.Note{Where: r.Name, Text: fmt.Sprintf(
			"the base parameters of the result belong to no bodies: these are the nearest feasible ones, %.3g standard deviations away (chance: %.2g); their torque errors are %.3g %% larger", b.DistanceSigma, b.LimitSigma, b.TorqueExcess)})
	}
	var out []string
	for _, t := range f.Terms {
		if !slices.Contains(regressor.DefaultTerms(), t) {
			out = append(out, string(t))
		}
	}
	if len(out) > 0 {
		r.Notes = append(r.Notes, robot.Note{Where: r.Name, Text: "terms of the result that a robot file cannot hold are left out: " + strings.Join(out, ", ")})
	}
	for _, bad := range id.Impossible {
		r.Notes = append(r.Notes, robot.Note{Where: bad.Link, Text: "no body can have its identified inertial: " + bad.Why})
	}
	return r, nil
}
