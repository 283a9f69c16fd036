package identify_test

import (
	"context"
	"fmt"

	"ident/datasets"
	"ident/identify"
	"ident/regressor"
	"ident/robot"
)

// A fit of the embedded log by the defaults of a zero Config. Package project does the
// same from files.
func Example() {
	arm, err := robot.Read(datasets.ExampleRobot(), "urdf", "puma560.urdf", robot.ReadOptions{})
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
	run := identify.Run{Name: "example", Log: log, Roles: roles, Last: log.Rows()}
	out, err := identify.Fit(context.Background(), arm, regressor.DefaultTerms(), []identify.Run{run}, nil, identify.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	done := out.Result.Processing
	fmt.Printf("%d base parameters; cut-off %g Hz, trim %g s\n", len(out.Solution.X), done.CutoffHz, done.TrimS)
	fmt.Printf("%.0f %% of the torques are left\n", out.Result.Fit.RelativeError.Stacked)
	// Output:
	// 58 base parameters; cut-off 10 Hz, trim 0.5 s
	// 1 % of the torques are left
}
