package scene

import (
	"errors"
	"fmt"
	"math"

	"ident/internal/spatial"
	"ident/mechanics/dynamics"
	"ident/robot"
)

// Pose places one frame in another: the rows of the rotation, then the origin in m.
type Pose [12]float64

// Scene is a robot to be drawn. Its JSON is the input of the viewer.
type Scene struct {
	Name        string       `json:"name"`
	Up          [3]float64   `json:"up"`     // upward direction (opposite to gravity) in the base frame; z if the robot is weightless
	Reach       float64      `json:"reach"`  // length of the longest chain of links, m
	Radius      float64      `json:"radius"` // radius of the capsules from joint to joint, m
	Coordinates []string     `json:"coords"` // joints of the motions' positions
	Links       []Link       `json:"links"`
	Shapes      []Shape      `json:"shapes"`
	Loops       [][2]Mark    `json:"loops,omitempty"`   // points that a closed loop holds together
	Regions     []Region     `json:"regions,omitempty"` // keep-outs
	Path        [][3]float64 `json:"path,omitempty"`    // path of the tip in the base frame, m
	Motions     []Motion     `json:"motions,omitempty"`
	Start       []float64    `json:"start"`           // positions to begin with, by coordinate
	Notes       []string     `json:"notes,omitempty"` // parts that are not drawn, with the reason

	robot *robot.Robot
}

// Link is a link with the joint that moves it. At positions q of the coordinates its joint stands at
// Ratio·q[Coord] + Offset; Coord is -1 for a fixed joint.
type Link struct {
	Name       string   `json:"name"`
	Joint      string   `json:"joint"`
	Kind       string   `json:"kind"`       // revolute, prismatic or fixed
	Antecedent int      `json:"antecedent"` // index, -1 for the base
	Place      Pose     `json:"place"`      // pose on the antecedent at joint position zero
	Coord      int      `json:"coord"`
	Ratio      float64  `json:"ratio"`
	Offset     float64  `json:"offset"`          // rad or m
	Lower      *float64 `json:"lower,omitempty"` // rad or m
	Upper      *float64 `json:"upper,omitempty"`
	Virtual    bool     `json:"virtual,omitempty"` // the link belongs to a base that floats or is moved
	Passive    bool     `json:"passive,omitempty"`
	File       *Body    `json:"file,omitempty"`
	Identified *Body    `json:"identified,omitempty"`
	Unknown    bool     `json:"unknown,omitempty"` // no parameter of the link's body is known
}

// Shape stands for a link: a primitive of the file's geometry, a capsule from joint to joint, or the surface of its meshes.
type Shape struct {
	Link int        `json:"link"` // -1 for the base
	Kind string     `json:"kind"` // box, cylinder along z, sphere, capsule from A to B, or mesh
	Size [3]float64 `json:"size"` // box: edges; cylinder: radius, 0, length; sphere and capsule: radius; m
	Pose *Pose      `json:"pose,omitempty"`
	A    [3]float64 `json:"a,omitzero"`
	B    [3]float64 `json:"b,omitzero"`
	From string     `json:"from"` // collision, visual, joints or mesh
	// Surface is that of a mesh, which is drawn in place of the link's other shapes.
	Surface *Surface `json:"surface,omitempty"`
}

// Mark is a point of a link.
type Mark struct {
	Link int        `json:"link"`
	At   [3]float64 `json:"at"`
}

// Region is a part of space that a motion keeps out of: a box between two corners in the frame placed by Pose,
// or the half-space of points x with Normal·x < Offset.
type Region struct {
	Name   string     `json:"name"`
	Min    [3]float64 `json:"min,omitzero"`
	Max    [3]float64 `json:"max,omitzero"`
	Pose   *Pose      `json:"pose,omitempty"`
	Normal [3]float64 `json:"normal,omitzero"`
	Offset float64    `json:"offset,omitempty"`
}

