package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ident/baseparams"
	"ident/codegen"
	"ident/codegen/source"
	"ident/identify/elastic"
	"ident/identify/project"
	"ident/mechanics/kinematics"
	"ident/mechanics/loops"
	"ident/regressor"
	"ident/robot"
	"ident/symbolic"
)

// codegenChoice are the options of ident codegen.
type codegenChoice struct {
	models, languages    []string
	name                 string
	base, bake           bool
	geometry, gravityArg bool
	tree                 bool // of a closed robot
	link, axes, angles   string
	point                [3]float64
	rows, outputs        []string
	external             []string
	baseMotion           bool
	smooth               float64
	all                  bool // models: those that the robot has
	vectors              int  // evaluations of each function to try a build against
}

func newCodegen(s streams) *cobra.Command {
	f := s.flags()
	var ch codegenChoice
	var models, languages, out, point, rows, outputs, external, alarms string
	var quiet []string
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
           an arm with a wrist); loop-solution, loop-constraints of a
           closed robot; a list, or all (that the robot has)
  --lang   c (default), c-batch (kernels of many samples with a header, a CMake file
           and a module of Python), cpp (C++ as one header), go, python, matlab (Octave
           too), fortran, julia, listing; a list, or all

The dynamic parameters are arguments, and so are geometry symbols to which the
file or --set gives no value. --bake puts the file's own dynamic parameters into
the text, the identified ones where the folder of a result is the robot; --symbols keeps
every geometry symbol as an argument, --gravity-argument
the vector of gravity. --base takes the base parameters instead of the
standard ones, which are fewer, and so are the operations; ident base-params says
how they are made.

The kinematic models are those of the point --point of link --link, in that link's
frame (default: the origin of the last link), along the axes of link --axes (default:
the base's). A determinant or an inverse is taken in blocks, of all six rows of the
Jacobian or of --rows vx,vy,vz,wx,wy,wz; the head of the text names the blocks.

A robot with closed loops has its driven joints as arguments, and the loops are closed in
the text, where they have formulas: all plane, with three revolute joints to be found.
--tree writes the tree that cutting the loops leaves.

--external takes the wrench that a link exerts on its environment as an argument of the
inverse and forward dynamics, the bias, the dynamic regressor and the reactions, and
--base-motion the motion of the base (W0, WP0, VP0). --external file takes the links for
which a SYMORO+ file has FX … CZ.

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
			ch.models, ch.languages = project.ParseList(models), project.ParseList(languages)
			ch.rows, ch.outputs, ch.external = project.ParseList(rows), project.ParseList(outputs), project.ParseList(external)
			if slices.Equal(ch.models, []string{"observer"}) {
				return writeObserver(c, s, args[0], out, ch, alarms, quiet, f.json)
			}
			if len(quiet) > 0 || alarms != "1/h" {
				return usagef("--quiet-log and --false-alarms are those of --model observer")
			}
			if err := ch.complete(); err != nil {
				return usageError{err}
			}
			if point != "" {
				if _, err := fmt.Sscanf(strings.ReplaceAll(point, ",", " ")+" ;", "%g %g %g ;", &ch.point[0], &ch.point[1], &ch.point[2]); err != nil {
					return usagef("--point: %q is no point; give x,y,z in metres", point)
				}
			}
			r, p, err := f.oneRobot(args[0])
			if err != nil {
				return err
			}
			// Terms of a project file are meant for fits.
			if !c.Flags().Changed("terms") {
				p.Terms = nil
			}
			terms, err := project.ParseTerms(p, []regressor.Term{regressor.Links})
			if err != nil {
				return err
			}
			if r, err = project.Lock(r, p.Lock); err != nil {
				return err
			}
			var doc *codegenDoc
			var files []source.File
			if err := s.during("making the programs", func() (err error) {
				doc, files, err = generate(c.Context(), r, terms, ch, p.Seed)
				return err
			}); err != nil {
				return err
			}
			return finishCodegen(c, s, out, doc, files, f.json)
		},
	}
	f.robotFlags(c)
	f.termsFlag(c, "links")
	f.settings(c, project.Random)
	f.jsonFlag(c)
	fl := c.Flags()
	fl.StringVar(&models, "model", "inverse-dynamics", "models, comma-separated, or all")
	fl.StringVar(&languages, "lang", "c", "languages, comma-separated, or all")
	s.shell.Listed(c, "lang", append(source.Languages(), "all"))
	known := []string{"all", "observer"}
	for _, m := range codegen.Models() {
		known = append(known, string(m))
	}
	s.shell.Listed(c, "model", known)
	fl.StringVarP(&out, "output", "o", ".", "folder for the files, made where it is missing")
	fl.StringVar(&ch.name, "name", "", "name of the module and beginning of the functions' names (default: the robot's name)")
	fl.BoolVar(&ch.base, "base", false, "base parameters instead of the standard ones")
	fl.BoolVar(&ch.bake, "bake", false, "the robot file's dynamic parameters as numbers, not arguments")
	fl.BoolVar(&ch.geometry, "symbols", false, "every symbol of the geometry as an argument, whether it has a value or not")
	fl.BoolVar(&ch.gravityArg, "gravity-argument", false, "gravity as an argument")
	fl.BoolVar(&ch.tree, "tree", false, "write the tree that is left when closed loops are cut")
	fl.StringVar(&ch.link, "link", "", "link, joint or fixed frame with the point that the kinematic models describe (default: the last link)")
	fl.StringVar(&point, "point", "", "the point, x,y,z in m in that frame (default: its origin)")
	fl.StringVar(&ch.axes, "axes", "", "link or joint whose axes the results of the kinematic models refer to (default: base)")
	fl.StringVar(&ch.angles, "orientation", kinematics.EulerAngles.String(), "orientation coordinates of operational-jacobian: euler, rpy or quaternion")
	s.shell.Listed(c, "orientation", []string{"euler", "rpy", "quaternion"})
	fl.StringVar(&rows, "rows", "", "rows of the Jacobian for its determinant and inverse: vx,vy,vz,wx,wy,wz (default: all)")
	fl.StringVar(&external, "external", "", "links whose wrench on their environment is an argument, comma-separated, or file for those of a SYMORO+ file with FX … CZ (default: none)")
	fl.BoolVar(&ch.baseMotion, "base-motion", false, "the motion of the base as an argument")
	addNumber(fl, &ch.smooth, "smooth", "RAD_S", 0, 0, 1e6, "rate below which dry friction is smoothed: v/√(v²+RAD_S²) instead of the sign of v (default 0: no smoothing)")
	fl.StringVar(&alarms, "false-alarms", "1/h", "for --model observer: rate of false alarms on a quiet robot, 1/h, 2/d, 1/24h")
	fl.StringSliceVar(&quiet, quietLogFlag, nil, "for --model observer: quiet logs, from which the noise is measured (default: those that trained the result)")
	addNumber(fl, &ch.vectors, "vectors", "", 0, 0, 10_000, "write NAME_vectors.json too: this many evaluations of each function, to try a build against (default 0: none)")
	fl.StringVar(&outputs, "outputs", "", "outputs or entries to keep, comma-separated, as tau2,tau3 (default: all)")
	return c
}

