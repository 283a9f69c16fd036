package datasets_test

import (
	"fmt"
	"strings"

	"ident/datasets"
)

// A log in memory: channels are found by the usual names, and declared units are
// converted to SI.
func Example() {
	text := "t,q1 [deg],tau1\n0.00,0,1.5\n0.01,90,1.25\n"
	log, err := datasets.OpenReader(strings.NewReader(text), int64(len(text)), "run.csv", datasets.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer log.Close()
	roles, _, err := datasets.MapChannels(log, []string{"shoulder"}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	q, err := log.Column(roles.Q[0])
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d rows of %v; position %s: %.4f rad\n", log.Rows(), log.Names(), roles.Q[0], q)
	// Output:
	// 2 rows of [t q1 tau1]; position q1: [0.0000 1.5708] rad
}

// Units of channels in SI: readers convert by these factors.
func ExampleSI() {
	for _, unit := range []string{"deg/s", "N.mm", "rpm"} {
		si, factor, err := datasets.SI(unit)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("1 %s = %.6g %s\n", unit, factor, si)
	}
	// Output:
	// 1 deg/s = 0.0174533 rad/s
	// 1 N.mm = 0.001 N.m
	// 1 rpm = 0.10472 rad/s
}
