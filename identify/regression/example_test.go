package regression_test

import (
	"context"
	"fmt"

	"ident/datasets"
	"ident/identify/regression"
	"ident/regressor"
	"ident/robot"
	"ident/robot/format"
)

// A fit of the embedded log by the defaults of a zero Config. Package project does the
// same from files.
func Example() {
	arm, err := format.Read(datasets.ExampleRobot(), "urdf", "puma560.urdf", robot.ReadOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	log, err := datasets.ExampleLog()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer log.Close()
	var joints []string
	for _, l := range arm.Independent() {
		joints = append(joints, arm.Links[l].Joint.Name)
	}
	roles, _, err := datasets.MapChannels(log, joints, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	run := regression.Run{Name: "example", Log: log, Roles: roles, Last: log.Rows()}
	out, err := regression.Fit(context.Background(), arm, regressor.DefaultTerms(), []regression.Run{run}, nil, regression.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	done := out.Result.Processing
	fmt.Printf("%d base parameters; cut-off %g Hz, trim %g s\n", len(out.Solution.X), done.Cutoff, done.Trim)
	fmt.Printf("%.0f %% of the torques are left\n", out.Result.Fit.RelativeError.Stacked)
	// Output:
	// 58 base parameters; cut-off 10 Hz, trim 0.5 s
	// 1 % of the torques are left
}