// springValues adds the stiffness and damping of the robot file, which the base parameters keep as they are.
func springValues(values map[string]float64, m *elastic.Machine, set *baseparams.Set, terms []regressor.Term) error {
	if m == nil {
		return nil
	}
	model, err := regressor.NewDynamic(m.Extended, terms)
	if err != nil {
		return err
	}
	for _, c := range model.Columns() {
		if c.Drive == 0 {
			continue
		}
		v, known := m.ValueOf(c)
		if !known && c.Param == 0 && c.Term == regressor.Elastic {
			return usagef("--bake: %s of %s has no value; give stiffness in the robot file, or leave out --bake and pass it as an argument", c.Name, c.Owner)
		}
		if _, there := values[c.Name]; there || set == nil {
			values[c.Name] = v
		}
	}
	return nil
}

// finishCodegen writes the files and prints a list of them.
func finishCodegen(c *cobra.Command, s streams, out string, doc *codegenDoc, files []source.File, asJSON bool) error {
	if err := source.WriteFiles(out, files, overwrites(c)); err != nil {
		return err
	}
	for _, file := range files {
		doc.Files = append(doc.Files, filepath.Join(out, file.Name))
	}
	if asJSON {
		return project.WriteJSON(s.data, doc)
	}
	return doc.Print(s.out)
}

// complete expands "all" and the short names, and refuses unknown ones.
func (ch *codegenChoice) complete() error {
	if slices.Equal(ch.models, []string{"all"}) {
		ch.models, ch.all = nil, true
		for _, m := range codegen.Models() {
			ch.models = append(ch.models, string(m))
		}
	}
	if slices.Equal(ch.languages, []string{"all"}) {
		ch.languages = source.Languages()
	}
	if len(ch.models) == 0 || len(ch.languages) == 0 {
		return errors.New("--model and --lang each need a name")
	}
	for i, name := range ch.models {
		switch name {
		case "dynamic", "energy", "power", "filtered", "momentum":
			name += "-regressor"
		}
		if _, err := codegen.ParseModel(name); err != nil {
			return fmt.Errorf("--model: %w", err)
		}
		ch.models[i] = name
	}
	for i, name := range ch.languages {
		if name == "octave" {
			ch.languages[i] = "matlab"
		} else if !slices.Contains(source.Languages(), name) {
			return fmt.Errorf("--lang: %w: %q; the languages are %s", source.ErrLanguage, name, strings.Join(source.Languages(), ", "))
		}
	}
	slices.Sort(ch.models)
	ch.models = slices.Compact(ch.models)
	slices.Sort(ch.languages)
	ch.languages = slices.Compact(ch.languages)
	return nil
}

