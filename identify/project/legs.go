package project

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ident/datasets"
	"ident/doctor"
	"ident/identify/regression"
	"ident/identify/standing"
	"ident/internal/spatial"
	"ident/observation/feet"
	"ident/physical"
	"ident/regressor"
	"ident/result"
	"ident/robot"
	"ident/robot/format"
)

// FeetForm, SensorForm, StandingForm and MirrorForm are the forms of the settings feet, base-imu, standing and mirror.
const (
	FeetForm     = "LINK[=X/Y/Z][:RADIUS],…"
	SensorForm   = "LINK[=X,Y,Z[,ROLL,PITCH,YAW]]"
	StandingForm = "CHANNEL,… for each foot, force>N or auto"
	MirrorForm   = "LEFT=RIGHT,…"
)

// SensedStance reports whether the torques tell which feet stand, and from which force, N, on; 0 leaves that to the fit.
func (s *Settings) SensedStance() (sensed bool, least float64, err error) {
	if len(s.Standing) != 1 {
		return false, 0, nil
	}
	text, forced := strings.CutPrefix(s.Standing[0], "force>")
	if !forced {
		return text == "auto", 0, nil
	}
	if least, err = strconv.ParseFloat(text, 64); err != nil || !(least > 0) || math.IsInf(least, 0) {
		return false, 0, wrong("standing", s.Standing[0], "{standing} %s: %q is no force in newtons above zero; it is %s", s.Standing[0], text, StandingForm)
	}
	return true, least, nil
}

// Stands reports whether the settings are of a robot that stands on its feet.
func (s *Settings) Stands() bool {
	return len(s.Feet)+len(s.Standing)+len(s.Mirror) > 0 || s.BaseIMU != ""
}

// Afloat returns a robot with a floating base: the robot itself, or a URDF's with a floating joint to its root link.
func Afloat(r *robot.Robot) (*robot.Robot, error) {
	if _, err := regressor.FloatingBaseOf(r); err == nil {
		return r, nil
	}
	end := strings.LastIndex(string(r.Source.Text), "</robot>")
	if r.Source.Format != "urdf" || r.BaseName == "" || end < 0 {
		return nil, fmt.Errorf("robot %q: a robot that stands needs a base that floats: give its base a joint of kind floating, or a <freejoint/> in MJCF", r.Name)
	}
	const world, joint = "standing_world", "standing_base"
	text := string(r.Source.Text)[:end] + fmt.Sprintf("<link name=%q/><joint name=%q type=\"floating\"><parent link=%q/><child link=%q/></joint>\n</robot>\n", world, joint, world, r.BaseName)
	afloat, err := format.Read([]byte(text), "urdf", r.Source.Path, robot.ReadOptions{NoSnap: r.Source.NoSnap})
	if err != nil {
		return nil, fmt.Errorf("robot %q with a floating base: %w", r.Name, err)
	}
	afloat.Gravity = r.Gravity
	return afloat, nil
}

// placed returns the link of a name and the place of its frame in the link's own frame. A body that a fixed joint merged
// into a link has the place where it is fixed.
func placed(r *robot.Robot, name string) (link int, at robot.Transform, fixed, ok bool) {
	for j := range r.Links {
		if r.Links[j].Name == name {
			return j, robot.Identity(), false, true
		}
	}
	for _, l := range r.Lumped {
		if l.Name == name && l.Into >= 0 {
			return l.Into, r.Links[l.Into].UserFrame.Inv().Mul(l.InLink), true, true
		}
	}
	return 0, robot.Identity(), false, false
}

// FeetOf returns the feet of the settings. A radius counts for the feet in front of it that have none.
func (s *Settings) FeetOf(r *robot.Robot) ([]regressor.Foot, error) {
	refuse := func(text, format string, args ...any) ([]regressor.Foot, error) {
		return nil, wrong("feet", text, "{feet} %s: %s; it is %s", text, fmt.Sprintf(format, args...), FeetForm)
	}
	var out []regressor.Foot
	given := 0 // feet whose radius is known
	for _, text := range s.Feet {
		place, radius, sized := strings.Cut(text, ":")
		name, list, at := strings.Cut(place, "=")
		link, in, fixed, ok := placed(r, name)
		if !ok {
			return refuse(text, "the robot has no link %q", name)
		}
		foot := regressor.Foot{Name: name, Link: link, Centre: in.P}
		if at {
			numbers, err := slashed(list)
			if err != nil || len(numbers) != 3 {
				return refuse(text, "%q is no point", list)
			}
			foot.Centre = in.Apply([3]float64(numbers))
		} else if !fixed {
			return refuse(text, "%q is no link that is fixed at a foot: say where its foot is, %s=0/0/-0.2", name, name)
		}
		out = append(out, foot)
		if !sized {
			continue
		}
		for ; given < len(out); given++ {
			if radius == "sole" {
				out[given].Sole = true
				continue
			}
			v, err := strconv.ParseFloat(radius, 64)
			if err != nil || !(v >= 0 && v < 1) {
				return refuse(text, "%q must be a radius in metres, or sole", radius)
			}
			out[given].Radius = v
		}
	}
	if given < len(out) {
		return refuse(out[given].Name, "give its radius, as a round foot rolls (0 for a point, sole for a flat foot)")
	}
	return out, nil
}

