package result

import (
	"encoding/json"
	"math"
	"slices"
	"strings"

	"ident/estimate"
	"ident/observation"
	"ident/regressor"
)

// Schema identifies the JSON document of a Result.
const Schema = "ident.fit/1"

// Result is the outcome of an identification, with enough about its processing to repeat and to judge it. It is a plain
// value without references to the logs or the robot.
type Result struct {
	Schema               string                `json:"schema"`
	Version              string                `json:"version"`
	Robot                RobotInfo             `json:"robot"`
	Model                string                `json:"model"`
	Terms                []string              `json:"terms"`
	Estimator            string                `json:"estimator"`
	Iterations           int                   `json:"iterations,omitempty"` // iterations of the estimator
	Joints               []string              `json:"joints"`
	JointGrades          []JointGrade          `json:"joint_grades,omitempty"` // grades, in the order of Joints
	JointUnits           []string              `json:"joint_units"`            // "N·m" or "N"
	Locked               []string              `json:"locked,omitempty"`
	Logs                 []LogInfo             `json:"logs"`
	Samples              Samples               `json:"samples"`
	Processing           Processing            `json:"processing"`
	Condition            Condition             `json:"condition_number"`
	BaseParameters       []BaseParameter       `json:"base_parameters"`
	StandardParameters   []StdParameter        `json:"standard_parameters"`
	Gains                []DriveGain           `json:"gains,omitempty"`            // estimated gains
	GainDoubts           []GainDoubt           `json:"gain_doubts,omitempty"`      // given gains that are not exact
	Payloads             []Payload             `json:"payloads,omitempty"`         // payloads of the runs that carry one
	OuterParameters      []OuterParameter      `json:"outer_parameters,omitempty"` // Stribeck velocities
	PeriodicTorques      []PeriodicTorque      `json:"periodic_torques,omitempty"` // periodic torques of the term Tr
	Commanded            *Commanded            `json:"commanded,omitempty"`        // result of a fit without torques; nil otherwise
	Covariance           [][]float64           `json:"covariance"`                 // covariance of BaseParameters, in their order
	PhysicallyConsistent bool                  `json:"physically_consistent"`
	Impossible           []ImpossibleBody      `json:"impossible,omitempty"`
	Consistency          *Consistency          `json:"consistency,omitempty"`    // details of a physically consistent fit; nil otherwise
	Possibility          *PossibleReport       `json:"possibility,omitempty"`    // feasibility of the unconstrained estimate
	InertiaMatrix        *InertiaMatrix        `json:"inertia_matrix,omitempty"` // whether M(q) of the base parameters is positive definite; nil without bodies
	Bodies               *Bodies               `json:"bodies,omitempty"`         // bodies of the links; nil if a link has no body of its own
	NoiseSigma           []float64             `json:"noise_sigma"`              // by joint: standard deviation of the filtered residual
	BiasTest             *estimate.Endogeneity `json:"bias_test,omitempty"`
	MotionNoise          *MotionNoise          `json:"motion_noise,omitempty"`
	MotionPair           *MotionPair           `json:"motion_pair,omitempty"` // the estimate behind twice the motion cut-off; nil if noise forbids it
	ModelErrors          *ModelErrors          `json:"model_errors,omitempty"`
	LeftOut              *estimate.LeftOut     `json:"left_out,omitempty"`    // of short parts of the rows, that whose absence moves the estimate most
	CorrelationInflation []float64             `json:"correlation_inflation"` // by joint: variance factor for correlated residuals
	// RecurrenceInflation is, by joint, the additional variance factor for model errors that recur with the motion; nil
	// if they are not significant.
	RecurrenceInflation []float64   `json:"recurrence_inflation,omitempty"`
	EffectiveSamples    []float64   `json:"effective_samples"` // by joint: number of independent samples
	Fit                 Errors      `json:"fit"`
	Validation          *Validation `json:"validation"`
	// Expected is the torque error, due to the standard deviations of the estimate alone, on other motions within the
	// joint limits as fast as the training motion; nil if it is not computed.
	Expected        *Relative           `json:"expected_error_percent,omitempty"`
	Diagnosis       *estimate.Diagnosis `json:"diagnosis,omitempty"`
	Selection       []Decision          `json:"selection,omitempty"` // choices made on the training data
	Grade           Grade               `json:"grade"`
	Verdicts        []Verdict           `json:"verdicts"`
	Gates           []Gate              `json:"gates,omitempty"`        // requirements that the user set
	Findings        []Finding           `json:"findings,omitempty"`     // findings of the check of the logs
	RatedTorque     []float64           `json:"rated_torque,omitempty"` // by joint: rated torque in the robot file, N·m or N; 0 if it gives none
	DriveParameters []DriveParameter    `json:"drive_parameters,omitempty"`
	Warnings        []string            `json:"warnings,omitempty"`
	Notes           []string            `json:"notes,omitempty"`
	// Files lists the files of the result's folder, with slashes, sorted. A later result may replace these; any other
	// file there is the user's.
	Files []string `json:"files,omitempty"`
	// FileSHA256 holds the SHA-256 of those files that are not drawn again: the robot, the residuals, the comparison, the loads.
	FileSHA256 map[string]string `json:"file_sha256,omitempty"`
	// Configuration holds the settings from which the result can be repeated.
	Configuration json.RawMessage `json:"configuration,omitempty"`
	// Seal is the SHA-256 of the rest of the document, in a form that is independent of white space and of the order of members;
	// results of version 0.4.0 and earlier have none.
	Seal string `json:"seal,omitempty"`

	doubted, refuted, bounded []string // see DoubtKnown and DoubtBounds
}

