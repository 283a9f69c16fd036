package robot

// StandardGravity is the default gravity vector in the base frame, m/s².
var StandardGravity = [3]float64{0, 0, -9.81}

// ReadOptions are the choices of a reader; the zero value is the default.
type ReadOptions struct {
	// NoSnap keeps angles near a multiple of π/12, and offsets near zero, as
	// the file prints them.
	NoSnap bool
	// Set gives values to symbols of the file's geometry, over the file's own.
	// A name that the file does not use is an error.
	Set map[string]float64
	// TreeOnly reads a file that describes closed loops as the tree that is
	// left when the loops are cut; Robot.Extra holds the frames at the cuts.
	TreeOnly bool
	// Loops reads a file that describes closed loops with them, as Robot.Loops.
	// Without it, and without TreeOnly, such a file is refused, because most
	// models are of trees.
	Loops bool
	// Args are the arguments of a xacro file, and Packages the folders that its $(find NAME) gives; those above and
	// beside the file are found by themselves.
	Args, Packages map[string]string
	// Outside lets a file read others that lie outside of its own tree and of packages. Without it such an include is
	// refused: a robot file from elsewhere must not read the files of whoever opens it.
	Outside bool
}
