package intake

import (
	"errors"
	"fmt"

	"ident/datasets"
)

// Entry is a log of the manifest.
type Entry struct {
	Robot string // key of the robot
	Log   string // path of the log
	File  string // path of the robot's file
	Start int64  // ms since 1970-01-01 UTC; 0 where the manifest has none
	Row   int    // row of the manifest, from 1 after the header
}

// The reasons of refusals that are not ids of findings.
const (
	Manifest   = "manifest"
	NoFile     = "no-file"
	Duplicate  = "duplicate"
	RobotFile  = "robot-file"
	Unreadable = "unreadable"
	Channels   = "channels"
	Reduction  = "reduction"
	Overlap    = "overlap"
	Storage    = "storage"
	Misfit     = "misfit"
	SignalPath = "signal-path"
	Fit        = "fit"
	Panic      = "panic"
)

// Refusal is a log, or a row of the manifest, that no result holds.
type Refusal struct {
	Robot, Log string
	Entry      int // row of the manifest
	Reason     string
	Message    string
	File       string // file with the fault: the log, the robot file or the manifest
	Row        int    // row of that file, from 1; 0 if no single row is at fault
}

func (r *Refusal) Error() string { return fmt.Sprintf("%s: %s: %s", r.Log, r.Reason, r.Message) }

// refuse makes the refusal of a log.
func (e Entry) refuse(reason string, err error) *Refusal {
	r := &Refusal{Robot: e.Robot, Log: e.Log, Entry: e.Row, Reason: reason, Message: err.Error(), File: e.Log}
	if reason == RobotFile {
		r.File = e.File
	}
	var at *datasets.FileError
	if errors.As(err, &at) {
		r.Row = at.Row
	}
	return r
}
