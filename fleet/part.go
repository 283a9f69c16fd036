package fleet

// Part is the summaries of some logs of a robot. There is one, but where logs came by signal paths that do not go together.
type Part struct {
	Robot, File string
	Logs        []Taken
	Summaries   [][]byte // of package summary
}

// Taken is a log that a summary holds.
type Taken struct {
	Entry int // row of the manifest
	Log   string
	Start int64 // ms since 1970-01-01 UTC, 0 where it is not known
}
