package project

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"ident/doctor"
	"ident/filter"
	"ident/identify/regression"
	"ident/internal/findingkind"
	"ident/internal/spatial"
	"ident/mechanics/dynamics"
	"ident/mechanics/kinematics"
	"ident/observation/feet"
	"ident/robot"
)

const (
	// stanceRows bounds the rows, and stanceCutoff, Hz, the band, in which a base is looked at: a minute, and a sway or a
	// swing.
	stanceRows, stanceCutoff = 60_000, 5.0
	// baseTurns is the rate, rad/s rms, from which a base moves: at 1 Hz a tilt of 0.4°, which is 0.7 % of gravity. From
	// baseSwings on it is 2 %, more than usual errors of torques.
	baseTurns, baseSwings = 0.05, 0.15
	// rides is the correlation from which the rates of a sensor are those of a link of the robot, on which it then rides.
	rides = 0.9
	// Feet on the ground keep their distances within keeps of how much the lines between them turn, which is at least
	// leastTurn, m; those of round feet change by their rolling. Two soles also keep their attitudes within soleTurn, rad.
	keeps, leastTurn, soleTurn = 0.15, 0.005, 0.02
	// Feet that stand carry the robot; of one that is hung they carry what the robot file's legs are too light. carries is
	// the part of the weight between the two.
	carries = 0.5
)

