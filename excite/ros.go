package excite

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"ident/internal/controller"
)

// rosTrajectory is a trajectory_msgs/JointTrajectory message.
type rosTrajectory struct {
	Comment string     `json:"comment,omitempty" yaml:"-"` // comment in JSON; in YAML it is written as a YAML comment
	Header  rosHeader  `json:"header" yaml:"header"`
	Names   []rosName  `json:"joint_names" yaml:"joint_names,flow"`
	Points  []rosPoint `json:"points" yaml:"points"`
}

// rosName is a joint's name, which YAML has in quotes.
type rosName string

func (n rosName) MarshalYAML() (any, error) { return controller.Text(string(n)), nil }

type rosHeader struct {
	Stamp rosTime `json:"stamp" yaml:"stamp,flow"`
	Frame string  `json:"frame_id" yaml:"frame_id"`
}

type rosTime struct {
	Sec     int `json:"sec" yaml:"sec"`
	Nanosec int `json:"nanosec" yaml:"nanosec"`
}

type rosPoint struct {
	Positions     []float64 `json:"positions" yaml:"positions,flow"`
	Velocities    []float64 `json:"velocities" yaml:"velocities,flow"`
	Accelerations []float64 `json:"accelerations" yaml:"accelerations,flow"`
	Effort        []float64 `json:"effort" yaml:"effort,flow"`
	Time          rosTime   `json:"time_from_start" yaml:"time_from_start,flow"`
}

// WriteROS writes a motion, sampled at rate Hz, as a ROS 2 trajectory_msgs/JointTrajectory message: as JSON, or as YAML
// in the form of `ros2 topic pub`. Positions beyond the limits, which stand in the order of the motion's joints, are a
// [*ProgramLimitError]; without limits, those that no joint of an arm has. about is a comment: YAML comment lines, or in
// JSON a field that no message has.
func WriteROS(w io.Writer, m Motion, rate float64, limits []Limits, asJSON bool, about ...string) error {
	if err := Samples(m, rate); err != nil {
		return err
	}
	if l, ok := FindProgramLanguage("ros2"); ok {
		if limits == nil {
			limits = make([]Limits, m.DOF())
			for i, name := range m.Names() {
				limits[i].Joint = name
			}
		}
		if len(limits) != m.DOF() {
			return &ProgramLimitError{l.Name, fmt.Sprintf("%d limits for %d joints", len(limits), m.DOF())}
		}
		if err := l.places(m, ProgramOptions{Rate: rate, Limits: limits}); err != nil {
			return err
		}
	}
	return writeROS(w, m, rate, 0, asJSON, about...)
}

// writeROS delays all times by approach seconds, in which a controller moves to the first point.
func writeROS(w io.Writer, m Motion, rate, approach float64, asJSON bool, about ...string) error {
	if err := Samples(m, rate); err != nil {
		return err
	}
	t, q, dq, ddq := Sample(m, rate, m.Duration())
	doc := rosTrajectory{Points: make([]rosPoint, len(t))}
	for i, name := range m.Names() {
		if err := controller.Finite(slices.Concat(q[i], dq[i], ddq[i])...); err != nil {
			return fmt.Errorf("joint %q: %w", name, err)
		}
		doc.Names = append(doc.Names, rosName(name))
	}
	for s := range t {
		ns := math.Round((approach + t[s]) * 1e9)
		p := rosPoint{Effort: []float64{}, Time: rosTime{int(ns / 1e9), int(math.Mod(ns, 1e9))}}
		for i := range q {
			p.Positions = append(p.Positions, q[i][s])
			p.Velocities = append(p.Velocities, dq[i][s])
			p.Accelerations = append(p.Accelerations, ddq[i][s])
		}
		doc.Points[s] = p
	}
	if asJSON {
		doc.Comment = strings.Join(about, "; ")
		e := json.NewEncoder(w)
		e.SetIndent("", " ")
		return e.Encode(doc)
	}
	lines := make([]string, len(about))
	for i, line := range about {
		lines[i] = controller.Remark(strings.Join(strings.Fields(line), " "))
	}
	text, err := controller.YAML(doc, lines...)
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}
