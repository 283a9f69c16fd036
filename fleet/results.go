package fleet

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"slices"
	"time"

	"ident/fleet/store"
	"ident/fleet/table"
)

// RobotDocument is the file of one robot, robots/KEY.json.
type RobotDocument struct {
	Schema       string             `json:"schema"` // ident-fleet.robot/1
	Robot        string             `json:"robot"`
	File         string             `json:"file"`           // path of the robot file
	Logs         []string           `json:"logs"`           // logs that the fit holds one by one
	Days         []Day              `json:"days,omitempty"` // days whose logs the fit holds as one run each
	ErrorPercent float64            `json:"error_percent"`
	Grade        string             `json:"grade"`
	Parameters   []RobotParameter   `json:"parameters"`
	Outliers     []DocumentOutlier  `json:"outliers"`
	Changes      []DocumentChange   `json:"changes"`
	Worst        map[string]float64 `json:"worst_logs_percent"`
	Drift        json.RawMessage    `json:"drift,omitempty"` // ident.drift/1
}

// RobotParameter is a base parameter of the document.
type RobotParameter struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Sigma float64 `json:"sigma"`
}

// DocumentOutlier is a parameter beyond the population.
type DocumentOutlier struct {
	Parameter string  `json:"parameter"`
	Centre    float64 `json:"population_centre"`
	Scatter   float64 `json:"population_scatter"`
	Z         float64 `json:"z"`
	Chance    float64 `json:"chance"`
}

// DocumentChange is a step of a parameter.
type DocumentChange struct {
	Parameter string  `json:"parameter"`
	From      string  `json:"from"`
	Percent   float64 `json:"percent"`
	Z         float64 `json:"z"`
	Chance    float64 `json:"chance"` // probability that this robot, without change, shows such a step anywhere
}

// day returns the date of a change.
func day(ms int64) string { return time.UnixMilli(ms).UTC().Format(time.DateOnly) }

// document returns the robot's file.
func (j *Judged) document() RobotDocument {
	d := RobotDocument{Schema: "ident-fleet.robot/1", Robot: j.Robot, File: j.File, Logs: []string{}, ErrorPercent: j.Error, Grade: j.Grade,
		Parameters: []RobotParameter{}, Outliers: []DocumentOutlier{}, Changes: []DocumentChange{}, Worst: map[string]float64{}, Drift: j.Drift, Days: j.Days}
	for _, t := range j.Logs {
		d.Logs = append(d.Logs, t.Log)
	}
	for k, name := range j.Names {
		d.Parameters = append(d.Parameters, RobotParameter{name, j.Values[k], j.Sigmas[k]})
	}
	for _, o := range j.Outliers {
		d.Outliers = append(d.Outliers, DocumentOutlier{o.Parameter, o.Centre, o.Tau, o.Z, o.Chance})
	}
	for _, c := range j.Drifts {
		d.Changes = append(d.Changes, DocumentChange{c.Parameter, day(c.Start), c.Percent, c.Z, c.Chance})
	}
	for _, w := range j.Worst {
		d.Worst[w.Log] = w.Percent
	}
	return d
}

// longestName is the longest name of a robot's file without its extension, bytes: file systems take 255, and store.Write needs some
// for a temporary name.
const longestName = 200

// fileOf returns the name of the file of a robot: its key, escaped, or the key's SHA-256 if that is too long for a file system. The
// document in the file holds the key.
func fileOf(robot string) string {
	name := url.PathEscape(robot)
	if len(name) > longestName {
		name = fmt.Sprintf("sha256-%x", sha256.Sum256([]byte(robot)))
	}
	return name + ".json"
}

// writeRobot writes the file of a robot.
type writeRobot struct {
	Folder string
}

func (w *writeRobot) ProcessElement(ctx context.Context, j Judged) error {
	return store.Write(ctx, store.Join(w.Folder, "robots", fileOf(j.Robot)), func(to io.Writer) error {
		return writeJSON(to, j.document())
	})
}

// robotShard is the key of the table's file that a robot is written into.
type robotShard struct {
	Files int
}

func (s *robotShard) ProcessElement(j Judged) (int, Judged) {
	return int(hash(j.Robot) % uint64(max(1, s.Files))), j
}

// writeParameters writes the parameters of a key's robots into one Parquet file, a row each.
type writeParameters struct {
	Folder string
	Files  int
}

func (w *writeParameters) ProcessElement(ctx context.Context, key int, robots func(*Judged) bool) error {
	all := sorted(robots)
	robot, file, name := []string{}, []string{}, []string{}
	value, sigma, z := []float64{}, []float64{}, []float64{}
	logs := []int64{}
	for _, j := range all {
		of := map[string]float64{}
		for _, o := range j.Outliers {
			of[o.Parameter] = o.Z
		}
		for k := range j.Names {
			robot, file, name = append(robot, j.Robot), append(file, j.File), append(name, j.Names[k])
			value, sigma, z, logs = append(value, j.Values[k]), append(sigma, j.Sigmas[k]), append(z, of[j.Names[k]]), append(logs, j.count())
		}
	}
	return store.Write(ctx, store.Join(w.Folder, fileName("parameters", key, w.Files)), func(to io.Writer) error {
		return table.Write(to, table.Column{Name: "robot", Texts: robot}, table.Column{Name: "file", Texts: file}, table.Column{Name: "parameter", Texts: name},
			table.Column{Name: "value", Numbers: value}, table.Column{Name: "sigma", Numbers: sigma}, table.Column{Name: "outlier_z", Numbers: z}, table.Column{Name: "logs", Integers: logs})
	})
}

// sorted reads robots, in the order of their keys.
func sorted(robots func(*Judged) bool) []Judged {
	var all []Judged
	for {
		var j Judged
		if !robots(&j) {
			break
		}
		all = append(all, j)
	}
	slices.SortFunc(all, func(a, b Judged) int { return cmp.Compare(a.Robot, b.Robot) })
	return all
}
