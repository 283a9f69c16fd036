package project

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"ident/datasets"
	"ident/excite"
	"ident/internal/output"
	"ident/robot"
)

// Column is an additional channel of samples, given as a function of time in seconds.
type Column struct {
	datasets.Channel
	At func(t float64) float64
}

// MetaTrajectoryLimits is the metadata key of trajectory samples for the origin of the limits of the design.
const MetaTrajectoryLimits = "ident.trajectory.limits"

// WriteTrajectory writes the coefficients (.json) or samples of tr to path, samples with the further columns. limits
// holds the sources of the limits that the motion keeps (excite.LimitSources), nil if it was not designed.
func WriteTrajectory(path string, tr excite.Motion, r *robot.Robot, rate float64, limits []string, further ...Column) error {
	if IsJSON(path) {
		text, err := json.Marshal(tr)
		if err == nil && len(limits) > 0 {
			var sources []byte
			if sources, err = json.Marshal(limits); err == nil {
				text = slices.Concat(text[:len(text)-1], []byte(`,"limits":`), sources, []byte("}"))
			}
		}
		var pretty bytes.Buffer
		if err == nil {
			err = json.Indent(&pretty, text, "", "  ")
		}
		if err != nil {
			return fmt.Errorf("writing %s: %w", path, err)
		}
		text = pretty.Bytes()
		return output.Write(path, func(w io.Writer) error { _, err := w.Write(append(text, '\n')); return err })
	}
	if err := excite.Samples(tr, rate); err != nil {
		return fmt.Errorf("writing %s: %w, or write its coefficients, as .json", path, err)
	}
	t, q, dq, ddq := excite.Sample(tr, rate, tr.Duration())
	channels := []datasets.Channel{{Name: "t", Unit: "s"}}
	cols := [][]float64{t}
	links := r.Independent()
	for _, g := range []struct {
		prefix           string
		x                [][]float64
		turning, sliding string
	}{{"q_", q, "rad", "m"}, {"dq_", dq, "rad/s", "m/s"}, {"ddq_", ddq, "rad/s^2", "m/s^2"}} {
		for i, name := range tr.Names() {
			unit := g.turning
			if r.Links[links[i]].Joint.Kind == robot.Prismatic {
				unit = g.sliding
			}
			channels = append(channels, datasets.Channel{Name: g.prefix + name, Unit: unit})
			cols = append(cols, g.x[i])
		}
	}
	for _, c := range further {
		x := make([]float64, len(t))
		for k := range x {
			x[k] = c.At(t[k])
		}
		channels, cols = append(channels, c.Channel), append(cols, x)
	}
	meta := map[string]string{MetaTrajectoryRobot: r.Name, MetaTrajectorySHA: r.Source.SHA256}
	if len(limits) > 0 {
		meta[MetaTrajectoryLimits] = strings.Join(limits, "; ")
	}
	return datasets.Write(path, channels, meta, func(w *datasets.Writer) error { return w.Append(cols) })
}
