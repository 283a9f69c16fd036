package identify

import (
	"context"

	"ident/identify/description"
	"ident/identify/project"
)

// DescribeOptions say what a description of a robot fills in.
type DescribeOptions = description.Options

// Describe reads the robot of the settings: joints with limits and drives, bodies, loops and couplings, and findings about the
// inertials.
func Describe(s *project.Settings, opt DescribeOptions) (*description.Described, error) {
	return description.Describe(s, opt)
}

// BaseOptions say of what motion and measurements base parameters are found.
type BaseOptions = description.BaseOptions

// DescribeBase finds the base parameters of the robot of the settings by every method that applies.
func DescribeBase(ctx context.Context, s *project.Settings, opt BaseOptions) (*description.Base, error) {
	return description.FindBase(ctx, s, opt)
}
