package identify

import (
	"context"

	"ident/identify/design"
	"ident/identify/project"
	"ident/robot"
)

// DesignOptions are the options of a design.
type DesignOptions = design.Options

// Design designs an exciting motion for the robot of the settings, within its limits. If ctx is done the motion is the best one so
// far.
func Design(ctx context.Context, s *project.Settings, opt DesignOptions) (*design.Design, error) {
	return design.Run(ctx, s, opt)
}

// ToolPosesOptions are the options of a motion that holds poses which weigh a tool.
type ToolPosesOptions struct {
	Poses   int       // number of poses, 2 to 24
	Hold    float64   // seconds for which each is held
	Mount   []float64 // place of the sensor's frame, as in ToolOptions
	Outputs []string  // files that Write writes, each by its extension
	Command string    // command line to print on a page; "" for none
}

// DesignToolPoses designs a motion that holds the poses which determine a tool on a wrist sensor best. left is the number of
// poses without a free way to them.
func DesignToolPoses(ctx context.Context, s *project.Settings, opt ToolPosesOptions) (d *design.Design, left int, err error) {
	return design.Hold(ctx, s, DesignOptions{Outputs: opt.Outputs, Command: opt.Command}, design.Held{Count: opt.Poses, Seconds: opt.Hold,
		Choose: func(r *robot.Robot, free [][]float64) ([]int, error) {
			return ToolPoses(r, s, opt.Mount, free, opt.Poses)
		}})
}
