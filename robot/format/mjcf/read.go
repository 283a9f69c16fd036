package mjcf

import (
	"ident/robot"
	"ident/robot/format/internal/mujoco"
	"ident/robot/internal/assembly"
)

// Read fills r from MuJoCo's XML. Package format calls it, and gives its errors their path.
func Read(r *robot.Robot, text []byte, opt robot.ReadOptions) error {
	root, err := assembly.XMLRoot(text)
	if err != nil {
		return err
	}
	if root.Name != "mujoco" {
		return robot.Fault(root.Line, "", "the top element is <%s>, MuJoCo's is <mujoco>", root.Name)
	}
	m, err := mujoco.Read(root)
	if err != nil {
		return err
	}
	return mujoco.Fill(r, m, opt)
}
