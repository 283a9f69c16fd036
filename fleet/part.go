package fleet

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ident/estimate/summary"
	"ident/fleet/intake"
)

// Part holds some logs of a robot, with their summaries.
type Part struct {
	Robot, File string
	Members     []Member
}

// Member is a log with its summary, or many logs of a day with one summary.
type Member struct {
	Log     Taken      // the log; for a day of logs it holds the day's name only
	Logs    int        // number of logs
	Worst   []LogError // for a day: at most three logs, those that the day's parameters predict worst
	Summary []byte     // summary in the format of package summary; nil if it is in File
	File    string     // path of the summary's file on this machine
}

// held returns the member with its summary in a file of the folder, by the member's key; with no folder the member
// holds it itself. A retry writes the same file again. A folder has many files: package output, which looks for those
// of killed programs, would read all of their names for each.
func (m Member) held(folder, key string) (Member, error) {
	if folder == "" {
		return m, nil
	}
	m.File = filepath.Join(folder, fmt.Sprintf("%x.idr", sha256.Sum256([]byte(key))))
	if err := os.WriteFile(m.File+".part", m.Summary, 0o666); err != nil {
		return m, err
	}
	m.Summary = nil
	return m, os.Rename(m.File+".part", m.File)
}

// summary decodes the member's.
func (m *Member) summary() (*summary.Summary, error) {
	text := m.Summary
	if m.File != "" {
		var err error
		if text, err = os.ReadFile(m.File); err != nil {
			return nil, err
		}
	}
	return summary.Decode(bytes.NewReader(text), int64(len(text)))
}

// Taken is a log that is part of a summary.
type Taken struct {
	Entry int // row of the manifest
	Log   string
}

// undated is the number of groups of a robot's logs whose clocks begin at zero.
const undated = 256

// groupOf returns the group in which a log of a robot is merged first, by its content alone: the calendar day, UTC, on
// which it begins, or one of so many by the hash of its path.
func groupOf(log string, of *intake.Reduced) string {
	if of.Absolute {
		return time.Unix(int64(of.Start), 0).UTC().Format(time.DateOnly)
	}
	return fmt.Sprintf("undated-%03d", hash(log)%undated)
}

// A group's key is the robot's, which may hold any letters, behind the group's name, which holds no space.
func groupKey(robot, group string) string { return group + " " + robot }

func groupName(key string) string {
	name, _, _ := strings.Cut(key, " ")
	return name
}
