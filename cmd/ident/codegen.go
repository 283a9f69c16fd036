package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ident/cmd/ident/internal/table"
	"ident/codegen"
	"ident/codegen/source"
	"ident/identify"
	"ident/identify/code"
	"ident/identify/folder"
	"ident/identify/project"
	"ident/mechanics/kinematics"
)

// codegenFlags are the options of ident codegen as texts, and what they say.
type codegenFlags struct {
	identify.GenerateOptions
	models, languages, point, rows, outputs, external string
	out, alarms                                       string
	quiet                                             []string
}

func newCodegen(s streams) *cobra.Command {
	f := s.flags()
	words := new(codegenFlags)
	c := &cobra.Command{
		Use:   "codegen ROBOT|RESULT",
		Short: "generate source code of a robot's models with few operations",
		Long: `Write models of a robot as functions without any library beneath them.

  --model  inverse-dynamics (default), forward-dynamics, inertia-matrix, bias
           (Coriolis, centrifugal and gravity torques), lagrange (A, B, C, Q);
           the regressors dynamic, energy, power, filtered, momentum, filtered-step;
           observer of a result (C and C++: external torques, tests with thresholds for
           --false-alarms; see ident watch), observer-step; the reactions joint-wrenches,
           base-wrench; the control laws computed-torque, operational-control (of the tip),
           gravity-compensation (with friction), within the drives' limits; transform,
           jacobian, jacobian-determinant, jacobian-inverse, velocities,
           accelerations, jdot-qdot of a point, operational-jacobian (--orientation),
           redundant-rates (v and a secondary motion z), inverse-geometry (all states of
           arms with a wrist or three parallel axes, of five joints, SCARA); loop-solution,
           loop-constraints of a closed robot; a list, or all (that the robot has)
  --lang   c (default), c-batch (kernels of many samples with a header, a CMake file
           and a module of Python), cpp (C++ as one header), go, python, matlab (Octave
           too), fortran, julia, listing; a list, or all; cons (the
           constraints of a closed robot as SYMORO+ has them beside a .par)

The dynamic parameters are arguments, and so are geometry symbols to which the
file or --set gives no value. --bake puts the file's own dynamic parameters into
the text; where the folder of a result is the robot the identified ones, with friction, rotors
and offsets (--terms links leaves these out). --symbols keeps every geometry symbol as an
argument, --gravity-argument the vector of gravity. --base takes the base parameters instead of the
standard ones, which are fewer, and so are the operations; ident base-params says
how they are made.

The kinematic models are those of the point --point of link --link, in that link's
frame (default: the origin of the last link), along the axes of link --axes (default:
the base's). A determinant or an inverse is taken in blocks, of all six rows of the
Jacobian or of --rows vx,vy,vz,wx,wy,wz; the head of the text names the blocks.

A robot with closed loops has its driven joints as arguments, and the loops are closed in
the text, where they have formulas: all plane, with three joints to be found, slides too.
Otherwise the positions of all joints are arguments, of a closed state to which the step of
loop-solution leads when it is called until its residual phi is small.
--tree writes the tree that cutting the loops leaves.

--external adds an argument to the inverse and forward dynamics, the bias, the dynamic
regressor and the reactions: the wrench that a link exerts on its environment. --base-motion
adds the motion of the base (W0, WP0, VP0). --external file takes the links for which a
SYMORO+ file has FX … CZ.

--outputs keeps some outputs, or entries of them (tau2, D_2_3), and what they need.

The head of every file states the robot, the order and units of parameters, gravity,
and the numbers of operations.`,
		Example: `  ident codegen arm.urdf -o generated
  ident codegen arm.urdf --model dynamic,energy --base --lang c,python -o generated
  ident codegen arm.urdf --model inverse-dynamics --bake --lang go -o generated
  ident codegen arm.urdf --model jacobian,jdot-qdot --link lower --axes base -o generated
  ident codegen arm.urdf --model inverse-dynamics --outputs tau2 -o generated
  ident codegen log.ident --bake --lang c -o generated
  ident codegen log.ident --model observer -o generated
  ident codegen scara.par --symbols --lang listing -o generated`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			opt, err := words.options()
			if err != nil {
				return err
			}
			if slices.Equal(opt.Models, []string{"observer"}) {
				return writeObserver(c, s, args[0], words, opt, f.json)
			}
			if len(words.quiet) > 0 || words.alarms != "1/h" {
				return usagef("--quiet-log and --false-alarms need --model observer")
			}
			if len(opt.Models) == 0 || len(opt.Languages) == 0 {
				return usagef("--model and --lang each need a name")
			}
			p, err := f.robotSettings(args[0])
			if err != nil {
				return err
			}
			if !c.Flags().Changed("terms") {
				p.Terms = nil // those of a project file are meant for fits
			}
			var g *code.Generated
			if err := s.during("making the programs", func() (err error) {
				g, err = identify.Generate(c.Context(), p, opt)
				return err
			}); err != nil {
				return err
			}
			return finishCodegen(c, s, words.out, g, f.json)
		},
	}
	f.robotFlags(c)
	f.termsFlag(c, "links")
	f.settings(c, project.Random)
	f.jsonFlag(c)
	words.flags(c, s)
	return c
}

