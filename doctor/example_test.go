package doctor_test

import (
	"context"
	"fmt"

	"ident/datasets"
	"ident/doctor"
	"ident/robot"
	"ident/robot/format"
)

// A log whose position of the elbow was recorded in degrees.
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
	cols, err := log.Columns(log.Names()...)
	if err != nil {
		fmt.Println(err)
		return
	}
	for c, name := range log.Names() {
		if name == "q3" {
			for i := range cols[c] {
				cols[c][i] *= 57.29577951308232
			}
		}
	}
	spoilt := datasets.FromColumns("spoilt", log.Channels(), cols, nil)
	var joints []string
	for _, l := range arm.Independent() {
		joints = append(joints, arm.Links[l].Joint.Name)
	}
	roles, _, err := datasets.MapChannels(spoilt, joints, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	found, err := doctor.Check(context.Background(), arm, spoilt, roles, doctor.Options{Trim: 0.5})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range found {
		if f.ID == doctor.Units {
			fmt.Printf("%s %s, channel %s: %+v\n", f.Severity, f.ID, f.Channel, f.Repair.Settings)
		}
	}
	// Output:
	// error units, channel q3: [{Key:units Name:q3 Value:deg}]
}
