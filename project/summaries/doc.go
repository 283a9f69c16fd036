// Package summaries makes summaries of logs, and fits of summaries: package summary holds their values and files.
//
//	s, err := summaries.Of(ctx, settings, []string{"monday.parquet"}, summaries.Options{RobotGiven: true})
//	t, err := summaries.Of(ctx, settings, []string{"tuesday.parquet"}, summaries.Options{RobotGiven: true, Like: s})
//	all, err := summary.Merge(s, t)
//	fit, err := summaries.Fit(ctx, all, settings)
//
// [Of] opens logs by the settings of a project, has the doctor check them and reduces them in one pass. The signal path is
// decided on these logs as by a fit, or is that of another summary (Like): summaries merge only where it is the same.
//
// [Fit] has the parameters, the covariance and the decisions of a fit of the logs together by that path, to the last bit, for
// logs in the order of the summary's runs. The settings of the fit say the estimator, the choice of terms, possible bodies and priors;
// those of robot, model and signal path are the summary's. A request that needs the rows of the logs again is an *identify.RowsError
// where it was asked for, and a note of the result where the default would have done it.
package summaries
