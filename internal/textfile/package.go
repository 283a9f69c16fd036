package textfile

import (
	"os"
	"path/filepath"
)

// PackageAbove looks for a package of ROS or a model of Gazebo among the folders above a file and beside these; files says whether it may look.
func PackageAbove(file, pkg string, files bool) (string, bool) {
	if !files || pkg != filepath.Base(pkg) {
		return "", false
	}
	folder, err := filepath.Abs(filepath.Dir(file))
	for err == nil {
		if filepath.Base(folder) == pkg {
			return folder, true
		}
		beside := filepath.Join(folder, pkg)
		for _, mark := range []string{"package.xml", "model.config"} {
			if _, missing := os.Stat(filepath.Join(beside, mark)); missing == nil {
				return beside, true
			}
		}
		if filepath.Dir(folder) == folder {
			break
		}
		folder = filepath.Dir(folder)
	}
	return "", false
}