// frame fills in the options of the kinematic models.
func (ch *codegenChoice) frame(opt *codegen.Options, r *robot.Robot) (err error) {
	if opt.Rows, err = codegen.ParseRows(ch.rows); err != nil {
		return fmt.Errorf("--rows: %w", err)
	}
	if opt.Angles, err = kinematics.ParseAngles(ch.angles); err != nil {
		return fmt.Errorf("--orientation: %w", err)
	}
	if opt.Frame, err = codegen.FrameOf(r, ch.link, ch.axes, ch.point); err != nil {
		return fmt.Errorf("--link, --axes: %w", err)
	}
	opt.BaseMotion = ch.baseMotion
	if slices.Equal(ch.external, []string{"file"}) {
		opt.External = r.ExternalLinks()
		return nil
	}
	for _, name := range ch.external {
		f, err := codegen.FrameOf(r, name, "", [3]float64{})
		if err != nil {
			return fmt.Errorf("--external: %w", err)
		}
		if f.Link < 0 {
			return errors.New("--external: a wrench acts on a link, and the base is not a link")
		}
		opt.External = append(opt.External, f.Link)
	}
	return nil
}

// twoSided returns the tree of links and motors of a robot with elastic joints, whose dynamic models are the robot's, and its terms:
// those asked for with rotors and springs. For a rigid robot it returns nil.
func twoSided(r *robot.Robot, terms []regressor.Term) (*elastic.Machine, []regressor.Term, error) {
	if !elastic.HasElasticJoint(r) {
		return nil, terms, nil
	}
	m, err := elastic.New(r)
	if err != nil {
		return nil, nil, err
	}
	all := slices.Clone(terms)
	add := func(t regressor.Term) {
		if !slices.Contains(all, t) {
			all = append(all, t)
		}
	}
	add(regressor.Ia)
	add(regressor.Elastic)
	for _, s := range m.Springs {
		if s.Cubic != 0 {
			add(regressor.Cubic)
		}
		if s.Hysteresis != 0 {
			return nil, nil, fmt.Errorf("robot %q: joint %q has hysteresis, which generated code does not support: remove it from the robot file; the models then keep stiffness and damping", r.Name, s.Joint)
		}
	}
	return m, all, nil
}

// motorsNote says what the coordinates of generated models are.
func motorsNote(m *elastic.Machine) string {
	var names []string
	for _, s := range m.Springs {
		if s.Motor >= 0 {
			names = append(names, s.Joint)
		}
	}
	return fmt.Sprintf("joints are elastic: q, dq, ddq and tau of the dynamic models are those of the %d joints of the links, and behind them those of the motors of %s, at the joints' side of the gears; the torques on links are zero, and springs have K·(motor − link) + D·(rate of motor − rate of link)", m.Links, strings.Join(names, ", "))
}

