package robot

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
)

// SetText sets the robot's source text and its hash.
func (s *Source) SetText(text []byte, format string) {
	sum := sha256.Sum256(text)
	s.Text, s.Format, s.SHA256 = text, format, hex.EncodeToString(sum[:])
}

// Kind is the type of the joint that moves a link.
type Kind int

// The joint kinds; the numbers are Khalil and Kleinfinger's σ.
const (
	Revolute  Kind = 0
	Prismatic Kind = 1
	Fixed     Kind = 2
)

func (k Kind) String() string {
	switch k {
	case Revolute:
		return "revolute"
	case Prismatic:
		return "prismatic"
	case Fixed:
		return "fixed"
	}
	return fmt.Sprintf("Kind(%d)", int(k))
}

// Robot is a tree of rigid links on a fixed base. An antecedent must come before its children; link j+1 of the
// literature is Links[j]. The zero value has no gravity: readers set (0, 0, -9.81).
type Robot struct {
	Name     string
	BaseName string // the user's name of the fixed base link, "" where the format has none
	Gravity  [3]float64
	Links    []Link
	// Mimics are joints that follow another, such as URDF mimic joints. Drives act on several joints, as in a
	// differential wrist.
	Mimics []Mimic
	Drives []Drive
	// Symbols holds the values of names in the file's geometry; Unset lists those without a value. A robot with unset
	// symbols has no numeric placements: use Bind to give values.
	Symbols map[string]float64
	Unset   []string
	// Lumped lists the bodies that fixed joints merged into a moving link.
	Lumped []Lumped
	// Extra lists frames without a body: tool frames, and the two frames at each cut of a closed loop.
	Extra []ExtraFrame
	// Loops are the closed chains, if the file was read with ReadOptions.Loops; the links are then the tree with the
	// loops cut.
	Loops []Loop
	// Couplings are linear relations between joints.
	Couplings []Coupling
	// Assembly holds joint positions (rad or m), by name, near which the loops close in the intended way; joints not
	// named are near zero. Empty if the file does not say.
	Assembly map[string]float64
	// BaseMotion is the motion of the base if BaseMoves is set (W0 … VP0 of a SYMORO+ file).
	BaseMotion BaseMotion
	BaseMoves  bool
	Notes      []Note
	Source     Source
}

// ExtraFrame is a frame on a link without a body of its own.
type ExtraFrame struct {
	Name       string // the file's number of the frame
	Antecedent int    // link index, -1 for the base, -2-k for Extra[k]
	Kind       Kind
	Placement  Transform
	MDH        *MDH
	Loop       int // the number of the closed loop that it cuts, from 1; 0 for none
}

// Link is a rigid body together with the joint that moves it.
type Link struct {
	Name       string // the user's own name of the body
	Joint      Joint
	Antecedent int // index into Robot.Links, -1 for the base
	// Placement is the constant placement of frame j on its antecedent's frame at q = 0. The joint turns about, or
	// slides along, the z axis of frame j: at q the placement is Placement·Rot(z, q) or Placement·Trans(z, q).
	Placement Transform
	// MDH holds the six Khalil-Kleinfinger parameters if the file gives them, without the joint variable, which is added
	// to Theta or R.
	MDH *MDH
	// UserFrame places the user's own link frame (such as the URDF link frame) in frame j. Results are reported in it.
	UserFrame Transform
	// Inertial holds the ten standard parameters about the origin of frame j, including lumped bodies. HasInertial says
	// whether the file gives any.
	Inertial    Inertial
	HasInertial bool
	// Own is the body's own part of Inertial, without the bodies lumped into it.
	Own Inertial
	// External is the wrench that the link exerts on its environment if HasExternal is set: force (N) and moment about
	// the origin of frame j (N·m), along its axes (FX … CZ of a SYMORO+ file). NaN means a symbol.
	External    [6]float64
	HasExternal bool
	// Massless marks a link that is not a body but stands between the joints of a chain that together form a joint of
	// several degrees of freedom. It has no parameters.
	Massless bool
	// Zero marks inertial parameters known to be zero while others of the link are unknown: models do not contain them.
	Zero [NumInertial]bool
	// Shapes and Section are texts from a YAML file in flow style, "" if it has none: the solids of the body (read by
	// package shapes), and the cross-section of the link as a beam (package loads).
	Shapes, Section string
}

