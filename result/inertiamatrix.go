package result

import (
	"fmt"
	"strings"

	"ident/physical"
)

// InertiaMatrix says whether the inertia matrix M(q) of the base parameters is positive definite.
type InertiaMatrix struct {
	Proved bool `json:"proved"` // positive definite in every pose: feasible bodies with these base parameters and rotor inertias of zero or more exist
	// Least is the least eigenvalue that a search of the poses within the joint limits found, with M scaled so that its diagonal entries have the mean size one; Pose has the
	// positions of the joints there, rad or m. Absent if M is proved to be positive definite or was not searched.
	Least float64   `json:"least_eigenvalue,omitempty"`
	Pose  []float64 `json:"worst_pose,omitempty"`
	Poses int       `json:"poses,omitempty"` // number of poses tried
	// DistanceSigma is the least distance to feasible parameters that the pose proves, in standard deviations; LimitSigma is its 95 % quantile where chance
	// made it. Absent if Least is above zero.
	DistanceSigma float64 `json:"distance_sigma,omitempty"`
	LimitSigma    float64 `json:"limit_sigma,omitempty"`
}

// DescribeInertiaMatrix records whether the inertia matrix is positive definite, of a robot with the given independent joints. A pose in which it is not is a warning.
func (res *Result) DescribeInertiaMatrix(d *physical.Definite, joints []string) {
	about := &InertiaMatrix{Proved: d.Proved}
	if w := d.Worst; w != nil {
		about.Least, about.Pose, about.Poses = w.Least, w.Q, w.Poses
		about.DistanceSigma, about.LimitSigma = w.Distance, w.Limit
	}
	res.InertiaMatrix = about
	text := about.Text(joints)
	if about.Indefinite() {
		res.Warnings = append(res.Warnings, text+"; {physically-consistent} gives parameters with which it is positive definite in every pose")
		return
	}
	res.Notes = append(res.Notes, text)
}

// Indefinite reports whether a pose is known in which the matrix is not positive definite.
func (m *InertiaMatrix) Indefinite() bool { return len(m.Pose) > 0 && !(m.Least > 0) }

// Text says in one sentence what is known of the inertia matrix of a robot with the given independent joints.
func (m *InertiaMatrix) Text(joints []string) string {
	switch {
	case m.Proved:
		return "the inertia matrix is positive definite in every pose: feasible bodies with these base parameters exist"
	case len(m.Pose) == 0:
		return "the inertia matrix is not proved to be positive definite in every pose: no feasible bodies with these base parameters were found"
	}
	var at []string
	for i, q := range m.Pose {
		name := fmt.Sprintf("joint %d", i+1)
		if i < len(joints) {
			name = joints[i]
		}
		at = append(at, fmt.Sprintf("%s = %.4g", name, q))
	}
	where := strings.Join(at, ", ")
	if m.Indefinite() {
		return fmt.Sprintf("the inertia matrix is not positive definite: its least eigenvalue is %.3g of the mean diagonal entry at %s", m.Least, where)
	}
	return fmt.Sprintf("the inertia matrix is positive definite in %d poses within the joint limits, not proved in every pose: the least eigenvalue is %.3g of the mean diagonal entry, at %s", m.Poses, m.Least, where)
}
