package textfile

import (
	"os"
	"path/filepath"
)

// PackageAbove looks for a package of ROS or a model of Gazebo among the folders above a file and beside these. A folder of the name right
// beside the file is taken, whatever it holds. files says whether it may look.
func PackageAbove(file, pkg string, files bool) (string, bool) {
	if !files || pkg != filepath.Base(pkg) {
		return "", false
	}
	folder, err := filepath.Abs(filepath.Dir(file))
	first := true
	for err == nil {
		if filepath.Base(folder) == pkg {
			return folder, true
		}
		beside := filepath.Join(folder, pkg)
		if info, err := os.Stat(beside); IsPackage(beside) || first && err == nil && info.IsDir() {
			return beside, true
		}
		first = false
		if filepath.Dir(folder) == folder {
			break
		}
		folder = filepath.Dir(folder)
	}
	return "", false
}