// New makes the scene of a robot, with the bodies of its file. A robot whose geometry has symbols without values
// cannot be drawn, and is an error.
func New(r *robot.Robot) (*Scene, error) {
	if len(r.Unset) > 0 {
		return nil, fmt.Errorf("scene: robot %q: symbols %v of its geometry have no values", r.Name, r.Unset)
	}
	tree, err := dynamics.New(r.Cut())
	if err != nil {
		return nil, fmt.Errorf("scene: %w", err)
	}
	s := &Scene{Name: r.Name, Up: [3]float64{0, 0, 1}, robot: r, Links: []Link{}, Shapes: []Shape{}}
	if g := spatial.Norm(r.Gravity); g > 0 {
		for i := range s.Up {
			s.Up[i] = round(-r.Gravity[i] / g)
		}
	}
	for _, j := range tree.Coordinates() {
		s.Coordinates = append(s.Coordinates, r.Links[j].Joint.Name)
	}
	for j, l := range tree.Links() {
		of := &r.Links[j]
		s.Links = append(s.Links, Link{Name: l.Name, Joint: l.Joint, Kind: l.Kind.String(), Antecedent: l.Antecedent, Place: PoseOf(l.Placement),
			Coord: l.Coord, Ratio: l.Ratio, Offset: l.Offset, Lower: limit(of.Joint.Lower), Upper: limit(of.Joint.Upper), Virtual: of.Joint.Virtual,
			Passive: of.Joint.Passive, File: bodyOfFile(of)})
	}
	s.Reach = reach(r)
	s.Radius = radius(r, s.Reach)
	if err := s.addShapes(); err != nil {
		return nil, err
	}
	s.addSurfaces()
	for j := range s.Links {
		s.judgeSize(j, s.Links[j].File)
	}
	for _, l := range r.Loops {
		a, b := cutPoint(r, l.Frame), cutPoint(r, l.Meets)
		s.Loops = append(s.Loops, [2]Mark{a, b})
	}
	if err := s.begin(); err != nil {
		s.Notes = append(s.Notes, err.Error())
	}
	return s, nil
}

// begin sets the positions to begin with: the closed state of loops, else zero, or the middle of limits that
// exclude it.
func (s *Scene) begin() error {
	s.Start = make([]float64, len(s.Coordinates))
	for _, l := range s.Links {
		if l.Coord >= 0 && l.Ratio == 1 && l.Lower != nil && l.Upper != nil && (*l.Lower > 0 || *l.Upper < 0) {
			s.Start[l.Coord] = (*l.Lower + *l.Upper) / 2
		}
	}
	if !s.robot.Closed() {
		return nil
	}
	f, err := newFollower(s)
	if err != nil {
		return errors.New("the loops are drawn open: " + err.Error())
	}
	f.state(s.Start)
	return nil
}

// cutPoint returns the origin of one of the frames of a cut: on a link, or on another extra frame.
func cutPoint(r *robot.Robot, frame int) Mark {
	e := r.Extra[frame]
	place := e.Placement
	for e.Antecedent <= -2 {
		e = r.Extra[-2-e.Antecedent]
		place = e.Placement.Mul(place)
	}
	return Mark{Link: e.Antecedent, At: roundAll(place.P)}
}

// reach returns the longest sum of distances from joint to joint along a chain, with the slides between their limits.
func reach(r *robot.Robot) float64 {
	sums, most := make([]float64, len(r.Links)), 0.0
	for j := range r.Links {
		l := &r.Links[j]
		sums[j] = spatial.Norm(l.Placement.P)
		if l.Joint.Kind == robot.Prismatic {
			if d := math.Max(math.Abs(l.Joint.Lower), math.Abs(l.Joint.Upper)); d < math.Inf(1) {
				sums[j] += d
			}
		}
		if l.Antecedent >= 0 {
			sums[j] += sums[l.Antecedent]
		}
		end := 0.0
		if com, ok := l.Inertial.CentreOfMass(); ok && l.HasInertial {
			end = spatial.Norm(com)
		}
		most = math.Max(most, sums[j]+end)
	}
	if !(most > 1e-3) || math.IsInf(most, 1) {
		return 1
	}
	return round(most)
}

// PoseOf returns a transform as a pose, to a micrometre and a microradian.
func PoseOf(t robot.Transform) Pose {
	var p Pose
	for i := range 3 {
		for k := range 3 {
			p[3*i+k] = round(t.R[i][k])
		}
		p[9+i] = round(t.P[i])
	}
	return p
}

// round keeps a micrometre and a microradian, which no drawing shows.
func round(v float64) float64 {
	if v = math.Round(v*1e6) / 1e6; v == 0 {
		return 0 // not -0
	}
	return v
}

func roundAll(v [3]float64) [3]float64 { return [3]float64{round(v[0]), round(v[1]), round(v[2])} }

// limit returns a limit where the file gives one.
func limit(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}
