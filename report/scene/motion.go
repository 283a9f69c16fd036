package scene

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
)

const (
	// Values of all motions of a page, coordinates times frames: 16 bits each, 270 kB in base 64.
	motionValues = 100_000
	// The shortest time between frames, s: a screen shows no more than sixty a second.
	framePeriod = 1.0 / 60
)

// Run is a motion as it was logged or designed.
type Run struct {
	Name string
	T    []float64   // s, ascending
	Q    [][]float64 // joint, sample: positions of the robot's independent joints, rad or m
}

// Motion is a run in frames. Times are 32-bit numbers, positions of each coordinate 16-bit steps between Low and
// High, both little-endian in base 64.
type Motion struct {
	Name  string    `json:"name"`
	N     int       `json:"n"`
	Start float64   `json:"start"` // time of the first frame on the run's clock, s
	T     string    `json:"t"`     // times of the frames from the start, s
	Low   []float64 `json:"low"`   // lowest position, by coordinate
	High  []float64 `json:"high"`
	Q     string    `json:"q"`   // positions, one coordinate after another
	Gap   float64   `json:"gap"` // interval between two frames, s, above which the robot waits
	Note  string    `json:"note,omitempty"`
}

// Play adds motions, in as many frames as a page has room for. Runs without samples keep their place. Positions
// of a closed robot are completed by those of its passive joints; where the loops cannot be closed, these stay.
func (s *Scene) Play(runs []Run) error {
	total := 0.0
	for _, r := range runs {
		if n := len(r.T); n > 1 && r.T[n-1]-r.T[0] < math.Inf(1) {
			total += r.T[n-1] - r.T[0]
		}
	}
	most := motionValues / max(1, len(s.Coordinates)*max(1, len(runs)))
	s.Motions = nil
	for i, r := range runs {
		m, err := s.motion(r, max(2, most), FrameSeconds(total, len(s.Coordinates)))
		if err != nil {
			return fmt.Errorf("scene: motion %d (%q): %w", i+1, r.Name, err)
		}
		s.Motions = append(s.Motions, m)
	}
	return nil
}

// FrameSeconds returns the least time between two frames of motions of a total length, s, with a number of coordinates.
func FrameSeconds(total float64, coordinates int) float64 {
	return math.Max(framePeriod, total*float64(coordinates)/motionValues)
}

// motion takes frames of a run at least a period apart, and no more than most where runs are many and short.
func (s *Scene) motion(r Run, most int, period float64) (Motion, error) {
	m := Motion{Name: r.Name}
	joints := s.robot.Independent()
	if len(r.Q) != len(joints) {
		return m, fmt.Errorf("%d joints, the robot has %d", len(r.Q), len(joints))
	}
	for k, q := range r.Q {
		if len(q) != len(r.T) {
			return m, fmt.Errorf("joint %q: %d positions at %d times", s.robot.Links[joints[k]].Joint.Name, len(q), len(r.T))
		}
	}
	if len(r.T) == 0 {
		return m, nil
	}
	frames := framesOf(r.T, most, period)
	if len(frames) == 0 {
		return m, nil
	}
	q, note := s.follow(r.Q, frames)
	m.N, m.Start, m.Note, m.Gap = len(frames), r.T[frames[0]], note, 10*math.Max(period, 0.05)
	t := make([]byte, 0, 4*len(frames))
	for _, k := range frames {
		t = binary.LittleEndian.AppendUint32(t, math.Float32bits(float32(r.T[k]-m.Start)))
	}
	m.T = base64.StdEncoding.EncodeToString(t)
	steps := make([]byte, 0, 2*len(frames)*len(q))
	for _, column := range q {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, v := range column {
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				lo, hi = math.Min(lo, v), math.Max(hi, v)
			}
		}
		if !(hi >= lo) || math.IsInf(hi-lo, 0) {
			lo, hi = 0, 0
		}
		m.Low, m.High = append(m.Low, lo), append(m.High, hi)
		step := uint16(0)
		for _, v := range column {
			if hi > lo && lo <= v && v <= hi { // a missing position stays at the one before
				step = uint16(math.Round((v - lo) / (hi - lo) * math.MaxUint16))
			}
			steps = binary.LittleEndian.AppendUint16(steps, step)
		}
	}
	m.Q = base64.StdEncoding.EncodeToString(steps)
	return m, nil
}

// framesOf returns the samples at times of which the first, the last and others at least a period between are shown.
// Times that are not finite or go backward are passed over.
func framesOf(t []float64, most int, period float64) []int {
	var clock []int
	for k, at := range t {
		if !math.IsNaN(at) && !math.IsInf(at, 0) && (len(clock) == 0 || at > t[clock[len(clock)-1]]) {
			clock = append(clock, k)
		}
	}
	if len(clock) == 0 {
		return nil
	}
	last := clock[len(clock)-1]
	period = 0.999 * math.Max(period, (t[last]-t[clock[0]])/float64(most))
	frames := clock[:1:1]
	for _, k := range clock[1:] {
		if t[k]-t[frames[len(frames)-1]] >= period {
			frames = append(frames, k)
		}
	}
	if frames[len(frames)-1] != last {
		frames = append(frames, last)
	}
	return frames
}

// follow puts the frames' positions of the independent joints at their coordinates, and passive joints where the
// loops have them.
func (s *Scene) follow(q [][]float64, frames []int) (columns [][]float64, note string) {
	columns = make([][]float64, len(s.Coordinates))
	for c := range columns {
		columns[c] = make([]float64, len(frames))
		for i := range frames {
			columns[c][i] = s.Start[c]
		}
	}
	joints := s.robot.Independent()
	for k, j := range joints {
		if c := s.Links[j].Coord; c >= 0 {
			for i, frame := range frames {
				columns[c][i] = q[k][frame]
			}
		}
	}
	if !s.robot.Closed() {
		return columns, ""
	}
	f, err := newFollower(s)
	if err != nil {
		return columns, "the passive joints are not drawn along the motion: " + err.Error()
	}
	if done := f.follow(columns); done < len(frames) {
		note = fmt.Sprintf("the loops do not close at frame %d; the passive joints stay there", done+1)
	}
	return columns, note
}