// generate builds the programs and prints them.
func generate(ctx context.Context, r *robot.Robot, terms []regressor.Term, ch codegenChoice, seed uint64) (*codegenDoc, []source.File, error) {
	name := ch.name
	if name == "" {
		if name = source.Identifier(r.Name); name == "" {
			name = "robot"
		}
	}
	doc := &codegenDoc{Schema: "ident.codegen/1", Robot: r.Name, Name: name, Base: ch.base, Terms: terms, Notes: append([]string{}, project.NoteTexts(r)...)}
	if r.Closed() && ch.tree {
		r = r.Cut()
		doc.Notes = append(doc.Notes, "the robot has closed loops: its models are those of the tree that cutting them leaves, with the passive joints' coordinates among q; torques of the driven joints are G'*tau with G the derivative of all coordinates by the driven ones")
	}
	if r.Closed() && (ch.geometry || len(r.Unset) > 0) {
		return nil, nil, usagef("robot %q: its loops are closed with numbers: leave out --symbols and give every symbol of the geometry a value with --set SYMBOL=VALUE (there are %s), or write with --tree the tree that cutting them leaves",
			r.Name, strings.Join(slices.Sorted(maps.Keys(r.Symbols)), ", "))
	}
	kinematic := r
	machine, terms, err := twoSided(r, terms)
	if err != nil {
		return nil, nil, err
	}
	if machine != nil {
		doc.Notes, doc.Terms = append(doc.Notes, motorsNote(machine)), terms
		r = machine.Extended
	}
	opt := codegen.Options{Terms: terms, Geometry: ch.geometry || len(r.Unset) > 0, Gravity: ch.gravityArg, Smooth: ch.smooth}
	if err := ch.frame(&opt, r); err != nil {
		return nil, nil, usageError{err}
	}
	if ch.base {
		// In general position, the values of symbols do not affect which parameters are independent.
		generic, drawn, err := baseparams.Generic(r, seed)
		if err != nil {
			return nil, nil, err
		}
		if opt.Base, err = numericBaseSet(ctx, generic, terms, seed); err != nil {
			return nil, nil, err
		}
		if len(drawn) > 0 && ch.bake {
			return nil, nil, usagef("--bake: the base parameters depend on %s, which has no value; give it with --set %[1]s=VALUE", slices.Sorted(maps.Keys(drawn))[0])
		}
	}
	if len(r.ExternalLinks()) > 0 && len(ch.external) == 0 || r.BaseMoves && !ch.baseMotion {
		doc.Notes = append(doc.Notes, "the file has external wrenches (FX … CZ) or a moving base (W0 … VP0); --external file and --base-motion make arguments of them")
	}
	values := map[string]float64{}
	if opt.Geometry && !ch.geometry {
		for symbol, v := range r.Symbols {
			values[symbol] = v
		}
	}
	if ch.bake {
		var missing *missingNumberError
		if err := bakedValues(values, r, terms, opt.Base); errors.As(err, &missing) {
			return nil, nil, usageError{err}
		} else if err != nil {
			return nil, nil, err
		}
		if err := springValues(values, machine, opt.Base, terms); err != nil {
			return nil, nil, err
		}
	}
	u := source.Unit{Name: name, Maker: "ident " + Version}
	for _, m := range ch.models {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		of, with := r, opt
		if machine != nil && codegen.Model(m).Kinematic() { // kinematics does not depend on the elastic joints: take the links alone
			of, with.Terms, with.Base = kinematic, nil, nil
		}
		p, err := codegen.Build(ctx, codegen.Model(m), of, with)
		if ch.all && (errors.Is(err, codegen.ErrDeterminant) || errors.Is(err, codegen.ErrOpenOnly) || errors.Is(err, codegen.ErrOutside) || errors.Is(err, codegen.ErrLoopless) || errors.Is(err, codegen.ErrElastic) || errors.Is(err, codegen.ErrNoClosedForm)) {
			doc.Notes = append(doc.Notes, fmt.Sprintf("%s is left out: %v", m, err))
			continue
		}
		if errors.Is(err, loops.ErrNoFormulas) {
			return nil, nil, usagef("%w; --tree writes the tree that cutting them leaves", err)
		}
		if err != nil {
			return nil, nil, err
		}
		if len(ch.outputs) > 0 {
			if p, err = p.Select(ctx, ch.outputs); errors.Is(err, symbolic.ErrOutput) {
				return nil, nil, usagef("--outputs: %w", err)
			} else if err != nil {
				return nil, nil, err
			}
		}
		if doc.Parameters == nil {
			for _, in := range p.Inputs {
				if in.Kind == symbolic.Parameter {
					doc.Parameters = append(doc.Parameters, in.Name)
				}
			}
		}
		if len(values) > 0 {
			if p, err = p.Bind(ctx, values); err != nil {
				return nil, nil, err
			}
		}
		p.Name = strings.ReplaceAll(m, "-", "_")
		u.Programs = append(u.Programs, p)
		doc.Models = append(doc.Models, codegenModel{Model: m, Function: p.Name, Arguments: programArguments(p), Counts: p.Counts()})
	}
	var files []source.File
	for _, language := range ch.languages {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		list, err := source.Write(ctx, language, u)
		var bad *source.NameError
		if errors.As(err, &bad) {
			if bad.Name == name {
				return nil, nil, usagef("%w; give another with --name", err)
			}
			return nil, nil, usagef("%w; give it a value with --set %s=VALUE, or rename it in the robot file", err, bad.Name)
		}
		if err != nil {
			return nil, nil, err
		}
		files = append(files, list...)
	}
	if ch.vectors > 0 {
		file, err := source.Vectors(u, ch.vectors, seed)
		if err != nil {
			return nil, nil, err
		}
		files = append(files, file)
	}
	return doc, files, nil
}
