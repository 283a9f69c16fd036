package project

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"ident/baseparams"
	"ident/identify/folder"
	"ident/identify/regression"
	"ident/internal/spelling"
	"ident/internal/textfile"
	"ident/robot"
)

// Section is the text of a part of the project file that another reader reads.
type Section string

// UnmarshalYAML keeps the node's text.
func (s *Section) UnmarshalYAML(n *yaml.Node) error {
	text, err := yaml.Marshal(n)
	*s = Section(text)
	return err
}

// MarshalYAML writes the text as the node it came from.
func (s Section) MarshalYAML() (any, error) {
	var n yaml.Node
	if err := yaml.Unmarshal([]byte(s), &n); err != nil || len(n.Content) == 0 {
		return string(s), err
	}
	return n.Content[0], nil
}

// Settings is the content of ident.yaml with the options of the command line written over
// it. The table of settings says of each field its key, its option and its check.
type Settings struct {
	Robot      string             `yaml:"robot,omitempty" json:"robot,omitempty"`
	Terms      []string           `yaml:"terms,omitempty,flow" json:"terms,omitempty"`
	JointTerms map[string]string  `yaml:"joint-terms,omitempty" json:"joint_terms,omitempty"`
	Gravity    []float64          `yaml:"gravity,omitempty,flow" json:"gravity,omitempty"`
	Set        map[string]float64 `yaml:"set,omitempty" json:"set,omitempty"`
	Args       map[string]string  `yaml:"args,omitempty" json:"args,omitempty"`
	Packages   map[string]string  `yaml:"packages,omitempty" json:"packages,omitempty"`
	// OutsideFiles lets a xacro or SDFormat file include files outside its own tree and its packages.
	OutsideFiles bool               `yaml:"outside-files,omitempty" json:"outside_files,omitempty"`
	NoSnap       bool               `yaml:"no-snap,omitempty" json:"no_snap,omitempty"`
	Joints       []string           `yaml:"joints,omitempty,flow" json:"joints,omitempty"`
	Lock         map[string]float64 `yaml:"lock,omitempty" json:"lock,omitempty"`
	Assembly     map[string]float64 `yaml:"assembly,omitempty" json:"assembly,omitempty"`
	Loops        Section            `yaml:"loops,omitempty" json:"loops,omitempty"`
	Immobile     []string           `yaml:"still,omitempty,flow" json:"still,omitempty"`
	Unactuated   []string           `yaml:"carried,omitempty,flow" json:"carried,omitempty"`
	Couplings    []string           `yaml:"couplings,omitempty" json:"couplings,omitempty"`
	Preset       string             `yaml:"preset,omitempty" json:"preset,omitempty"`
	Map          map[string]string  `yaml:"map,omitempty" json:"map,omitempty"`
	Units        map[string]string  `yaml:"units,omitempty" json:"units,omitempty"`
	Scale        map[string]float64 `yaml:"scale,omitempty" json:"scale,omitempty"`
	Zero         map[string]float64 `yaml:"zero,omitempty" json:"zero,omitempty"`
	Topics       []string           `yaml:"topics,omitempty,flow" json:"topics,omitempty"`
	Columns      []string           `yaml:"columns,omitempty,flow" json:"columns,omitempty"`
	Rate         float64            `yaml:"rate,omitempty" json:"rate,omitempty"` // Hz
	Env          int                `yaml:"env,omitempty" json:"env,omitempty"`
	Gains        []float64          `yaml:"gains,omitempty,flow" json:"gains,omitempty"`
	GainSigma    []string           `yaml:"gain-sigma,omitempty,flow" json:"gain_sigma,omitempty"`
	Limits       Limits             `yaml:"limits,omitempty" json:"-"`
	Readings     map[string]Reading `yaml:"logs,omitempty" json:"logs,omitempty"` // how to read a log, by file

	Plain          bool              `yaml:"plain,omitempty" json:"plain,omitempty"`
	Cutoff         *float64          `yaml:"cutoff,omitempty" json:"cutoff,omitempty"`
	CutoffAuto     bool              `yaml:"-" json:"-"` // the cut-off is chosen by the check of the logs
	MotionCutoff   *float64          `yaml:"motion-cutoff,omitempty" json:"motion_cutoff,omitempty"`
	FilterOrder    int               `yaml:"filter-order,omitempty" json:"filter_order,omitempty"`
	Decimate       int               `yaml:"decimate,omitempty" json:"decimate,omitempty"`
	KeepRows       string            `yaml:"keep-rows,omitempty" json:"keep_rows,omitempty"`
	Trim           *float64          `yaml:"trim,omitempty" json:"trim,omitempty"`
	Velocity       string            `yaml:"velocity,omitempty" json:"velocity,omitempty"`
	Acceleration   string            `yaml:"acceleration,omitempty" json:"acceleration,omitempty"`
	Differentiator string            `yaml:"differentiator,omitempty" json:"differentiator,omitempty"`
	Rest           string            `yaml:"rest,omitempty" json:"rest,omitempty"`
	OnBad          string            `yaml:"on-bad,omitempty" json:"on_bad,omitempty"`
	Rows           map[string]string `yaml:"rows,omitempty" json:"rows,omitempty"`
	TrainFraction  float64           `yaml:"train-fraction,omitempty" json:"train_fraction,omitempty"`
	Validate       []string          `yaml:"validate,omitempty" json:"validate,omitempty"`
	Estimator      string            `yaml:"estimator,omitempty" json:"estimator,omitempty"`
	Loss           string            `yaml:"loss,omitempty" json:"loss,omitempty"`
	Memory         float64           `yaml:"memory,omitempty" json:"memory,omitempty"`
	Bootstrap      int               `yaml:"bootstrap,omitempty" json:"bootstrap,omitempty"`
	Periodic       string            `yaml:"periodic,omitempty" json:"periodic,omitempty"`
	Period         float64           `yaml:"period,omitempty" json:"period,omitempty"`
	Model          string            `yaml:"model,omitempty" json:"model,omitempty"`
	Window         float64           `yaml:"window,omitempty" json:"window,omitempty"`
	MinimumNorm    bool              `yaml:"minimum-norm,omitempty" json:"minimum_norm,omitempty"`
	Seed           uint64            `yaml:"seed,omitempty" json:"seed,omitempty"`

	Consistent      Choice             `yaml:"physically-consistent,omitempty" json:"physically_consistent,omitempty"`
	Weights         map[string]float64 `yaml:"weights,omitempty" json:"weights,omitempty"`
	Prior           string             `yaml:"prior,omitempty" json:"prior,omitempty"`
	PriorWeight     string             `yaml:"prior-weight,omitempty" json:"prior_weight,omitempty"`
	PriorDistance   string             `yaml:"prior-distance,omitempty" json:"prior_distance,omitempty"`
	TotalMass       string             `yaml:"total-mass,omitempty" json:"total_mass,omitempty"`
	Mass            map[string]string  `yaml:"mass,omitempty" json:"mass,omitempty"`
	CentreBox       map[string]string  `yaml:"centre-box,omitempty" json:"centre_box,omitempty"`
	CentreEllipsoid map[string]string  `yaml:"centre-ellipsoid,omitempty" json:"centre_ellipsoid,omitempty"`
	BodyEllipsoid   map[string]string  `yaml:"body-ellipsoid,omitempty" json:"body_ellipsoid,omitempty"`

	Accept Accept `yaml:"accept,omitempty" json:"accept,omitempty"`

	Torque     string   `yaml:"torque,omitempty" json:"torque,omitempty"`
	Controller string   `yaml:"controller,omitempty" json:"controller,omitempty"`
	Reference  []string `yaml:"reference,omitempty,flow" json:"reference,omitempty"`

	BodiesFrom string           `yaml:"bodies,omitempty" json:"bodies,omitempty"`
	Known      map[string]Known `yaml:"known,omitempty" json:"known,omitempty"`
	Carries    []string         `yaml:"carries,omitempty,flow" json:"carries,omitempty"`
	Flag       string           `yaml:"payload-flag,omitempty" json:"payload_flag,omitempty"`
	Wrench     string           `yaml:"wrench,omitempty" json:"wrench,omitempty"`
	Contact    string           `yaml:"contact,omitempty" json:"contact,omitempty"`

	Feet     []string `yaml:"feet,omitempty,flow" json:"feet,omitempty"`
	BaseIMU  string   `yaml:"base-imu,omitempty" json:"base_imu,omitempty"`
	Standing []string `yaml:"standing,omitempty,flow" json:"standing,omitempty"`
	Mirror   []string `yaml:"mirror,omitempty,flow" json:"mirror,omitempty"`
	// Stance is how the robot of a result stood, to which its base parameters belong; nil for other results.
	Stance *baseparams.Standing `yaml:"-" json:"stance,omitempty"`

	// Naming returns the name of a setting key for texts to the reader: findings, warnings, notes and those of a result.
	// Nil keeps the keys.
	Naming func(key string) string `yaml:"-" json:"-"`

	// Seals says what happens with results that have no seal, or a broken one.
	Seals folder.Seals `yaml:"-" json:"-"`

	// Heard is called with each robot that is read by these settings, whose names come from a file; nil ignores them.
	Heard func(*robot.Robot) `yaml:"-" json:"-"`

	// Progress, if not nil, is told the progress of opening logs.
	Progress func(stage string, done, total int) `yaml:"-" json:"-"`

	// inherited lists keys whose maps and declarations come from other logs: they apply if a log has their channels.
	inherited []string
	// trained says how the logs that results were fitted to were read, first the result of these settings; nil for settings of no result.
	// ofFit has the readings of those among a command's files that have such a log's content.
	trained []trainedLogs
	ofFit   map[string]Reading

	// Given holds, by key, the origin of every setting that a file or a command line gives; for a section, of its keys.
	// It distinguishes zero from not given.
	Given map[string]Origin `yaml:"-" json:"-"`
}