// RobotInfo names the robot.
type RobotInfo struct {
	Name   string `json:"name"`
	DOF    int    `json:"dof"`
	SHA256 string `json:"sha256"`
	File   string `json:"file"` // name of the copy in the result's folder
}

// LogInfo is a range of rows of a log.
type LogInfo struct {
	Name   string `json:"name"`
	File   string `json:"file,omitempty"` // file name without folders
	SHA256 string `json:"sha256,omitempty"`
	Role   string `json:"role"`           // "train" or "validate"
	Rows   string `json:"rows,omitempty"` // FIRST-LAST as settings take rows, counted from 1, both included
	First  int    `json:"first"`          // offset of the first row, from 0
	Last   int    `json:"last"`           // offset behind the last row: the number of the last one
	// EncodedFingerprints are hashes of training samples, in base 64: see Fingerprints.
	EncodedFingerprints string `json:"fingerprints,omitempty"`
	// EncodedRowPrints are hashes of single training rows, likewise.
	EncodedRowPrints string `json:"row_fingerprints,omitempty"`
}

// Samples counts rows of the training logs.
type Samples struct {
	Read   int     `json:"read"`
	Used   int     `json:"used"`
	RateHz float64 `json:"rate_hz"` // rate of the used rows
}

// Processing describes how signals become rows. A frequency of its path is zero if there is no such filter, and the
// differentiator is "" for a zero-phase Butterworth and differences.
type Processing struct {
	RateHz float64 `json:"rate_hz"` // rate of the resampled log
	observation.Path
	Rest      *Rest              `json:"rest,omitempty"`       // rule for rest that was left out; nil if rest was kept
	KeepEvery int                `json:"keep_every,omitempty"` // > 1: samples from row to row behind the low-pass; raw errors are those of all samples
	Rows      string             `json:"rows,omitempty"`       // for models other than the dynamic one: how the rows were made
	Torque    string             `json:"torque"`               // "torque", "current" or "voltage"
	Gains     []float64          `json:"gains,omitempty"`
	Resampled bool               `json:"resampled"`
	Gravity   [3]float64         `json:"gravity"`
	Lock      map[string]float64 `json:"lock,omitempty"`
	Reasons   []string           `json:"reasons,omitempty"` // reasons for the choices of "auto"
	Seed      int64              `json:"seed"`
}

// Condition holds condition numbers of the base regressor.
type Condition struct {
	Scaled float64 `json:"scaled"` // condition number with columns scaled to unit norm
	Raw    float64 `json:"raw"`    // condition number without scaling
}

// BaseParameter is one identified combination of standard parameters.
type BaseParameter struct {
	Name                 string  `json:"name"`
	Expression           string  `json:"expression"`
	Link                 string  `json:"link"`
	Joint                string  `json:"joint"`
	Unit                 string  `json:"unit"`
	Value                float64 `json:"value"`
	Sigma                float64 `json:"sigma"`
	NoiseOnlySigma       float64 `json:"noise_only_sigma,omitempty"` // standard deviation without the widening for errors that repeat with the motion
	RelativeSigmaPercent float64 `json:"relative_sigma_percent"`
	Low95                float64 `json:"low95"`
	High95               float64 `json:"high95"`
	// DegreesOfFreedom of Sigma, absent above a million, where Student's distribution is the normal one.
	DegreesOfFreedom float64 `json:"degrees_of_freedom,omitempty"`
	Prior            float64 `json:"prior"` // value in the robot file
	HasPrior         bool    `json:"has_prior"`
	// Only some estimators set the following: see estimate.Notes.
	PriorShare   float64 `json:"prior_share,omitempty"`
	PriorDecided bool    `json:"prior_decided,omitempty"`
	Held         float64 `json:"held,omitempty"` // see physical.Intervals
	// ConstraintDecided says that constraints removed most of the free interval.
	ConstraintDecided bool    `json:"constraint_decided,omitempty"`
	Removed           bool    `json:"removed,omitempty"`
	Bias              float64 `json:"bias,omitempty"`
}

// Friction returns the name of a parameter of friction without its joint's number, as "Fv"; "" for other parameters, and for those that
// are regrouped with others.
func (b BaseParameter) Friction() string {
	kind := strings.TrimRight(b.Name, "0123456789")
	if kind == b.Name || !regressor.Term(kind).Traits().Friction {
		return ""
	}
	return kind
}

