package project

import (
	"fmt"
	"path/filepath"
	"runtime"
	"testing"

	"ident/identify/regression"
)

// Runs that are examined at the same time have the same findings, in the same order, on any number of processors.
func TestRunsAtOnceHaveTheSameFindings(t *testing.T) {
	measured := filepath.Join("..", "..", "datasets", "measured")
	job, err := OpenJob(t.Context(), &Settings{Robot: filepath.Join(measured, "panda.urdf")}, []string{filepath.Join(measured, "panda.csv.gz")}, JobOptions{RobotGiven: true, Unexamined: true})
	if err != nil {
		t.Fatal(err)
	}
	defer job.Close()
	var runs []regression.Run
	rows := job.Train[0].Log.Rows()
	for i := range 5 {
		run := job.Train[0]
		run.Name, run.Log = fmt.Sprintf("run%d", i+1), run.Log.Slice(i*rows/5, (i+1)*rows/5)
		runs = append(runs, run)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	first := ""
	for _, n := range []int{1, 2, 8} {
		runtime.GOMAXPROCS(n)
		reported := 0
		found, channels, err := CheckChannels(t.Context(), job.Settings, job.Session.Robot, runs, func(_ string, done, _ int) {
			if done != reported {
				t.Errorf("progress %d behind %d", done, reported)
			}
			reported++
		}, 3)
		if err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf("%+v %+v", found, channels)
		if first == "" {
			first = text
		}
		if text != first || len(found) == 0 || reported != len(runs) {
			t.Errorf("%d processors: %d findings, %d runs reported:\n%s\n%s", n, len(found), reported, text, first)
		}
	}
}

// The error of the first of several runs is told, and no run is collected after it.
func TestFirstErrorInOrder(t *testing.T) {
	work := func(i int) error {
		switch i {
		case 0:
			return nil
		case 1: // after the others
			runtime.Gosched()
		}
		return fmt.Errorf("run %d", i)
	}
	collected := 0
	err := inOrder(6, work, func(_ int, result func() error) error {
		err := result()
		collected++
		return err
	})
	if err == nil || err.Error() != "run 1" || collected != 2 {
		t.Errorf("%v after %d", err, collected)
	}
}
