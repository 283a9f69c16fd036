package code

import (
	"slices"
	"strings"

	"ident/codegen"
	"ident/codegen/source"
	"ident/identify/project"
	"ident/mechanics/kinematics"
	"ident/robot"
)

// Options are the options of generated code. The zero value is the inverse dynamics in C, with the standard parameters as
// arguments.
type Options struct {
	Models    []string // names of models, or all for those that the robot has; nil is inverse-dynamics
	Languages []string // or all; nil is c
	Name      string   // of the module, and beginning of the functions' names; "" is the robot's name

	Base            bool    // base parameters in place of the standard ones
	Bake            bool    // dynamic parameters of the robot file as numbers, not as arguments
	Symbols         bool    // every symbol of the geometry is an argument, whether it has a value or not
	GravityArgument bool    // gravity is an argument
	Tree            bool    // the tree that is left if closed loops are cut
	Smooth          float64 // rate below which dry friction is smooth, rad/s or m/s; 0 for the sign of the rate

	// Of the kinematic models: a point in the frame of a link, joint or fixed frame, m ("" is the last link); the link or joint
	// whose axes the results refer to ("" is the base); coordinates of orientation, euler, rpy or quaternion ("" is euler);
	// rows of the Jacobian for its determinant and inverse (nil are all).
	Link        string
	Point       [3]float64
	Axes        string
	Orientation string
	Rows        []string

	External   []string // links whose wrench on their environment is an argument, or file for those of a SYMORO+ file
	BaseMotion bool     // the motion of the base is an argument
	Outputs    []string // outputs or entries to keep; nil are all
	Vectors    int      // evaluations of each function in a file NAME_vectors.json, to try a build against; 0 for no file

	all bool // models: those that the robot has
}

// constraintsLanguage is that of SYMORO+'s files of constraints, which the model loop-solution alone has.
const constraintsLanguage = "cons"

// complete expands "all" and the short names, and refuses unknown ones.
func (o *Options) complete() error {
	o.Models, o.Languages = slices.Clone(o.Models), slices.Clone(o.Languages)
	if len(o.Models) == 0 {
		o.Models = []string{string(codegen.InverseDynamics)}
	}
	if len(o.Languages) == 0 {
		o.Languages = []string{"c"}
	}
	if slices.Equal(o.Models, []string{"all"}) {
		o.Models, o.all = nil, true
		for _, m := range codegen.Models() {
			o.Models = append(o.Models, string(m))
		}
	}
	if slices.Equal(o.Languages, []string{"all"}) {
		o.Languages = source.Languages()
	}
	for i, name := range o.Models {
		switch name {
		case "dynamic", "energy", "power", "filtered", "momentum":
			name += "-regressor"
		}
		if _, err := codegen.ParseModel(name); err != nil {
			return project.NewOptionError("{model}: %w", err)
		}
		o.Models[i] = name
	}
	for i, name := range o.Languages {
		if name == "octave" {
			o.Languages[i] = "matlab"
		} else if name == constraintsLanguage && slices.Equal(o.Models, []string{string(codegen.LoopSolution)}) {
			continue
		} else if name == constraintsLanguage {
			return project.NewOptionError("{lang} cons writes the constraints of a closed robot alone: give {model} loop-solution")
		} else if !slices.Contains(source.Languages(), name) {
			return project.NewOptionError("{lang}: %w: %q; the languages are %s, and cons for loop-solution", source.ErrLanguage, name, strings.Join(source.Languages(), ", "))
		}
	}
	slices.Sort(o.Models)
	o.Models = slices.Compact(o.Models)
	slices.Sort(o.Languages)
	o.Languages = slices.Compact(o.Languages)
	return nil
}

// frame fills in the options of the kinematic models.
func (o *Options) frame(opt *codegen.Options, r *robot.Robot) (err error) {
	if opt.Rows, err = codegen.ParseRows(o.Rows); err != nil {
		return project.NewOptionError("{rows}: %w", err)
	}
	angles := o.Orientation
	if angles == "" {
		angles = kinematics.EulerAngles.String()
	}
	if opt.Angles, err = kinematics.ParseAngles(angles); err != nil {
		return project.NewOptionError("{orientation}: %w", err)
	}
	if opt.Frame, err = codegen.FrameOf(r, o.Link, o.Axes, o.Point); err != nil {
		return project.NewOptionError("{link}, {axes}: %w", err)
	}
	opt.BaseMotion = o.BaseMotion
	if slices.Equal(o.External, []string{"file"}) {
		opt.External = r.ExternalLinks()
		return nil
	}
	for _, name := range o.External {
		f, err := codegen.FrameOf(r, name, "", [3]float64{})
		if err != nil {
			return project.NewOptionError("{external}: %w", err)
		}
		if f.Link < 0 {
			return project.NewOptionError("{external}: a wrench acts on a link, and the base is not a link")
		}
		opt.External = append(opt.External, f.Link)
	}
	return nil
}

// dynamic reports whether one of the models has dynamic parameters.
func (o *Options) dynamic() bool {
	return slices.ContainsFunc(o.Models, func(name string) bool { return !codegen.Model(name).Kinematic() })
}