// baseFindings returns the evidence in a run of a robot whose base is taken to be fixed that it moves: a gyroscope that no
// link carries, and feet that stay where they are against each other while legs move.
func baseFindings(r *robot.Robot, run *regression.Run) []doctor.Finding {
	if r.Closed() || r.BaseMoves || slices.ContainsFunc(r.Moving(), func(i int) bool { return r.Links[i].Joint.Virtual }) {
		return nil
	}
	tree, err := kinematics.New(r)
	if err != nil || tree.DOF() != len(run.Roles.Q) || slices.Contains(run.Roles.Q, "") || run.Roles.T == "" {
		return nil
	}
	l := run.Log.Slice(0, min(run.Log.Rows(), stanceRows))
	names := append([]string{run.Roles.T}, run.Roles.Q...)
	sensor, _ := sensorChannels(l)
	gyro := !slices.Contains(sensor[0][:], "")
	if gyro {
		names = append(names, sensor[0][:]...)
	}
	torques := !slices.Contains(run.Roles.Tau, "")
	if torques {
		names = append(names, run.Roles.Tau...)
	}
	cols, err := l.Columns(names...)
	if err != nil || len(cols[0]) < 100 {
		return nil
	}
	dt := (cols[0][len(cols[0])-1] - cols[0][0]) / float64(len(cols[0])-1)
	low, err := filter.Butterworth(2, stanceCutoff, 1/dt)
	if err != nil || slices.ContainsFunc(cols, func(x []float64) bool {
		return slices.ContainsFunc(x, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
	}) {
		return nil
	}
	low.ZeroPhaseColumns(cols[1:], new(filter.Work))
	n := tree.DOF()
	s := &stance{r: r, pose: tree.NewPose(), dt: dt, q: cols[1 : 1+n], every: max(1, int(1/(10*stanceCutoff*dt)))}
	var out []doctor.Finding
	if torques {
		s.torque = cols[len(cols)-n:]
		out = s.legs()
	}
	if gyro {
		out = append(out, s.turns([3][]float64(cols[1+n:]))...)
	}
	return out
}

// stance is a run with low-passed positions.
type stance struct {
	r     *robot.Robot
	pose  *kinematics.Pose
	dt    float64
	every int // rows between those that are looked at
	// By joint; torque may be nil.
	q, torque [][]float64
}

// scan places the robot, with its rates, at some rows.
func (s *stance) scan(at func(i int)) {
	q, dq := make([]float64, len(s.q)), make([]float64, len(s.q))
	for i := s.every; i+1 < len(s.q[0]); i += s.every {
		for k, x := range s.q {
			q[k], dq[k] = x[i], (x[i+1]-x[i-1])/(2*s.dt)
		}
		s.pose.Place(q)
		s.pose.Move(dq, nil)
		at(i)
	}
}

// turns compares a gyroscope with the rates of the links.
func (s *stance) turns(gyro [3][]float64) []doctor.Finding {
	power := 0.0
	for _, x := range gyro {
		power += stat.PopVariance(x, nil)
	}
	if power = math.Sqrt(power); power < baseTurns {
		return nil
	}
	var size []float64
	links := make([][]float64, len(s.r.Links))
	s.scan(func(i int) {
		size = append(size, spatial.Norm(spatial.Vec{gyro[0][i], gyro[1][i], gyro[2][i]}))
		for j := range links {
			links[j] = append(links[j], spatial.Norm(s.pose.Twist(kinematics.Point{Link: j}).Angular))
		}
	})
	for _, of := range links {
		if stat.Correlation(size, of, nil) > rides {
			return nil
		}
	}
	f := doctor.Finding{ID: feet.BaseMoves, Severity: doctor.Warning, Value: power, Limit: baseTurns,
		Why: fmt.Sprintf("the gyroscope turns by %.2g rad/s rms, as no link of the robot does: the base moves, and is taken to be fixed", power),
		Fix: "name the feet on which it stands ({feet}, {base-imu}), or log the motion of the base as joints of the robot file, or hold the base"}
	if power > baseSwings {
		f.Severity = doctor.Error
	}
	return []doctor.Finding{f}
}

// foot is a frame that a fixed joint holds on the last link of a leg, at the rows that were looked at.
type foot struct {
	name  string
	leaf  int
	place []robot.Transform
}

// legs looks for frames at the ends of the legs that stay where they are against each other.
func (s *stance) legs() []doctor.Finding {
	parents := map[int]bool{}
	for _, l := range s.r.Links {
		parents[l.Antecedent] = true
	}
	var ends []foot
	for _, l := range s.r.Lumped {
		if l.Into >= 0 && !parents[l.Into] {
			ends = append(ends, foot{name: l.Name, leaf: l.Into})
		}
	}
	if len(ends) < 2 {
		return nil
	}
	in := map[string]robot.Transform{}
	for _, l := range s.r.Lumped {
		in[l.Name] = l.InLink
	}
	s.scan(func(int) {
		for i := range ends {
			ends[i].place = append(ends[i].place, s.pose.Frame(ends[i].leaf).Mul(in[ends[i].name]))
		}
	})
	best, within := []foot(nil), 0.0
	for i := range ends {
		set, worst := []foot{ends[i]}, 0.0
		for j := range ends {
			apart, all := 0.0, true
			for _, of := range set {
				d, keep := keepsDistance(&of, &ends[j])
				apart, all = max(apart, d), all && keep && of.leaf != ends[j].leaf
			}
			if all {
				set, worst = append(set, ends[j]), max(worst, apart)
			}
		}
		if (len(set) > 2 || len(set) == 2 && keepsAttitude(&set[0], &set[1])) && len(set) > len(best) {
			best, within = set, worst
		}
	}
	if best == nil || s.carried(best, in) < carries {
		return nil
	}
	var names []string
	for _, f := range best {
		names = append(names, f.name)
	}
	return []doctor.Finding{{ID: feet.LegsStand, Severity: doctor.Error, Value: within, Limit: leastTurn,
		Why: fmt.Sprintf("%s keep their distances within %.2g mm while legs move: they stand on the ground, whose forces are not in the log", shortList(names), 1000*within),
		Fix: "{feet} " + strings.Join(names, ",") + ":RADIUS {base-imu} LINK=X,Y,Z, from a log with the base's sensor"}}
}

// carried returns the part of the weight of the robot file's bodies that the torques put on feet.
func (s *stance) carried(on []foot, in map[string]robot.Transform) float64 {
	tree, err := dynamics.New(s.r)
	if err != nil {
		return 0
	}
	weight := 0.0
	for i := range s.r.Links {
		weight += s.r.Links[i].Inertial.Mass() * spatial.Norm(s.r.Gravity)
	}
	n, looked := len(s.q), 0.0
	force := make([]spatial.Vec, len(on))
	q, rest, needed, unit := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i := 0; i < len(s.q[0]); i += 10 * s.every {
		for k := range q {
			q[k] = s.q[k][i]
		}
		tree.InverseDynamics(needed, q, rest, rest)
		s.pose.Place(q)
		looked++
		of := make([]*feet.Force, len(on))
		for f := range on {
			of[f] = feet.NewForce(3)
		}
		for k := range n {
			clear(unit)
			unit[k] = 1
			s.pose.Move(unit, nil)
			for f := range on {
				v := s.pose.Twist(kinematics.Point{Link: on[f].leaf, At: in[on[f].name].P}).Linear
				of[f].Add(v[:], needed[k]-s.torque[k][i])
			}
		}
		for f := range on {
			force[f] = spatial.Add(force[f], spatial.Vec(of[f].Value()))
		}
	}
	var sum spatial.Vec
	for _, v := range force {
		sum = spatial.AddScaled(sum, 1/looked, v)
	}
	return spatial.Norm(sum) / max(weight, math.SmallestNonzeroFloat64)
}

// shortList joins names, of which at most four are told.
func shortList(names []string) string {
	if len(names) > 4 {
		return fmt.Sprintf("%s and %d others", strings.Join(names[:4], ", "), len(names)-4)
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// keepsDistance reports whether the distance of two feet stays while the line between them turns, and by how much, m, the
// distance changes.
func keepsDistance(a, b *foot) (float64, bool) {
	line, length := [3][]float64{}, []float64{}
	for i := range a.place {
		d := spatial.Sub(a.place[i].P, b.place[i].P)
		for k := range 3 {
			line[k] = append(line[k], d[k])
		}
		length = append(length, spatial.Norm(d))
	}
	turn, change := math.Sqrt(stat.PopVariance(line[0], nil)+stat.PopVariance(line[1], nil)+stat.PopVariance(line[2], nil)), math.Sqrt(stat.PopVariance(length, nil))
	return change, turn > leastTurn && change < keeps*turn
}

// keepsAttitude reports whether two feet keep their attitudes against each other while both turn.
func keepsAttitude(a, b *foot) bool {
	between, turned := 0.0, 0.0
	first, own := spatial.Mul(spatial.Transpose(a.place[0].R), b.place[0].R), a.place[0].R
	for i := range a.place {
		between = max(between, spatial.Norm(spatial.RotationVector(spatial.Mul(spatial.Transpose(first), spatial.Mul(spatial.Transpose(a.place[i].R), b.place[i].R)))))
		turned = max(turned, spatial.Norm(spatial.RotationVector(spatial.Mul(spatial.Transpose(own), a.place[i].R))))
	}
	return between < 2*soleTurn && turned > 5*soleTurn
}

// withBase returns the findings of a run with those about its base in front, which explain the symptoms that others are.
func withBase(base, found []doctor.Finding) []doctor.Finding {
	if !slices.ContainsFunc(base, func(f doctor.Finding) bool { return f.Severity == doctor.Error }) {
		return append(base, found...)
	}
	return append(base, slices.DeleteFunc(slices.Clone(found), func(f doctor.Finding) bool { return findingkind.Of(f.ID).Symptom })...)
}
