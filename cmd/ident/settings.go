package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ident/cmd/ident/internal/complete"
	"ident/cmd/ident/internal/help"
	"ident/identify/folder"
	"ident/identify/project"
)

// flags are the options of a command that are settings of a project, and options shared by several commands.
type flags struct {
	config string
	json   bool
	keys   []string            // settings that the command has
	given  map[string][]string // texts of the settings that the command line gives, by key
	inUse  *inUse
	shell  complete.Shell
	note   func(format string, args ...any)
}

// inUse holds the resolved settings of the command: they say whether a bad value came from a file.
type inUse struct {
	settings *project.Settings
	stdin    string   // path of the copy of standard input
	args     []string // words of the call

	quiet, verbose bool
	kinds          map[string]bool // kinds of notes of which one was printed
	untold         int             // number of further notes of these kinds, which were not printed

	seals  folder.Seals // of the results that the command reads
	broken brokenNames  // names of several lines that the command has read
}

func (s streams) flags() *flags { return &flags{inUse: s.inUse, shell: s.shell, note: s.note} }

// settings adds the options of whole groups of settings.
func (f *flags) settings(c *cobra.Command, groups ...project.Group) {
	for _, t := range project.Table() {
		if slices.Contains(groups, t.Group) && t.Option != "" {
			f.setting(c, t)
		}
	}
}

// setting adds the option of one setting.
func (f *flags) setting(c *cobra.Command, t project.Setting) {
	f.keys = append(f.keys, t.Key)
	flag := c.Flags().VarPF(&settingFlag{f, t}, t.Option, "", project.NameSettings(t.Help, optionOf))
	switch t.Type() {
	case "bool":
		flag.NoOptDefVal = "true"
	case "yes|no|auto":
		flag.NoOptDefVal = "yes"
	}
	help.Assign(flag, helpGroup(t))
	f.call().Setting(c, t)
}

// settingWith adds the option of one setting with a help text of the command's own.
func (f *flags) settingWith(c *cobra.Command, key, help string) {
	t := entry(key)
	t.Help = help
	f.setting(c, t)
}

// termsFlag adds the option of the model's terms with the command's default.
func (f *flags) termsFlag(c *cobra.Command, def string) {
	f.settingWith(c, "terms", strings.Replace(entry("terms").Help, "model:", "model (default "+def+"):", 1))
}

// entry returns a setting that the table holds.
func entry(key string) project.Setting {
	t, ok := project.Lookup(key)
	if !ok {
		panic("ident: no setting " + key)
	}
	return t
}

func (f *flags) robotFlags(c *cobra.Command) {
	c.Flags().StringVar(&f.config, "config", "", "project file (default: ident.yaml beside the log or the robot, where there is one)")
	f.settings(c, project.RobotModel)
}

func (f *flags) jsonFlag(c *cobra.Command) {
	c.Flags().BoolVar(&f.json, "json", false, "print one JSON document to standard output")
}

// settingFlag is the option of a setting on a command line.
type settingFlag struct {
	f *flags
	t project.Setting
}

// String returns the value that the option has, for help and completion.
func (v *settingFlag) String() string {
	if v.f == nil {
		return ""
	}
	return v.t.Default
}

// Type returns the word that help shows instead of the value.
func (v *settingFlag) Type() string { return v.t.Type() }

// Set keeps a text that the setting can take; the project file is read first.
func (v *settingFlag) Set(text string) error {
	if err := v.t.Set(new(project.Settings), text); err != nil {
		return err
	}
	v.f.give(v.t, text)
	return nil
}

// call returns the unfinished call, for completion.
func (f *flags) call() *complete.Call {
	return &complete.Call{Shell: f.shell, Robot: f.robot, Resolve: f.resolve}
}

func (f *flags) give(t project.Setting, text string) {
	if t.Key == "robot" && text == "" {
		return // no robot is named
	}
	if f.given == nil {
		f.given = map[string][]string{}
	}
	if !t.Repeats() {
		f.given[t.Key] = nil
	}
	f.given[t.Key] = append(f.given[t.Key], text)
}

// robot returns the robot file that the command line names, or "".
func (f *flags) robot() string {
	if g := f.given["robot"]; len(g) > 0 {
		return g[0]
	}
	return ""
}

// setRobot takes an argument of the command as its robot file.
func (f *flags) setRobot(path string) { f.give(entry("robot"), path) }

// resolve merges the project file (the one named, or ident.yaml beside one of
// the given files) with the flags.
func (f *flags) resolve(beside ...string) (*project.Settings, error) {
	base := new(project.Settings)
	path := f.config
	for _, b := range beside {
		if path != "" || b == "" {
			continue
		}
		if p := filepath.Join(filepath.Dir(b), project.File); fileExists(p) {
			path = p
		}
	}
	if path != "" {
		var err error
		if base, err = project.Read(path); err != nil {
			return nil, err
		}
	}
	return base, f.apply(base)
}

// apply writes the settings that the command line gives over others, and checks those
// that the command has.
func (f *flags) apply(p *project.Settings) error {
	f.inUse.settings, p.Naming, p.Seals, p.Heard = p, optionOf, f.inUse.seals, f.inUse.broken.hear
	for _, t := range project.Table() {
		if err := t.Set(p, f.given[t.Key]...); err != nil {
			return usagef("--%s: %w", t.Option, err)
		}
	}
	return project.Check(p, f.keys...)
}

// name returns a setting as the user gave it: its key in the project file, or its option.
func (u *inUse) name(key string) string {
	if u.fromFile(key) {
		return "in the project file, " + key
	}
	return optionOf(key)
}

// fromFile reports whether the value of a setting is that of the project file.
func (u *inUse) fromFile(key string) bool {
	return u.settings != nil && u.settings.OriginOf(key) == project.FromFile
}

// optionOf returns the command-line option of a setting. The first cases are options of single commands, which are not
// settings of a project.
func optionOf(key string) string {
	switch key {
	case "fix", "sensitivity", "force", "overwrite", "follow", "loads", "candidates", "elastic", "elastic-cubic", "elastic-hysteresis",
		"after", "clearance", "criterion", "design", "end", "floor-friction", "harmonics", "judge", "lift", "log-rate", "margin", "noise", "payload-poses", "pieces",
		"repeat", "segments", "shape", "start", "starts", "static", "static-speed", "tip", "tip-speed", "uncertainty",
		"controller-model", "duration", "encoder", "estimators", "faults", "friction", "ideal", "output", "payload", "payload-on", "position-noise", "sensors", "task", "torque-noise",
		"torque-quantum", "torques", "trajectory", "trials", "velocity-noise",
		"base-wrench", "density", "effects", "floating", "inertia-from",
		"axes", "bake", "base-motion", "external", "lang", "link", "name", "orientation", "outputs", "quiet-log", "symbols", "tree":
		return "--" + key
	case "mend":
		return "ident check --fix FILE"
	}
	if t, ok := project.Lookup(key); ok && t.Option != "" {
		return "--" + t.Option
	}
	return key
}

func fileExists(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}