// MirroredOf returns the links of the settings whose bodies are mirror images.
func (s *Settings) MirroredOf(r *robot.Robot) ([]standing.Mirrored, error) {
	var out []standing.Mirrored
	for _, text := range s.Mirror {
		refuse := func(why string) ([]standing.Mirrored, error) {
			return nil, wrong("mirror", text, "{mirror} %s: %s; it is %s", text, why, MirrorForm)
		}
		left, right, ok := strings.Cut(text, "=")
		if !ok || left == "" || right == "" || left == right {
			return refuse("it must have two different names")
		}
		before := len(out)
		for j := range r.Links {
			if !strings.Contains(r.Links[j].Name, left) {
				continue
			}
			other := strings.Replace(r.Links[j].Name, left, right, 1)
			k := slices.IndexFunc(r.Links, func(l robot.Link) bool { return l.Name == other })
			if k < 0 {
				continue
			}
			pair, err := standing.NewMirrored(r, j, k)
			if err != nil {
				return refuse(err.Error())
			}
			out = append(out, pair)
		}
		if len(out) == before {
			return refuse(fmt.Sprintf("no link with %q in its name has another with %q", left, right))
		}
	}
	return out, nil
}

func slashed(list string) (out []float64, err error) {
	for f := range strings.SplitSeq(list, "/") {
		v, err := strconv.ParseFloat(strings.TrimSpace(f), 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%q is no number", f)
		}
		out = append(out, v)
	}
	return out, nil
}

// SensorOf returns the pose on the base of the inertial measurement unit of the settings.
func (s *Settings) SensorOf(r *robot.Robot) (feet.Sensor, error) {
	refuse := func(format string, args ...any) (feet.Sensor, error) {
		return feet.Sensor{}, wrong("base-imu", s.BaseIMU, "{base-imu} %s: %s; it is %s", s.BaseIMU, fmt.Sprintf(format, args...), SensorForm)
	}
	base, err := regressor.FloatingBaseOf(r)
	if err != nil {
		return feet.Sensor{}, err
	}
	name, list, posed := strings.Cut(s.BaseIMU, "=")
	if name == "" {
		name = r.Links[base.Body()].Name
	}
	link, at, _, ok := placed(r, name)
	switch {
	case !ok:
		return refuse("the robot has no link %q", name)
	case link != base.Body():
		return refuse("%q moves against the base %q", name, r.Links[base.Body()].Name)
	}
	if posed {
		var numbers []float64
		for _, f := range ParseList(list) {
			v, err := strconv.ParseFloat(f, 64)
			if err != nil {
				return refuse("%q is no number", f)
			}
			numbers = append(numbers, v)
		}
		if len(numbers) != 3 && len(numbers) != 6 {
			return refuse("%d numbers", len(numbers))
		}
		pose := robot.Transform{R: spatial.Eye(), P: [3]float64(numbers[:3])}
		if len(numbers) == 6 {
			pose.R = spatial.Mul(spatial.Mul(spatial.RotZ(numbers[5]), spatial.RotY(numbers[4])), spatial.RotX(numbers[3]))
		}
		at = at.Mul(pose)
	}
	return feet.Sensor{Turn: at.R, At: at.P}, nil
}

// sensorNames are the usual names of the channels of an inertial measurement unit, without case, slashes, dots and
// brackets: of this program, of ROS's sensor_msgs/Imu, and of Unitree's low state. The number in a name counts from zero.
var sensorNames = [2][]string{
	{"imu_w%s", "angular_velocity_%s", "gyro_%s", "gyroscope_%s", "imu_gyro_%s"},
	{"imu_a%s", "linear_acceleration_%s", "acc_%s", "accelerometer_%s", "accel_%s", "imu_acc_%s"},
}

var separators = regexp.MustCompile(`[\[\]./ ]+`)

// sensorChannels returns the channels of gyroscope and accelerometer, by axis.
func sensorChannels(l *datasets.Log) (out [2][3]string, err error) {
	plain := map[string]string{}
	for _, name := range l.Names() {
		plain[strings.Trim(separators.ReplaceAllString(strings.ToLower(name), "_"), "_")] = name
	}
	for kind, names := range sensorNames {
		for axis, letter := range []string{"x", "y", "z"} {
			for _, pattern := range names {
				for _, end := range []string{fmt.Sprintf(pattern, letter), fmt.Sprintf(pattern, strconv.Itoa(axis))} {
					for key, name := range plain {
						if (key == end || strings.HasSuffix(key, "_"+end)) && (out[kind][axis] == "" || name < out[kind][axis]) {
							out[kind][axis] = name
						}
					}
				}
				if out[kind][axis] != "" {
					break
				}
			}
			if out[kind][axis] == "" {
				return out, fmt.Errorf("%s: it has no channel of the base's sensor: rates imu_wx, imu_wy, imu_wz (rad/s) and specific forces imu_ax, imu_ay, imu_az (m/s²), as the sensor measures them, with gravity; it has %s",
					l.Name(), strings.Join(l.Names(), ", "))
			}
		}
	}
	return out, nil
}

