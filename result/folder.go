package result

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"ident/internal/spelling"
)

// ElasticFile is the document in the folder of a result of elastic joints.
const ElasticFile = "elastic.json"

// FolderError says that a path is not the folder of a result with rigid joints.
type FolderError struct {
	Dir     string
	Elastic bool  // the folder holds a result for elastic joints
	Err     error // error of reading the document, nil for none
}

// NotFolder returns the error for a path.
func NotFolder(dir string, err error) *FolderError {
	info, none := os.Stat(filepath.Join(dir, ElasticFile))
	return &FolderError{Dir: dir, Elastic: none == nil && !info.IsDir(), Err: err}
}

func (e *FolderError) Error() string {
	text := fmt.Sprintf("%s is not the folder of a result (ident fit makes one)", e.Dir)
	if e.Elastic {
		text = fmt.Sprintf("%s is a result of elastic joints, whose torques are not those of a rigid model: ident validate and ident loads read it, and robot.yaml in it is the identified robot", e.Dir)
	}
	if _, err := os.Stat(e.Dir); errors.Is(err, fs.ErrNotExist) {
		return fmt.Sprintf("the result %s is missing%s", e.Dir, spelling.NearFile(e.Dir))
	}
	if e.Err != nil && !e.Elastic {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the error of reading the document.
func (e *FolderError) Unwrap() error { return e.Err }
