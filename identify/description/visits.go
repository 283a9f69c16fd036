package description

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"ident/internal/textfile"
	"ident/robot"
)

// Pose is a pose of the tip as it was written: "x,y,z" (m), with "roll,pitch,yaw" (rad), or twelve entries of a 3×4 matrix.
type Pose struct {
	Name string // name for messages, such as "pose 2 (poses.txt, line 3)"
	Text string
}

// UnreachableError is a pose that no state of the robot has.
type UnreachableError struct {
	Pose Pose
	Why  string
}

func (e *UnreachableError) Error() string {
	return fmt.Sprintf("%s, %s: %s", e.Pose.Name, e.Pose.Text, e.Why)
}

// largestPoses bounds the bytes of a file of poses.
const largestPoses = 1 << 20

// ReadPoses reads a file with a pose a line; blank lines, and text behind #, are left out.
func ReadPoses(path string) ([]Pose, error) {
	text, err := textfile.ReadDocument(path, largestPoses)
	if err != nil {
		return nil, fmt.Errorf("poses: %w", err)
	}
	return parsePoses(path, string(text))
}

func parsePoses(path, text string) ([]Pose, error) {
	var out []Pose
	lines := bufio.NewScanner(strings.NewReader(text))
	lines.Buffer(nil, largestPoses+1)
	for n := 1; lines.Scan(); n++ {
		line, _, _ := strings.Cut(lines.Text(), "#")
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, Pose{fmt.Sprintf("pose %d (%s, line %d)", len(out)+1, path, n), line})
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("poses: %s: %w", path, err)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("poses: %s holds no pose; write one a line, x,y,z (m) or x,y,z,roll,pitch,yaw (rad)", path)
	}
	return out, nil
}

// Tip is the point that visits the poses: of a link, "" for the farthest, at a place in the frame of its joint, m, nil for
// the origin of the link's own frame.
type Tip struct {
	Link string
	At   *[3]float64
}

// StatesOfPoses returns the positions of the independent joints at each pose of the tip, rad or m, within the limits less the
// margin, which is a fraction of half of each range. Of the states of a pose it takes the one nearest to the state
// before, by the largest move of a joint; the first pose has the state nearest to zero, or to the assembly of a closed
// robot. An *UnreachableError names the pose that has none.
func StatesOfPoses(ctx context.Context, r *robot.Robot, tip Tip, visits []Pose, margin float64) ([][]float64, error) {
	var names []string
	for _, j := range r.Independent() {
		names = append(names, r.Links[j].Joint.Name)
	}
	var out [][]float64
	var near []string
	for _, p := range visits {
		found, err := SolvePose(ctx, r, PoseQuery{Pose: p.Text, Link: tip.Link, At: tip.At, Near: near})
		if err != nil {
			if bad := new(PoseQueryError); errors.As(err, &bad) && bad.Key == "solve" {
				return nil, &UnreachableError{p, bad.Why}
			}
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
		best, full, why := nearestState(r, names, found, out, margin)
		if best == nil {
			return nil, &UnreachableError{p, why}
		}
		out, near = append(out, best), near[:0]
		for k, name := range found.Joints {
			near = append(near, fmt.Sprintf("%s=%.17g", name, full[k]))
		}
	}
	return out, nil
}

// nearestState returns the state nearest to the last one, by the independent joints and by all, or the reason why there is none.
func nearestState(r *robot.Robot, names []string, found Solutions, before [][]float64, margin float64) (best, full []float64, why string) {
	if n := found.Nearest; n != nil {
		return nil, nil, fmt.Sprintf("out of reach; the nearest state is %.3g m and %.3g rad away", n.Distance, n.Angle)
	}
	least := math.Inf(1)
	var outside []string
	others := 0
	for _, s := range found.Solutions {
		if s.OtherAssembly {
			others++
			continue
		}
		q, beyond, far := make([]float64, len(names)), slices.Clone(s.Outside), 0.0
		for i, name := range names {
			q[i] = s.Q[slices.Index(found.Joints, name)]
			j := &r.Links[r.Independent()[i]].Joint
			if rim := margin * (j.Upper - j.Lower) / 2; j.Upper > j.Lower && (q[i] < j.Lower+rim || q[i] > j.Upper-rim) && !slices.Contains(beyond, name) {
				beyond = append(beyond, name)
			}
			if len(before) > 0 {
				far = math.Max(far, math.Abs(q[i]-before[len(before)-1][i]))
			} else {
				far = math.Max(far, math.Abs(q[i]))
			}
		}
		if len(beyond) > 0 {
			outside = append(outside, strings.Join(beyond, " and "))
		} else if far < least {
			best, full, least = q, s.Q, far
		}
	}
	switch {
	case best != nil:
		return best, full, ""
	case len(outside) > 0:
		slices.Sort(outside)
		return nil, nil, fmt.Sprintf("%d states reach it, each beyond the limits of joints, less the margin: %s", len(found.Solutions)-others, strings.Join(slices.Compact(outside), "; "))
	}
	return nil, nil, fmt.Sprintf("the robot reaches it in %d states, all of another assembly of its loops", others)
}