// StandingLog returns the samples of a log of a robot that stands.
func (s *Settings) StandingLog(r *robot.Robot, l *datasets.Log) (standing.Log, error) {
	var names []string
	for _, j := range r.Independent()[6:] {
		names = append(names, r.Links[j].Joint.Name)
	}
	run := regression.Run{Name: l.Name(), Log: l, Last: l.Rows()}
	if err := CutRows(s, &run); err != nil {
		return standing.Log{}, err
	}
	l = run.Log
	own := s.forLog(l)
	roles, _, err := datasets.MapChannels(l, names, datasets.PresetChannels(own.Preset, own.Map, l))
	if err != nil {
		return standing.Log{}, err
	}
	sensor, err := sensorChannels(l)
	if err != nil {
		return standing.Log{}, err
	}
	for k, name := range names {
		if roles.Q[k] == "" || roles.Tau[k] == "" {
			return standing.Log{}, fmt.Errorf("%s: joint %s has no %s; a robot that stands is identified by positions and torques of all its joints", l.Name(), name, map[bool]string{true: "position", false: "torque"}[roles.Q[k] == ""])
		}
	}
	flags := s.Standing
	if sensed, _, err := s.SensedStance(); err != nil || sensed {
		flags = nil
	} else if len(flags) > 0 && len(flags) != len(s.Feet) {
		return standing.Log{}, wrong("standing", strings.Join(flags, ","), "{standing} names %d channels for %d feet: %s", len(flags), len(s.Feet), StandingForm)
	}
	wanted := slices.Concat([]string{roles.T}, roles.Q, roles.Tau, sensor[0][:], sensor[1][:], flags)
	for _, name := range wanted {
		if !l.Has(name) {
			return standing.Log{}, wrong("standing", name, "%s: it has no channel %q; {standing} names a channel for each foot, 1 where it stands; it has %s", l.Name(), name, strings.Join(l.Names(), ", "))
		}
	}
	cols, err := l.Columns(wanted...)
	if err != nil {
		return standing.Log{}, err
	}
	n := len(names)
	out := standing.Log{Name: l.Name(), Attached: slices.ContainsFunc(s.Carries, func(name string) bool { return namesLog(name, &run) }), Q: cols[1 : 1+n], Torque: cols[1+n : 1+2*n], Gyro: [3][]float64(cols[1+2*n:]), Force: [3][]float64(cols[4+2*n:])}
	for _, flag := range cols[7+2*n:] {
		on := make([]bool, len(flag))
		for i, v := range flag {
			on[i] = v > 0.5
		}
		out.Sticks = append(out.Sticks, on)
	}
	if out.DT, err = steady(cols[0]); err != nil {
		return out, fmt.Errorf("%s: %w", l.Name(), err)
	}
	for k, x := range cols {
		for i, v := range x {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return out, fmt.Errorf("%s: row %d of channel %s is not finite", l.Name(), i+1, wanted[k])
			}
		}
	}
	return out, nil
}

// jitter is the part of an interval by which stamps of a steady clock may be off.
const jitter = 0.2

// steady returns the interval of stamps on a steady clock.
func steady(t []float64) (float64, error) {
	if len(t) < 100 {
		return 0, fmt.Errorf("%d rows are too few", len(t))
	}
	dt := (t[len(t)-1] - t[0]) / float64(len(t)-1)
	for i, v := range t {
		if math.Abs(v-t[0]-float64(i)*dt) > max(jitter*dt, 1e-6) && i > 0 && math.Abs(v-t[i-1]-dt) > jitter*dt {
			return 0, fmt.Errorf("row %d is %.3g s after the row before it, on a clock of %.4g s; a robot that stands needs a steady clock without gaps", i+1, v-t[i-1], dt)
		}
	}
	return dt, nil
}

// WeighedBodies returns the options of the bodies of a robot that stands: its total mass, if it was weighed.
func (s *Settings) WeighedBodies() (opt physical.BodyOptions, err error) {
	opt.Total, opt.TotalDeviation, opt.Bounds.TotalMass, err = s.totalMass()
	return opt, err
}

// RefusedStance returns the error for a stance whose rows would give wrong parameters.
func (s *Settings) RefusedStance(found []result.Finding) error {
	var out []Finding
	for _, f := range found {
		if f.Severity == string(doctor.Error) {
			out = append(out, Finding{f.Log, doctor.Finding{ID: f.ID, Severity: doctor.Error, Why: NameSettings(f.Why, s.naming), Fix: NameSettings(f.Fix, s.naming)}})
		}
	}
	return newFindingsError(out)
}
