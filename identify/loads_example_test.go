package identify_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"ident/identify"
	"ident/identify/project"
	"ident/robot"
	"ident/robot/format"
)

// A weight of 5 kg on a lever of 1 m, held level.
func ExampleLoadedRobot_Loads() {
	dir, err := os.MkdirTemp("", "loads")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	motion := filepath.Join(dir, "hold.csv")
	if err := os.WriteFile(motion, []byte("t,q_pivot,dq_pivot,ddq_pivot\n0,0,0,0\n1,0,0,0\n2,0,0,0\n3,0,0,0\n"), 0o600); err != nil {
		panic(err)
	}
	lever := "name: lever\nlinks: [{name: bar, joint: {name: pivot}, origin: {rpy: [Pi/2, 0, 0]}}]\n"
	r, err := format.Read([]byte(lever), "yaml", "lever.yaml", robot.ReadOptions{})
	if err != nil {
		panic(err)
	}
	s, err := identify.NewLoadedRobot("lever.yaml", r, new(project.Settings))
	if err != nil {
		panic(err)
	}
	out, err := s.Loads(context.Background(), identify.LoadsQuery{Motion: motion, Payload: "bar=5,1,0,0"})
	if err != nil {
		panic(err)
	}
	fmt.Printf("torque %.2f N·m, bearing %.2f N, base %.2f N\n", out.Drives[0].Torque.Value, out.Bearings[0].Radial.Value, out.Base.Vertical.Value)
	// Output: torque 49.05 N·m, bearing 49.05 N, base 49.05 N
}
