package project

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ident/datasets"
	"ident/identify/folder"
	"ident/identify/regression"
	"ident/result"
)

// How the logs of a result were read counts for files with their content alone, whatever their names.
func TestReadingStaysWithItsLogs(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const text = "t,Winkel\n0,90\n0.1,91\n"
	trained, moved, other := write("day1/log.csv", text), write("elsewhere.csv", text), write("day2/log.csv", "t,Winkel\n0,1\n0.1,2\n")
	sum, err := folder.FileSum(context.Background(), trained)
	if err != nil {
		t.Fatal(err)
	}
	settings := func() *Settings {
		s := &Settings{Map: map[string]string{"q1": "Winkel"}, Units: map[string]string{"Winkel": "deg"}, Topics: []string{"/x"}, Rate: 7, Gains: []float64{3}}
		s.trained = trainedBy(s, []result.LogInfo{{File: "log.csv", SHA256: sum}})
		s.ForOtherLogs()
		return s
	}
	for _, c := range []struct {
		path  string
		given string // key of the command line
		want  float64
	}{{trained, "", 1.5707963}, {moved, "", 1.5707963}, {other, "", 1}, {trained, "units", 90}} {
		s := settings()
		if c.given != "" {
			s.give(c.given, FromOption)
		}
		logs, err := OpenLogs(context.Background(), s, []string{c.path})
		if err != nil {
			t.Fatal(err)
		}
		x, err := logs[0].Column("Winkel")
		if err != nil || len(x) == 0 || x[0]-c.want > 1e-6 || c.want-x[0] > 1e-6 {
			t.Errorf("%s: %v, %v, want %v first", c.path, x, err, c.want)
		}
		mapped := s.forLog(logs[0]).Map["q1"] != ""
		if want := c.path != other; mapped != want {
			t.Errorf("%s: mapped %v, want %v", c.path, mapped, want)
		}
		warned := s.unlike([]regression.Run{{Name: "run", Log: logs[0]}})
		if (len(warned) == 1) != (c.path == other) {
			t.Errorf("%s: warnings %q", c.path, warned)
		}
		if len(s.Gains) != 1 || s.Topics != nil {
			t.Errorf("gains %v and topics %v: gains belong to the drives, topics to the logs", s.Gains, s.Topics)
		}
		CloseLogs(logs)
	}
	s := settings()
	if its := s.ForItsLogs(); its.Rate != 7 || its.Map["q1"] != "Winkel" || s.Rate != 0 {
		t.Errorf("the settings of the result's own logs are %+v", its)
	}
	s.trained, s.Rate = nil, 9
	if its := s.ForItsLogs(); its.Rate != 0 || s.Rate != 9 || len(its.Gains) != 1 {
		t.Errorf("logs that were read by their names alone are read by %+v", its)
	}
	s = settings()
	err = s.asTrained(&datasets.FileError{Path: "x.csv", Err: datasets.ErrNoJoint})
	if text := Describe(err, func(key string) string { return "--" + key }); !strings.Contains(text, "--map 'q1=Winkel'") || !strings.Contains(text, "--rate '7'") {
		t.Errorf("the error of a log of that form does not say how the result read its own: %s", text)
	}
}
