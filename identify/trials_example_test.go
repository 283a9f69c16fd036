package identify_test

import (
	"fmt"
	"os"

	"ident/identify"
)

// A report of trials prints a line an estimator.
func ExampleTrialsReport_Text() {
	r := identify.TrialsReport{Robot: "arm", Motion: "traj.json", Experiment: "followed exactly", Trials: 100,
		Estimators: []identify.TrialsEstimator{{Name: "wls", Fits: 100, Coverage: 95.2, WorstCoverage: 91, Worst: "ZZ1R", BiasInStated: 0.11, RelativeError: 0.31}}}
	if err := r.Text(os.Stdout, false); err != nil {
		fmt.Println(err)
	}
	// Output:
	// robot       arm
	// motion      traj.json
	// experiment  followed exactly
	// trials      100, seeds 0 to 99
	//
	// estimator  fits  coverage %  worst  parameter  bias/stated  error %
	// wls        100   95.2        91.0   ZZ1R       0.11         0.31
}