// flags adds the options of the generated code.
func (o *codegenFlags) flags(c *cobra.Command, s streams) {
	fl := c.Flags()
	fl.StringVar(&o.models, "model", "inverse-dynamics", "models, comma-separated, or all")
	fl.StringVar(&o.languages, "lang", "c", "languages, comma-separated, or all")
	s.shell.Listed(c, "lang", append(source.Languages(), "all"))
	known := []string{"all", "observer"}
	for _, m := range codegen.Models() {
		known = append(known, string(m))
	}
	s.shell.Listed(c, "model", known)
	fl.StringVarP(&o.out, "output", "o", ".", "folder for the files, made where it is missing")
	fl.StringVar(&o.Name, "name", "", "name of the module and beginning of the functions' names (default: the robot's name)")
	fl.BoolVar(&o.Base, "base", false, "base parameters instead of the standard ones")
	fl.BoolVar(&o.Bake, "bake", false, "the robot file's dynamic parameters as numbers, not arguments")
	fl.BoolVar(&o.Symbols, "symbols", false, "every symbol of the geometry as an argument, whether it has a value or not")
	fl.BoolVar(&o.GravityArgument, "gravity-argument", false, "gravity as an argument")
	fl.BoolVar(&o.Tree, "tree", false, "write the tree that is left when closed loops are cut")
	fl.StringVar(&o.Link, "link", "", "link, joint or fixed frame with the point that the kinematic models describe (default: the last link)")
	fl.StringVar(&o.point, "point", "", "the point, x,y,z in m in that frame (default: its origin)")
	fl.StringVar(&o.Axes, "axes", "", "link or joint whose axes the results of the kinematic models refer to (default: base)")
	fl.StringVar(&o.Orientation, "orientation", kinematics.EulerAngles.String(), "orientation coordinates of operational-jacobian: euler, rpy or quaternion")
	s.shell.Listed(c, "orientation", []string{"euler", "rpy", "quaternion"})
	fl.StringVar(&o.rows, "rows", "", "rows of the Jacobian for its determinant and inverse: vx,vy,vz,wx,wy,wz (default: all)")
	fl.StringVar(&o.external, "external", "", "links whose wrench on their environment is an argument, comma-separated, or file for those of a SYMORO+ file with FX … CZ (default: none)")
	fl.BoolVar(&o.BaseMotion, "base-motion", false, "the motion of the base as an argument")
	addNumber(fl, &o.Smooth, "smooth", "RAD_S", 0, 0, 1e6, "rate below which dry friction is smoothed: v/√(v²+RAD_S²) instead of the sign of v (default 0: no smoothing)")
	fl.StringVar(&o.alarms, "false-alarms", "1/h", "for --model observer: rate of false alarms on a quiet robot, 1/h, 2/d, 1/24h")
	fl.StringSliceVar(&o.quiet, quietLogFlag, nil, "for --model observer: quiet logs, from which the noise is measured (default: those that trained the result)")
	addNumber(fl, &o.Vectors, "vectors", "", 0, 0, 10_000, "write NAME_vectors.json too: this many evaluations of each function, to try a build against (default 0: none)")
	fl.StringVar(&o.outputs, "outputs", "", "outputs or entries to keep, comma-separated, as tau2,tau3 (default: all)")
}

// options returns the options of the generated code, as the texts say them.
func (o *codegenFlags) options() (identify.GenerateOptions, error) {
	opt := o.GenerateOptions
	opt.Models, opt.Languages = project.ParseList(o.models), project.ParseList(o.languages)
	opt.Rows, opt.Outputs, opt.External = project.ParseList(o.rows), project.ParseList(o.outputs), project.ParseList(o.external)
	if o.point != "" {
		if _, err := fmt.Sscanf(strings.ReplaceAll(o.point, ",", " ")+" ;", "%g %g %g ;", &opt.Point[0], &opt.Point[1], &opt.Point[2]); err != nil {
			return opt, usagef("--point: %q is no point; give x,y,z in metres", o.point)
		}
	}
	return opt, nil
}

// finishCodegen writes the files and prints a list of them.
func finishCodegen(c *cobra.Command, s streams, dir string, g *code.Generated, asJSON bool) error {
	if err := g.Write(dir, overwrites(c)); err != nil {
		return err
	}
	if asJSON {
		return folder.WriteJSON(s.data, g.Document)
	}
	return table.Code(s.out, g.Document)
}
