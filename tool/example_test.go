package tool_test

import (
	"fmt"
	"math"

	"ident/internal/spatial"
	"ident/tool"
)

// A gripper of 0.8 kg, 60 mm before the sensor, in six poses that are held for two seconds each.
func ExampleFit() {
	track := &tool.Track{Gravity: spatial.Vec{0, 0, -9.81}}
	for k := range 6 * 200 {
		turn := spatial.Mul(spatial.RotX(math.Pi/2*float64(k/200)), spatial.RotY(float64(k/200)))
		force := spatial.Scale(0.8, spatial.MulTVec(turn, track.Gravity))
		torque := spatial.Cross(spatial.Vec{0, 0, 0.06}, force)
		track.T, track.Turn = append(track.T, float64(k)/100), append(track.Turn, turn)
		for i := range 3 {
			track.Wrench[i] = append(track.Wrench[i], force[i]+2+0.01*math.Sin(float64(40*k+i)))
			track.Wrench[3+i] = append(track.Wrench[3+i], torque[i]-0.1+0.001*math.Sin(float64(30*k+i)))
		}
	}
	e, err := tool.Fit(track, tool.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f kg at %.1f mm; %s: %s\n", e.Mass.Value, 1000*e.Centre[2].Value, e.Open[0].What, e.Open[0].Why)
	// Output: 0.800 kg at 60.0 mm; inertia: rows at rest do not tell it: record fast turns about all axes, and use rows in motion
}
