package robot

// StandardGravity is the default gravity vector in the base frame, m/s².
var StandardGravity = [3]float64{0, 0, -9.81}

// ReadOptions are the options of a reader; the zero value is valid.
type ReadOptions struct {
	// NoSnap keeps angles near a multiple of π/12, and offsets near zero, as printed in the file.
	NoSnap bool
	// Set gives values to symbols of the file's geometry and overrides the file's own. A name that the file does not use
	// is an error.
	Set map[string]float64
	// TreeOnly reads a file with closed loops as the tree with the loops cut; Robot.Extra holds the frames at the cuts.
	TreeOnly bool
	// Loops reads the closed loops of a file into Robot.Loops. Without Loops and TreeOnly such a file is refused,
	// because most models are of trees.
	Loops bool
	// Args are the arguments of a xacro file, Packages the folders for its $(find NAME). Folders above and beside the
	// file are found without.
	Args, Packages map[string]string
	// Outside lets a file include others outside its own tree and its packages. Otherwise such an include is refused: a
	// robot file from elsewhere must not read the files of whoever opens it.
	Outside bool
}
