package doctor

// A joint whose range in the log is below these has not moved: it shows only servo error, flexing and noise.
const (
	stillAngle  = 0.02 // rad
	stillLength = 2e-3 // m
)

// isStill reports whether a joint did not move in the log, or has no position channel.
func (rec *recording) isStill(j joint) bool {
	return j.q == nil || rec.stats(j.q).span() < rec.stillRange(j.q)
}

// stillRange returns the range of a position below which the joint counts as standing.
func (s *setup) stillRange(q *channel) float64 {
	return pick(s.isRevolute(q.joint), stillAngle, stillLength)
}
