package observation

// Layout gives the place of each group of a run's channels among the columns of a chunk.
type Layout struct {
	Channels []string // channels of the log, time first; a chunk has one column for each of the others

	position, velocity, acceleration group
	torque                           group
	redundant                        group // torques of redundant drives
	wrench                           group // six, force first
	contact                          group // one or two
	payload                          group // flag of a payload
	temperature                      group
	extra                            group

	secondDifferences bool // accelerations from positions although velocities are measured
}

// group is a range of columns; an absent group has none.
type group struct{ first, count int }

func (g group) of(columns [][]float64) [][]float64 { return columns[g.first : g.first+g.count] }

func (g group) present() bool { return g.count > 0 }

// NewLayout returns the layout of the channels to read: time, positions, measured rates if choice uses them, torques,
// and those that the run's terms need. extra come last: see Chunk.Extra.
func NewLayout(run *Run, choice Choice, extra ...string) Layout {
	l := Layout{Channels: []string{run.Roles.T}, secondDifferences: choice.Acceleration == FromPosition}
	add := func(names []string) group {
		g := group{len(l.Channels) - 1, len(names)}
		l.Channels = append(l.Channels, names...)
		return g
	}
	l.position = add(run.Roles.Q)
	if choice.Velocity == Measured {
		l.velocity = add(run.Roles.DQ)
	}
	if choice.Acceleration == Measured {
		l.acceleration = add(run.Roles.DDQ)
	}
	l.torque = add(run.Torques())
	l.redundant = add(run.Redundant)
	if run.Wrench[0] != "" {
		l.wrench = add(run.Wrench[:])
	}
	l.contact = add(run.contacts())
	l.payload = add(run.payload())
	l.temperature = add(run.Temperature)
	l.extra = add(extra)
	return l
}

// motionLayout returns the layout of columns in memory: position, velocity and acceleration
// of every joint, then its torque.
func motionLayout(joints int) Layout {
	return Layout{
		position: group{0, joints}, velocity: group{joints, joints}, acceleration: group{2 * joints, joints},
		torque: group{3 * joints, joints},
	}
}
