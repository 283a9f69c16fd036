// Package identify is the front door: from the files that somebody has, a robot file, logs and perhaps an ident.yaml, to a result,
// and from the folder of a result to its validation and comparison. Every command that identifies calls it.
//
// # A project
//
// A [Project] is a robot, logs and settings. [Open] reads the settings of an ident.yaml that lies beside the files; they may then be
// changed, and their zero value is a good default. [Project.Fit] is the whole of a fit:
//
//	p, err := identify.Open("arm.urdf", "log.parquet")
//	fit, err := p.Fit(ctx, identify.FitOptions{})
//	report.Text(os.Stdout, fit.Result, 0)
//	err = fit.Write(ctx, "log.ident", identify.WriteOptions{})
//
// The same call fits everything that ident fit does; what is fitted follows from the settings, the robot and the logs:
//
//   - several models of the same rows, where the setting model names them: [Fit.Models] and [Fit.Agreements];
//   - elastic joints, where the robot file has them or [FitOptions].Elastic asks for them: [Fit.Elastic];
//   - logs without torque, where the setting torque is none and the setting controller gives the law that moved the robot;
//   - summaries, reduced logs on disk, instead of logs or beside them ([Project.Reduce] makes them);
//   - the loads of the logs' motions ([Fit.Loads]) and the candidates that the fit did not choose ([Fit.Compared]), on request.
//
// [Project.Check] has the doctor read the logs and fits nothing. [Project.Gravity] estimates gravity parameters from slow passes,
// as the prior of a fit. [Project.Follow] identifies while a log grows.
//
// # A result
//
// [OpenResult] reads the folder that [Fit.Write] wrote. [Saved.Validate] compares it with logs that it has not seen; [Compare] puts
// results, or a result and a robot file, side by side. An [Evaluator] evaluates its models, or those of a robot file, at given states;
// a [LoadedRobot] has the loads of a motion. [RunTrials] fits an experiment that is repeated and whose parameters are known.
//
// # An experiment
//
// [Design] designs an exciting motion for a robot, as ident design-trajectory does, and [DesignToolPoses] poses that weigh a tool.
// [Simulate] records a virtual experiment, and [SimulateTrials] repeats one and fits its records.
// [Describe] reads a robot file and judges its bodies, and [DescribeBase] finds its base parameters.
// [Generate] writes its models as source text, and [GenerateObserver] the supervision by a result in C.
//
// # Where the work is done
//
// Package identify/project reads settings and files and brings them together in a session: robot, terms and runs. A pass over the
// rows of the runs is package identify/regression; fits that need more than rows have rooms of their own beside it. This package
// says in which order, once.
//
// # Errors
//
// Errors name settings by their keys in ident.yaml; project.Describe names them as the reader knows them. Logs that the doctor
// refuses are a [*project.FindingsError], settings that cannot be used a [*project.SettingError].
package identify
