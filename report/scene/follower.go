package scene

import "ident/mechanics/loops"

// follower closes the loops of a robot along a motion.
type follower struct {
	start   []float64
	tracker *loops.Tracker
}

func newFollower(s *Scene) (*follower, error) {
	c, err := loops.NewClosure(s.robot)
	if err != nil {
		return nil, err
	}
	at, err := c.Assembled(s.robot.Assembly)
	if err != nil {
		return nil, err
	}
	t, err := c.Track(at.Q)
	if err != nil {
		return nil, err
	}
	return &follower{start: at.Q, tracker: t}, nil
}

// state writes the closed state that the robot was assembled at.
func (f *follower) state(q []float64) { copy(q, f.start[:len(q)]) }

// follow completes positions, coordinate by frame, by those of the passive joints, and returns how many frames
// closed. From the first that does not, passive joints stay.
func (f *follower) follow(columns [][]float64) int {
	if len(columns) == 0 || len(columns[0]) == 0 {
		return 0
	}
	driven, n := f.tracker.Driven(), len(columns[0])
	rates := loops.Rows(make([]float64, len(driven)*n), n)
	var drive loops.Drive
	for i, c := range driven {
		drive.Q, drive.DQ = append(drive.Q, columns[c]), append(drive.DQ, rates[i])
	}
	path := f.tracker.NewPath(n)
	done, err := f.tracker.Continue().Track(path, drive, 0, n, true)
	if err != nil {
		done = 0
	}
	given := map[int]bool{}
	for _, c := range driven {
		given[c] = true
	}
	for c, column := range columns {
		if given[c] {
			continue
		}
		for i := range column {
			switch {
			case i < done:
				column[i] = path.Q[c][i]
			case i > 0:
				column[i] = column[i-1]
			}
		}
	}
	return done
}
