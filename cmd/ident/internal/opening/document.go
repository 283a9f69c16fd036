package opening

import "ident/identify/project"

// Document is what the page shows.
type Document struct {
	// Version grows with each change, by which the page asks for the next.
	Version int `json:"version"`
	// Stage is the work that goes on, with Done of Total parts; "" where nothing does.
	Stage string `json:"stage"`
	Done  int    `json:"done"`
	Total int    `json:"total"`
	// Problem says why the log cannot be read or its channels cannot be assigned; Setting is the key that may mend it, with
	// its Value where that is known. Near are the lines of the file about the place.
	Problem string    `json:"problem,omitempty"`
	Near    []NearRow `json:"near,omitempty"`
	Setting string    `json:"setting,omitempty"`
	Value   string    `json:"value,omitempty"`
	Log     Log       `json:"log"`
	Robot   Robot     `json:"robot"`
	// Channels are those of the log, in its order.
	Channels []Channel `json:"channels"`
	// Roles are what a channel can be: t, and q, dq, ddq, tau, i with the number of a joint.
	Roles    []Role    `json:"roles"`
	Findings []Finding `json:"findings"`
	// Edits are the settings that the user gave, Declined the repairs that the user does not want.
	Edits    []Edit `json:"edits"`
	Declined []Edit `json:"declined"`
	// Settings are the keys that an edit can have.
	Settings []Setting `json:"settings"`
	Units    []string  `json:"units"`
	File     File      `json:"file"`
	Fit      *Fit      `json:"fit,omitempty"`
	// Curves and Scene count the versions of the curves and of the moving robot; 0 for none.
	Curves int `json:"curves"`
	Scene  int `json:"scene"`
}

// NearRow is a line of a text file, counted from 1; At says that the problem is in it.
type NearRow struct {
	Line int    `json:"line"`
	Text string `json:"text"`
	At   bool   `json:"at"`
}

// Log is what was read.
type Log struct {
	Name    string   `json:"name"`
	Path    string   `json:"path"`
	Rows    int      `json:"rows"`
	Left    string   `json:"left,omitempty"` // rows that cannot be used
	RateHz  float64  `json:"rate_hz"`
	Seconds float64  `json:"seconds"`
	Clock   string   `json:"clock"`
	Further []string `json:"further,omitempty"` // logs that the fit takes beside it
	Notes   []string `json:"notes,omitempty"`   // decisions of the reader
}

// Robot is the robot of the log.
type Robot struct {
	Name   string   `json:"name"`
	File   string   `json:"file"`
	Joints []string `json:"joints"`
	Locked []string `json:"locked,omitempty"` // joints that stand still, or that the log does not have
}

// Role is what a channel can be.
type Role struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Channel is a channel of the log, and what it is taken for.
type Channel struct {
	Name string `json:"name"`
	Unit string `json:"unit"` // as the file or the settings declare it
	Role string `json:"role"` // "" if it is not used
	// Set are the settings of the channel by key: units, scale, zero.
	Set map[string]string `json:"set,omitempty"`
	Why string            `json:"why"`
	// SI is the size of its unit in the SI unit, by which a reversed sign is written; 0 if it is not known.
	SI float64 `json:"si,omitempty"`
}

// Finding is a finding with the settings that repair it.
type Finding struct {
	ID       string `json:"id"`
	Severity string `json:"severity"`
	Where    string `json:"where"`
	Subject  string `json:"subject"` // channel or joint
	Why      string `json:"why"`
	Advice   string `json:"advice"`
	// Repair are the settings; On says that they are applied.
	Repair []Edit `json:"repair,omitempty"`
	On     bool   `json:"on"`
	// Tried is the outcome of the repair on rows left out: "" if it was not tried, written or declined. The errors are
	// relative to the torques.
	Tried  string  `json:"tried,omitempty"`
	Before float64 `json:"before,omitempty"`
	After  float64 `json:"after,omitempty"`
}

// Edit is an entry of a setting: Name is that of a map's entry, "" for other settings.
type Edit struct {
	Key   string `json:"key"`
	Name  string `json:"name,omitempty"`
	Value string `json:"value"`
}

// Setting is a key that an edit can have.
type Setting struct {
	Key     string   `json:"key"`
	Help    string   `json:"help"`
	Choices []string `json:"choices,omitempty"`
	Map     bool     `json:"map"` // its entries have names: NAME=VALUE
}

// File is the project file as it would be written.
type File struct {
	Path string `json:"path"`
	Old  bool   `json:"old"` // there is one, whose comments and unknown keys stay
	// Sum names the text that would be written and the file that it would replace.
	Sum     string `json:"sum"`
	Lines   []Line `json:"lines"` // the difference to the file, of a new one its keys
	Written bool   `json:"written"`
	Problem string `json:"problem,omitempty"`
}

// Line is a line of a difference: Mark is + or -, or a space for one that stays.
type Line struct {
	Mark string `json:"mark"`
	Text string `json:"text"`
}

// Fit is the outcome of a fit with the settings as shown.
type Fit struct {
	Folder  string `json:"folder"`
	Grade   string `json:"grade"`
	Text    string `json:"text"` // as the command prints it
	Problem string `json:"problem,omitempty"`
}

// offered are the groups of settings that an edit can have.
var offered = map[project.Group]bool{project.Logs: true, project.Processing: true, project.Terms: true, project.RobotModel: true, project.Estimate: true}
