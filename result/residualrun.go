package result

// ResidualRun holds one log's torques after processing, joint by joint:
// Measured[j][k] is joint j at T[k]. Stride is the number of processed samples for each
// stored one.
type ResidualRun struct {
	Log       string
	Role      string // "train" or "validate"
	Stride    int
	T         []float64
	Measured  [][]float64
	Predicted [][]float64

	// For plots; nil if a source has none.
	Logged   [][]float64 // torque before the filter of both sides, at T
	File     [][]float64 // torque predicted with the robot file's parameters, through the same filter
	Position [][]float64 // positions of the joints, filtered, rad or m
	Doubtful []Interval  // times between samples that were not measured, ascending
	Long     *LongRun    // buckets of all samples if Stride is above one
}

// Interval is an interval of a log's time, in seconds.
type Interval struct {
	From, To float64
	Why      string // "interpolated" across rows that are missing or were left out, or "held" by the log
}

// LongRun is a run too long to be kept whole: the least and largest value of each curve in buckets of rows, and the rows
// around the largest residuals.
type LongRun struct {
	Rows      int           // rows in a bucket; fewer in the last one before a gap
	From, To  []float64     // times of the first and the last row of each bucket
	Low, High Curves        // joint, bucket
	Blocks    []ResidualRun // intervals at full rate, some of each joint
}

// Curves holds the curves of a run by joint, in N·m or N.
type Curves struct {
	Measured, Predicted, Residual [][]float64
	Logged, File, FileResidual    [][]float64 // nil where a source has none
}
