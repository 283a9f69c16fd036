package folder

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ident/internal/output"
	"ident/report/scene"
	"ident/result"
	"ident/robot"
)

// Redraw draws the page and plots of the result in folder from into folder to, which may be the same. robotOf reads the robot of the
// result; without it the page has no robot. overwrite acts as in [Drawing].
func Redraw(ctx context.Context, from, to string, overwrite bool, seals Seals, robotOf func(dir string, res *result.Result) (*robot.Robot, error)) error {
	res, err := ReadResult(from, seals)
	if err != nil {
		return err
	}
	runs, err := readResiduals(ctx, from, len(res.Joints))
	if err != nil {
		return err
	}
	var drawn3D *scene.Scene
	if source, err := robotOf(from, res); err == nil {
		drawn3D = SceneOf(source, res)
	}
	made, err := os.Stat(filepath.Join(from, ResultFile))
	if err != nil {
		return err
	}
	compared, err := readCompared(from, seals)
	if err != nil {
		return err
	}
	demands, err := readLoads(from)
	if err != nil {
		return err
	}
	command, err := readCommand(from)
	if err != nil {
		return err
	}
	var drawn []string
	if err := output.Folder(to, inAny(replaceableDrawings, overwrite), ReportFile, overwrite, func(dir string) error {
		err := drawResult(ctx, dir, res, runs, drawn3D, Drawing{Plots: true, Command: command, Compared: compared, Loads: demands}, made.ModTime())
		if err == nil {
			drawn, err = output.Files(dir)
		}
		return err
	}); err != nil {
		return err
	}
	own, err := os.Stat(from)
	if err != nil {
		return err
	}
	if other, err := os.Stat(to); err != nil || !os.SameFile(own, other) {
		return err
	}
	files, err := resultFiles(from)
	if err != nil {
		return err
	}
	files = append(slices.DeleteFunc(files, isDrawing), drawn...)
	slices.Sort(files)
	if slices.Equal(files, res.Files) {
		return nil
	}
	res.Files = files
	return output.Write(filepath.Join(from, ResultFile), func(w io.Writer) error {
		if sound := res.Seal != "" && !slices.ContainsFunc(res.Grade.Reasons, func(r result.Reason) bool { return r.ID == result.BrokenSeal }); sound {
			return WriteSealed(w, res, &res.Seal)
		}
		return WriteJSON(w, res) // a seal that is missing or broken stays so
	})
}

// isDrawing reports whether a file of a result is its page or a plot.
func isDrawing(name string) bool {
	return name == ReportFile || strings.HasPrefix(name, PlotsFolder+"/")
}
