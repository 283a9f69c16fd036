package recursion_test

import (
	"fmt"

	"ident/mechanics/recursion"
	"ident/robot"
	"ident/robot/format"
	"ident/symbolic"
)

// The torque of a pendulum that hangs below a horizontal axis, as a program of its position, rate, acceleration and parameters.
func Example() {
	r, err := format.Read([]byte(`<robot name="pendulum">
  <link name="base"/>
  <link name="rod"><inertial><origin xyz="0.3 0 0"/><mass value="2"/>
    <inertia ixx="0.001" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="j1" type="continuous"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/></joint>
</robot>`), "urdf", "pendulum.urdf", robot.ReadOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	t, err := recursion.New(r, recursion.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	inputs := append(append(append([]symbolic.Node{}, t.Q...), t.DQ...), t.DDQ...)
	var rod recursion.Params
	for i, name := range robot.InertialNames {
		rod[i] = t.G.Input(symbolic.Input{Name: name, Kind: symbolic.Parameter})
		inputs = append(inputs, rod[i])
	}
	motions := t.Motions(recursion.Rates{DQ: t.DQ, DDQ: t.DDQ}, t.Gravity)
	tau := t.Torques(motions, []recursion.Params{rod})
	p := t.G.Program("torque", inputs, symbolic.Result{Name: "tau", Rows: 1, Cols: 1, Entries: tau})
	state := append([]float64{0, 0, 0}, r.Links[0].Inertial[:]...)
	fmt.Printf("held level it needs %.2f N·m\n", p.Eval(state)[0][0])
	// Output:
	// held level it needs -5.89 N·m
}