// DriveParameter is a base parameter of a drive that cannot be negative: viscous or Coulomb friction, rotor inertia,
// stiffness. Deviations is its value in standard deviations.
type DriveParameter struct {
	Name       string  `json:"name"`
	Joint      string  `json:"joint"`
	Friction   bool    `json:"friction,omitempty"`
	Deviations float64 `json:"deviations"`
}

// StdParameter is a standard parameter lifted from the base estimate:
// parameters that the data do not determine keep the robot file's value and
// have no standard deviation (Determined is false).
type StdParameter struct {
	Name       string  `json:"name"`
	Link       string  `json:"link"`
	Frame      string  `json:"frame"` // "mdh" for frame j, "user" for the file's own link frame
	Unit       string  `json:"unit"`
	Value      float64 `json:"value"`
	Sigma      float64 `json:"sigma"`
	Determined bool    `json:"determined"`
}

// ImpossibleBody is a link with infeasible lifted parameters, or a joint with an impossible drive parameter, named by
// Parameter.
type ImpossibleBody struct {
	Link          string  `json:"link"`
	Parameter     string  `json:"parameter,omitempty"`
	MinEigenvalue float64 `json:"min_eigenvalue"` // smallest eigenvalue of the pseudo-inertia; 0 for a drive parameter
	Why           string  `json:"why"`
}

// Errors compares predicted with measured torques. For RelativeError both go through the filter of Processing;
// RelativeErrorRaw uses the torque as logged.
type Errors struct {
	RelativeError    Relative  `json:"relative_error_percent"`
	RelativeErrorRaw Relative  `json:"relative_error_raw_percent"`
	RMSE             []float64 `json:"rmse"`
	RMSERaw          []float64 `json:"rmse_raw"` // root mean square error by joint against the unfiltered torque; null if torques were not logged: RelativeErrorRaw then has no meaning
	MaxAbs           []float64 `json:"max_abs"`
	Bias             []float64 `json:"bias"`
	Samples          int       `json:"samples"`
	// RestRows counts, by joint, the samples at rest, which are in none of the errors; nil if there are none.
	RestRows []int `json:"rest_rows,omitempty"`
	// BelowNoise tells the joints whose measured torque, behind the filter, is below three times its noise: per cents of it say
	// nothing, and RMSE is their error; nil if there are none.
	BelowNoise []bool `json:"below_noise,omitempty"`
}

// AboveNoise is the factor on the noise of a torque from which errors are printed in per cent of it.
const AboveNoise = 3

// Relates reports whether the error of a joint, or of all for -1, says something in per cent of the torque.
func (e *Errors) Relates(joint int) bool {
	if joint < 0 {
		return len(e.BelowNoise) == 0 || slices.Contains(e.BelowNoise, false)
	}
	return joint >= len(e.BelowNoise) || !e.BelowNoise[joint]
}

// Size returns the root mean square of the errors of all joints together, N·m or N.
func (e *Errors) Size() float64 {
	size := 0.0
	for _, v := range e.RMSE {
		size = math.Hypot(size, v)
	}
	return size
}

// OfTorque returns a part of the torques of all joints together as it should be printed: in per cent, or in unit if the torques are below
// three times their noise.
func (e *Errors) OfTorque(percent float64, unit string) (float64, string) {
	if e.Relates(-1) || !(e.RelativeError.Stacked > 0) {
		return percent, "%"
	}
	return percent / e.RelativeError.Stacked * e.Size(), unit
}

// Logged reports whether errors on torques as logged are known. Fits of summaries, which have no rows, lack them.
func (e *Errors) Logged() bool { return len(e.RMSERaw) > 0 }

// Relative is 100·‖τ̂ − τ‖/‖τ‖, over all joints together and for each.
type Relative struct {
	Stacked float64   `json:"stacked"`
	Joints  []float64 `json:"joints"`
}

// Validation holds the errors on logs outside the fit.
type Validation struct {
	Errors
	Runs []ValidationRun `json:"runs"`
	// Trained lists the logs with rows that trained the result: their errors say nothing of other motion.
	Trained []string `json:"-"`
}

// Motion returns what the errors are on: motion not seen, unless rows of it trained the result.
func (v *Validation) Motion() string {
	switch len(v.Trained) {
	case 0:
		return "motion not seen"
	case len(v.Runs):
		return "motion that trained the result"
	}
	return "motion of which a part trained the result"
}

// ValidationRun holds the errors on one log outside the fit.
type ValidationRun struct {
	Log string `json:"log"`
	Errors
}

// Verdict answers one question about the result with yes or no. IDs are
// stable; Limits lists them with their defaults.
type Verdict struct {
	ID    string  `json:"id"`
	Pass  bool    `json:"pass"`
	Value float64 `json:"value"`
	Limit float64 `json:"limit"`
	Why   string  `json:"why"`
	// Makes is the best level of a result that fails this verdict, "" for advice; Fix says what to do about it.
	Makes Level  `json:"makes,omitempty"`
	Fix   string `json:"fix,omitempty"`
	// Advice says that failing the verdict does not fail the result.
	Advice bool `json:"advice,omitempty"`
}
