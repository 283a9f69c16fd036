package fleet

// Part is some logs of a robot, each with its summary.
type Part struct {
	Robot, File string
	Logs        []Taken
	Summaries   [][]byte // of package summary, one of each log
}

// Taken is a log that a summary holds.
type Taken struct {
	Entry int // row of the manifest
	Log   string
	Start int64 // ms since 1970-01-01 UTC, 0 where it is not known
}