// Clone returns a copy whose maps can be changed without changing those of p.
func (p *Settings) Clone() *Settings {
	out := *p
	v := reflect.ValueOf(&out).Elem()
	for i := range v.NumField() {
		f := v.Field(i)
		if f.Kind() != reflect.Map || f.IsNil() {
			continue
		}
		m := reflect.MakeMapWithSize(f.Type(), f.Len())
		for it := f.MapRange(); it.Next(); {
			m.SetMapIndex(it.Key(), it.Value())
		}
		f.Set(m)
	}
	return &out
}

// Origin is the place where a setting was last given.
type Origin int

const (
	NotGiven Origin = iota
	FromFile
	FromOption
)

// OriginOf returns the origin of a setting. For a section such as limits, options take precedence over the file.
func (p *Settings) OriginOf(key string) Origin {
	at := p.Given[key]
	for k, origin := range p.Given {
		if strings.HasPrefix(k, key+".") {
			at = max(at, origin)
		}
	}
	return at
}

func (p *Settings) give(key string, from Origin) {
	if p.Given == nil {
		p.Given = map[string]Origin{}
	}
	p.Given[key] = from
}

// Limits of the joints, in order; they replace those of the robot file.
type Limits struct {
	Position     [][]float64 `yaml:"position,omitempty"`
	Velocity     []float64   `yaml:"velocity,omitempty"`
	Acceleration []float64   `yaml:"acceleration,omitempty"`
	Jerk         []float64   `yaml:"jerk,omitempty"`
	Torque       []float64   `yaml:"torque,omitempty"`
	Power        []float64   `yaml:"power,omitempty"`
}

