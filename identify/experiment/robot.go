package experiment

import (
	"fmt"
	"strings"

	"ident/identify/project"
	"ident/robot"
)

// carriedRobot adds the robot file to the metadata of a log.
func carriedRobot(r *robot.Robot, meta map[string]string) map[string]string {
	if src := r.Source; len(src.Text) > 0 {
		meta[project.MetaRobot], meta[project.MetaSHA], meta[project.MetaFormat] = string(src.Text), src.SHA256, src.Format
	}
	return meta
}

// notInFile names the settings that change the robot but are not in the robot file that the log carries.
func notInFile(s *project.Settings) []string {
	var given []string
	for _, o := range []struct {
		key string
		set bool
	}{{"gravity", len(s.Gravity) > 0}, {"set", len(s.Set) > 0}, {"no-snap", s.NoSnap}, {"couplings", len(s.Couplings) > 0}, {"lock", len(s.Lock) > 0}, {"loops", s.Loops != ""}} {
		if o.set {
			given = append(given, s.Called(o.key))
		}
	}
	if len(given) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("the log contains the robot file without these changes: give %s to ident fit as well", strings.Join(given, ", "))}
}
