package identify

import (
	"fmt"
	"slices"

	"ident/identify/folder"
	"ident/identify/project"
	"ident/regressor"
	"ident/robot"
)

// LoadedRobot is a robot, of a file or of a result, that a trajectory or a log is brought to for the loads of the motion (package
// loads).
//
// # Robot
//
// NewLoadedRobot takes bodies, rotors and friction of a robot file. OpenLoadedRobot takes those of a result: its torques are those of
// the identified model, with all of its terms, and the standard deviation of a peak follows from the covariance C of
// the base parameters by σ² = φᵀ·C·φ, with φ the row of the base regressor at the peak's sample. Wrenches need all
// parameters of the bodies, of which torques determine combinations only: the rest is from the robot file, as in an
// export.
//
// # Motion
//
// A trajectory is coefficients of a design, or samples without torques; it is taken as it is. A log of a robot, with
// torques or currents, goes through the signal path of a fit (package observation): clock, low-pass of the motion,
// differences or measured derivatives that agree with them, ends cut.
type LoadedRobot struct {
	Name     string
	Robot    *robot.Robot // joints locked, with the identified parameters of a result
	Settings *project.Settings
	source   *robot.Robot // before locks
	model    *torqueModel // nil for a robot file
	notes    []string
}

// torqueModel is the torque model of a result.
type torqueModel struct {
	fitted     *project.Fitted
	model      *regressor.Model
	values     []float64   // of the model's columns
	covariance [][]float64 // of the columns; zero rows for known parameters
}

// NewLoadedRobot returns a robot file's robot, read with the settings.
func NewLoadedRobot(name string, r *robot.Robot, s *project.Settings) (*LoadedRobot, error) {
	if err := project.RequireNumeric(r); err != nil {
		return nil, err
	}
	locked, err := project.Lock(r, s.Lock)
	if err != nil {
		return nil, err
	}
	return &LoadedRobot{Name: name, Robot: locked, Settings: s, source: r}, nil
}

// OpenLoadedRobot returns the robot of a result's folder with its identified parameters.
func OpenLoadedRobot(dir string, seals folder.Seals) (*LoadedRobot, error) {
	ft, err := project.OpenFitted(dir, seals)
	if err != nil {
		return nil, err
	}
	ft.Settings.ForOtherLogs()
	return loadedRobotOf(dir, ft)
}

func loadedRobotOf(name string, ft *project.Fitted) (*LoadedRobot, error) {
	id := ft.Identified()
	s := &LoadedRobot{Name: name, Settings: ft.Settings, source: id.Robot, model: &torqueModel{fitted: ft}}
	var err error
	if s.Robot, err = project.Lock(id.Robot, ft.Settings.Lock); err != nil {
		return nil, err
	}
	s.notes = append(s.notes, "torques determine combinations of the bodies' parameters only: loads of bearings and of the base rest on values of the robot file for the others")
	for _, b := range id.Impossible {
		s.notes = append(s.notes, fmt.Sprintf("no body can have the identified inertial of link %q, whose joint's bearing loads it gives; fit physically consistent bodies", b.Link))
	}
	return s, s.model.prepare(s.Settings)
}

// prepare puts the identified and the known parameters into one model.
func (m *torqueModel) prepare(s *project.Settings) error {
	ft := m.fitted
	full, err := regressor.NewDynamic(ft.Robot, ft.Terms)
	if err != nil {
		return err
	}
	base := map[string]int{}
	for k := range ft.X {
		base[ft.Set.Columns[ft.Set.Base[k]].Name] = k
	}
	var columns, of []int // columns of the full model, and their base parameters, -1 for a known one
	for c, name := range full.Names() {
		k, ok := base[name]
		v, known := s.Known[name]
		switch {
		case ok:
			columns, of, m.values = append(columns, c), append(of, k), append(m.values, ft.X[k])
		case known:
			columns, of, m.values = append(columns, c), append(of, -1), append(m.values, v.Value)
		}
	}
	if len(of) < len(ft.X) {
		return fmt.Errorf("%d base parameters of the result are not among the columns of its model", len(ft.X)-len(of))
	}
	m.model = full.Select(columns).Compiled()
	for _, k := range of {
		row := make([]float64, len(of))
		for i, l := range of {
			if k >= 0 && l >= 0 && k < len(ft.Result.Covariance) {
				row[i] = ft.Result.Covariance[k][l]
			}
		}
		m.covariance = append(m.covariance, row)
	}
	return nil
}

// deviation returns the standard deviation of a joint's torque at one state.
func (m *torqueModel) deviation(joint int, q, dq, ddq []float64) float64 {
	column := func(v []float64) [][]float64 {
		out := make([][]float64, len(v))
		for i := range v {
			out[i] = v[i : i+1]
		}
		return out
	}
	ws := m.model.NewWorkspace()
	block := m.model.NewBlock(1)
	m.model.EvalBatch(block, regressor.Batch{Q: column(q), DQ: column(dq), DDQ: column(ddq)}, ws)
	if ws.Err() != nil {
		return 0
	}
	phi := make([]float64, len(m.values))
	for c, col := range m.model.Mask(joint) {
		phi[col] = block.Joint[joint][c][0]
	}
	variance := 0.0
	for i, a := range phi {
		for k, b := range phi {
			variance += a * b * m.covariance[i][k]
		}
	}
	return rootOf(variance)
}

// jointNames returns the names of the driven joints.
func (s *LoadedRobot) jointNames() []string { return slices.Clone(project.JointNames(s.Robot)) }