// File is the name of a project file.
const File = "ident.yaml"

// largestText is the largest size of a project file, in bytes.
const largestText = 16 << 20

// Read reads a project file. An unknown key is an error: a misspelt setting that is silently ignored costs a day.
func Read(path string) (*Settings, error) {
	text, err := textfile.ReadDocument(path, largestText)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("the project file %s is missing: %w%s", path, fs.ErrNotExist, spelling.NearFile(path))
	case err != nil:
		return nil, fmt.Errorf("cannot read the project file: %w", err)
	}
	return ReadText(text, path)
}

// ReadText is [Read] of a text that stands, or is to stand, at path.
func ReadText(text []byte, path string) (*Settings, error) {
	p := new(Settings)
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(p); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %w", path, yamlWords(err))
	}
	if err := p.giveKeys(text); err != nil {
		return nil, fmt.Errorf("%s: %w", path, yamlWords(err))
	}
	dir := filepath.Dir(path)
	if p.Robot != "" && !filepath.IsAbs(p.Robot) {
		p.Robot = filepath.Join(dir, p.Robot)
	}
	for name, dir := range p.Packages {
		if !filepath.IsAbs(dir) {
			p.Packages[name] = filepath.Join(dir, dir)
		}
	}
	if p.priorFile() != "" && p.Prior != OwnFile && !filepath.IsAbs(p.Prior) {
		p.Prior = filepath.Join(dir, p.Prior)
	}
	for i, v := range p.Validate {
		if !filepath.IsAbs(v) {
			p.Validate[i] = filepath.Join(dir, v)
		}
	}
	return p, nil
}

// giveKeys records in Given the keys that a project file has.
func (p *Settings) giveKeys(text []byte) error {
	keys := map[string]yaml.Node{}
	if err := yaml.Unmarshal(text, &keys); err != nil {
		return err
	}
	for key, node := range keys {
		if node.Tag == "!!null" {
			continue
		}
		if t, ok := Lookup(key); ok {
			// The YAML reader would accept 2.5 as 2.
			if v, err := strconv.ParseFloat(node.Value, 64); err == nil && v != math.Trunc(v) && (t.Type() == "int" || t.Type() == "uint64") {
				return fmt.Errorf("line %d: %s: %s is not a whole number", node.Line, key, node.Value)
			}
			p.give(key, FromFile)
			continue
		}
		var section map[string]yaml.Node // of limits, the only key that has no entry of its own
		if err := node.Decode(&section); err != nil {
			return err
		}
		for k := range section {
			p.give(key+"."+k, FromFile)
		}
	}
	return nil
}

// TrimSeconds returns the time in seconds cut from both ends of a run.
func (p *Settings) TrimSeconds() float64 {
	if p.Trim == nil {
		return regression.DefaultTrim
	}
	return *p.Trim
}

// Record returns the settings as JSON, for a result to store.
func (p *Settings) Record() json.RawMessage {
	text, err := json.Marshal(p)
	if err != nil {
		panic(fmt.Sprintf("ident: a project that JSON cannot hold: %v", err))
	}
	return text
}