// Joint is the joint that moves a link, as the file describes it. Limits that the file does not give, or that a URDF
// gives as zero, are NaN.
type Joint struct {
	Name          string
	Kind          Kind
	Continuous    bool
	Passive       bool    // the joint is passive: no drive (μ = 0)
	Redundant     bool    // the joint has a drive, but loops already move it, so it is treated as passive
	Virtual       bool    // whether the joint stands for a base that floats or is moved, and has neither drive nor friction
	ExternalForce bool    // moved by something outside the robot file: its force is unknown unless logged
	Lower         float64 // rad or m
	Upper         float64
	Velocity      float64 // rad/s or m/s
	Accel         float64 // rad/s² or m/s²
	Jerk          float64
	Effort        float64 // N·m or N
	// Placeholder says why Lower and Upper are not limits but what exporters write without any; "" if they are limits.
	// Readers set it; code that sets limits must clear it.
	Placeholder string
	LimitsFrom  LimitOrigins
	// Drive parameters; zero if the file gives none.
	Ia        float64 // reflected rotor inertia, kg·m² or kg
	NoRotor   bool    // Ia is known to be zero and no unknown
	Fv        float64 // viscous friction, N·m·s/rad or N·s/m
	Fs        float64 // Coulomb friction, N·m or N
	Fo        float64 // torque offset, N·m or N
	GearRatio float64 // motor turns per joint turn; 0 if unknown
	Gain      float64 // joint torque per motor current, N·m/A; 0 if unknown
	Motor     string  // a YAML file's text of the motor, in flow style; package loads reads it
	Actuator  string  // a YAML file's text of dc or cylinder under drive, in flow style; package drives reads it

	// Elastic says that motor and link positions differ by the deflection of Elasticity. A passive elastic joint has no
	// motor: its torque is −K·q − D·q̇ … of its own position.
	Elastic    bool
	Elasticity Elasticity

	Without []string // friction laws in the model's terms that this joint does not have
}

// NewJoint returns a joint with all limits NaN.
func NewJoint(name string, kind Kind) Joint {
	nan := math.NaN()
	return Joint{Name: name, Kind: kind, Lower: nan, Upper: nan, Velocity: nan, Accel: nan, Jerk: nan, Effort: nan}
}

// MDH holds the six parameters of a frame in the notation of Khalil and Kleinfinger, as numbers and, for symbolic use,
// as written in the file without the joint variable.
type MDH struct {
	Gamma, B, Alpha, D, Theta, R float64 // rad and m; NaN while a symbol is unset
	Text                         [6]string
}

// Transform returns Rot(z,γ)·Trans(z,b)·Rot(x,α)·Trans(x,d)·Rot(z,θ)·Trans(z,r).
func (m MDH) Transform() Transform {
	return MdhTransform(m.Gamma, m.B, m.Alpha, m.D, m.Theta, m.R)
}

// Mimic says that a joint follows another: q[Joint] = Multiplier·q[Of] + Offset.
// Both are link indices.
type Mimic struct {
	Joint, Of          int
	Multiplier, Offset float64
}

// Drive is a motor that acts on several joints: its reflected coordinate is Σ Weights[k]·q[k] over link indices k, and
// its torque acts through the transpose. In the wrist of the Stäubli TX40, motor 6 turns with q5 + q6. Number is the
// index of the link after which its parameters are named.
type Drive struct {
	Number  int
	Weights map[int]float64
	// Spring marks a spring instead of a motor: the coordinate is the deflection of an elastic joint.
	Spring bool
}

// Lumped is a body that a fixed joint merged into a moving link or the base.
type Lumped struct {
	Name        string    // name of the body
	Joint       string    // name of the fixed joint
	Into        int       // link index, -1 for the base
	InLink      Transform // places the body's own link frame in frame Into
	Inertial    Inertial  // inertial parameters in frame Into
	HasInertial bool
	Shapes      string // shapes, as in Link.Shapes
}

// Note is something a reader did or noticed that the user should know.
type Note struct {
	Where string // the link, joint or field that the note is about
	Text  string
}

// String returns the note as a sentence.
func (n Note) String() string {
	if n.Where == "" {
		return n.Text
	}
	return n.Where + ": " + n.Text
}

// Source says where a robot came from.
type Source struct {
	Path   string
	Format string // "urdf", "par" or "yaml"
	Text   []byte // text of the file
	SHA256 string
	NoSnap bool // angles near a multiple of π/12 were not snapped to it
	// Files reads a file that the robot file names, as a mesh: package://NAME/…, file://… or a path beside it. It is nil for
	// a robot that was read from a text.
	Files func(name string) ([]byte, error)
}

// DOF returns the number of moving joints.
func (r *Robot) DOF() int {
	n := 0
	for i := range r.Links {
		if r.Links[i].Joint.Kind != Fixed {
			n++
		}
	}
	return n
}

// Moving returns the link indices of the moving joints in order: the i-th entry of a joint vector belongs to link
// Moving()[i].
func (r *Robot) Moving() []int {
	m := make([]int, 0, len(r.Links))
	for i := range r.Links {
		if r.Links[i].Joint.Kind != Fixed {
			m = append(m, i)
		}
	}
	return m
}

// JointNames returns the names of the moving joints in order.
func (r *Robot) JointNames() []string {
	var names []string
	for _, i := range r.Moving() {
		names = append(names, r.Links[i].Joint.Name)
	}
	return names
}

// ParameterName returns the usual name of a link's parameter, such as "XX3" for the third link.
func ParameterName(kind string, link int) string { return fmt.Sprintf("%s%d", kind, link+1) }

// Independent returns the link indices of the moving joints that mimic no other, in order: the coordinates of every
// model. With closed loops it includes the passive joints.
func (r *Robot) Independent() []int {
	mimics := make(map[int]bool, len(r.Mimics))
	for _, m := range r.Mimics {
		mimics[m.Joint] = true
	}
	var out []int
	for _, i := range r.Moving() {
		if !mimics[i] && !(r.Closed() && r.Links[i].Joint.Passive) {
			out = append(out, i)
		}
	}
	return out
}
