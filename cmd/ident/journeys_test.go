package main

import (
	"bufio"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ident/identify/folder"
	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/result"
	"ident/robot"
	"ident/robot/format"
)

// A table is a log in memory: names of columns, and rows.
type logTable struct {
	names []string
	rows  [][]float64
}

// measuredTable reads a log of the shared data.
func measuredTable(t *testing.T, path string) logTable {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(bufio.NewReader(f))
	if err != nil {
		t.Fatal(err)
	}
	r := csv.NewReader(z)
	var out logTable
	if out.names, err = r.Read(); err != nil {
		t.Fatal(err)
	}
	for {
		line, err := r.Read()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		row := make([]float64, len(line))
		for i, text := range line {
			if row[i], err = strconv.ParseFloat(text, 64); err != nil {
				t.Fatal(err)
			}
		}
		out.rows = append(out.rows, row)
	}
}

// only is the table of some columns.
func (l logTable) only(keep func(name string) bool) logTable {
	var at []int
	out := logTable{}
	for i, name := range l.names {
		if keep(name) {
			at, out.names = append(at, i), append(out.names, name)
		}
	}
	for _, row := range l.rows {
		part := make([]float64, len(at))
		for k, i := range at {
			part[k] = row[i]
		}
		out.rows = append(out.rows, part)
	}
	return out
}

// changed is the table with every value changed by its column's name.
func (l logTable) changed(change func(name string, v float64) float64) logTable {
	out := logTable{names: l.names}
	for _, row := range l.rows {
		own := slices.Clone(row)
		for i := range own {
			own[i] = change(l.names[i], own[i])
		}
		out.rows = append(out.rows, own)
	}
	return out
}

// write writes the table as CSV; text prints a value.
func (l logTable) write(t *testing.T, path, comma string, names []string, text func(row int, name string, v float64) string) {
	t.Helper()
	var b strings.Builder
	b.WriteString(strings.Join(names, comma) + "\n")
	for k, row := range l.rows {
		for i, v := range row {
			if i > 0 {
				b.WriteString(comma)
			}
			b.WriteString(text(k, l.names[i], v))
		}
		b.WriteByte('\n')
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

func plainNumber(_ int, _ string, v float64) string { return strconv.FormatFloat(v, 'g', 9, 64) }

func position(name string) bool { return name[0] == 'q' }
func velocity(name string) bool { return strings.HasPrefix(name, "dq") }

// kukaLog is a run of the KUKA without accelerations.
func kukaLog(t *testing.T, run int) logTable {
	t.Helper()
	path := filepath.Join(testrobot.DataDir(t), "data", "kuka_lwr4", fmt.Sprintf("measurements_%d.csv.gz", run))
	return measuredTable(t, path).only(func(name string) bool { return !strings.HasPrefix(name, "ddq") })
}

// A journey is a task with one's own robot: raw files, and the commands that lead to a model in use. Every command after the first is
// one that an earlier message names, with the files instead of its words.
type journey struct {
	name  string
	files func(t *testing.T) // writes the raw files into the current folder
	// commands are at most four. CODE: in front is the exit code that is expected, 0 without.
	commands []string
	// says are patterns, one of each command's output, that lead to the next one, whose $1 is what the parentheses hold; "" for none.
	says []string
	// model is the exported robot, and result the folder; error the largest relative error of the fit, per cent.
	model, result string
	error         float64
}

// kukaRobot copies the robot file of the KUKA into the current folder.
func kukaRobot(t *testing.T) {
	t.Helper()
	copyFile(t, filepath.Join(testrobot.DataDir(t), "data", "kuka_lwr4", "model", "kuka_lwr4.urdf"), "arm.urdf")
}

const toDegrees = 180 / math.Pi

// germanLog has decimal commas, degrees, milliseconds since 1970, German names in any order, and values that are missing.
func germanLog(t *testing.T) {
	kukaRobot(t)
	l := kukaLog(t, 2)
	order := []string{"q3", "tau1", "q1", "dq2", "t", "tau7", "q2", "q4", "q5", "tau2", "tau3", "q6", "q7", "tau4", "tau5", "tau6", "dq1", "dq3", "dq4", "dq5", "dq6", "dq7"}
	shuffled := logTable{names: order}
	for _, row := range l.rows {
		own := make([]float64, len(order))
		for i, name := range order {
			own[i] = row[slices.Index(l.names, name)]
		}
		shuffled.rows = append(shuffled.rows, own)
	}
	var names []string
	for _, name := range order {
		number := name[len(name)-1:]
		switch {
		case name == "t":
			names = append(names, "Zeitstempel")
		case position(name):
			names = append(names, "Achse "+number+" Istposition [°]")
		case velocity(name):
			names = append(names, "Achse "+number+" Istgeschw [°/s]")
		default:
			names = append(names, "Achse "+number+" Moment [Nm]")
		}
	}
	shuffled.write(t, "log.csv", ";", names, func(row int, name string, v float64) string {
		text := strconv.FormatFloat(v, 'f', 4, 64)
		switch {
		case row%401 == 77 && name == "tau3":
			return "NaN"
		case name == "t":
			text = strconv.FormatFloat(1.7e12+1e3*v, 'f', 0, 64)
		case position(name) || velocity(name):
			text = strconv.FormatFloat(v*toDegrees, 'f', 5, 64)
		}
		return strings.ReplaceAll(text, ".", ",")
	})
}

// silentLog is in degrees and milliseconds, and says neither.
func silentLog(t *testing.T) {
	kukaRobot(t)
	l := kukaLog(t, 2).changed(func(name string, v float64) float64 {
		switch {
		case name == "t":
			return 1e3 * v
		case position(name) || velocity(name):
			return v * toDegrees
		}
		return v
	})
	l.write(t, "log.csv", ",", l.names, plainNumber)
}

// repeatedLog has rows twice, and rows that come late.
func repeatedLog(t *testing.T) {
	kukaRobot(t)
	l := kukaLog(t, 2)
	out := logTable{names: l.names}
	for k, row := range l.rows {
		out.rows = append(out.rows, row)
		if k%301 == 100 {
			out.rows = append(out.rows, row)
		}
		if k%900 == 500 {
			out.rows = append(out.rows, l.rows[k-5])
		}
	}
	out.write(t, "log.csv", ",", out.names, plainNumber)
}

// swappedLog has the torques of two joints exchanged, and the sign of a third turned.
func swappedLog(t *testing.T) {
	kukaRobot(t)
	l := kukaLog(t, 2)
	a, b, turned := slices.Index(l.names, "tau2"), slices.Index(l.names, "tau4"), slices.Index(l.names, "tau3")
	for _, row := range l.rows {
		row[a], row[b], row[turned] = row[b], row[a], -row[turned]
	}
	l.write(t, "log.csv", ",", l.names, plainNumber)
}

// countsPerRadian are those of an encoder of 4096 counts behind a gear of 160.
const countsPerRadian = 4096 * 160 / (2 * math.Pi)

// countsLog has positions in counts of the motors' encoders, and no velocities.
func countsLog(t *testing.T) {
	kukaRobot(t)
	l := kukaLog(t, 2).only(func(name string) bool { return !velocity(name) }).changed(func(name string, v float64) float64 {
		if position(name) {
			return math.Round(v * countsPerRadian)
		}
		return v
	})
	l.write(t, "log.csv", ",", l.names, plainNumber)
}

// fastLog has rows at 8 kHz, whose positions change at 200 Hz.
func fastLog(t *testing.T) {
	kukaRobot(t)
	l := kukaLog(t, 2).only(func(name string) bool { return !velocity(name) })
	out := logTable{names: l.names}
	const rate, seconds = 8000, 12
	k := 0
	for i := range rate * seconds {
		at := float64(i) / rate
		for k+2 < len(l.rows) && l.rows[k+1][0] <= at {
			k++
		}
		a, b := l.rows[k], l.rows[k+1]
		w := (at - a[0]) / (b[0] - a[0])
		row := slices.Clone(a)
		row[0] = at
		for c, name := range l.names {
			if strings.HasPrefix(name, "tau") {
				row[c] = (1-w)*a[c] + w*b[c]
			}
		}
		out.rows = append(out.rows, row)
	}
	out.write(t, "log.csv", ",", out.names, plainNumber)
}

// recordings are a bag and an MCAP file with a gripper, by the libraries of ROS.
func recordings(t *testing.T) {
	python := os.Getenv("IDENT_PYTHON")
	if python == "" || exec.Command(python, "-c", "import rosbags, mcap_ros2").Run() != nil {
		t.Skip("rosbags and mcap-ros2-support are absent: IDENT_PYTHON=$(.ci/venv oracles)")
	}
	kukaRobot(t)
	l := kukaLog(t, 2)
	names := []string{"t"}
	for _, name := range l.names[1:] {
		k, _ := strconv.Atoi(name[len(name)-1:])
		names = append(names, fmt.Sprintf("%s_lwr_%d_joint", name[:len(name)-1], k-1))
	}
	l.write(t, "plain.csv", ",", names, plainNumber)
	if text, err := exec.Command(python, filepath.Join(journeyFolder, "bags.py"), "plain.csv", "bag", "log.mcap").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
}

// xacroRobot is the KUKA as a xacro file with an argument, which includes a file of a package beside it.
func xacroRobot(t *testing.T) {
	kukaRobot(t)
	text, err := os.ReadFile("arm.urdf")
	if err != nil {
		t.Fatal(err)
	}
	body := regexp.MustCompile(`(?s)<robot[^>]*>(.*)</robot>`).FindSubmatch(text)[1]
	body = regexp.MustCompile(`"(lwr_[0-9a-z_]*|box)"`).ReplaceAll(body, []byte(`"$${arg_prefix}$1"`))
	if err := os.Mkdir("arm_description", 0o755); err != nil {
		t.Fatal(err)
	}
	head := "<robot name=\"kuka-lwr\" xmlns:xacro=\"http://www.ros.org/wiki/xacro\">\n"
	for name, text := range map[string]string{
		"arm_description/links.xacro": head + string(body) + "</robot>\n",
		"arm.xacro":                   head + "<xacro:arg name=\"prefix\"/>\n<xacro:property name=\"arg_prefix\" value=\"$(arg prefix)\"/>\n<xacro:include filename=\"$(find arm_description)/links.xacro\"/>\n</robot>\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	l := kukaLog(t, 2)
	l.write(t, "log.csv", ",", l.names, plainNumber)
}

const journeyFolder = "IDENT_JOURNEYS"

func journeys(t *testing.T) []journey {
	data := filepath.Join(testrobot.DataDir(t), "data")
	none := func(*testing.T) {}
	at := func(parts ...string) string { return filepath.Join(append([]string{data}, parts...)...) }
	ur := at("ur10e", "identification", "ur-20_02_12-50sec_12harm.csv.gz")
	loaded := at("ur10e", "payload", "ur-20_01_13-load_2600.csv.gz")
	urRobot := at("ur10e", "model", "ur10e.urdf")
	kuka := func(run string) string { return at("kuka_lwr4", "measurements_"+run+".csv.gz") }
	const wrote = `wrote .*\nnext: ident check log.csv\n      ident fit log.csv`
	viaInit := func(name string, files func(*testing.T), extra string, most float64) journey {
		return journey{name: name, files: files, commands: []string{"init arm.urdf log.csv" + extra, "fit log.csv", "export log.ident -o model.urdf"},
			says: []string{wrote, `result  log.ident`, ""}, model: "model.urdf", result: "log.ident", error: most}
	}
	return []journey{
		{name: "Panda", files: none, commands: []string{"check " + at("panda", "gaz_exciting_traj_1.csv.gz") + " --robot " + at("panda", "model", "panda_mdh_kinematics.urdf"),
			"fit " + at("panda", "gaz_exciting_traj_1.csv.gz") + " --robot " + at("panda", "model", "panda_mdh_kinematics.urdf") + " -o panda", "export panda -o model.urdf"}, model: "model.urdf", result: "panda", error: 1.5},
		{name: "UR10e with gains", files: none, commands: []string{"2:fit " + ur + " --robot " + urRobot + " -o ur", "fit " + ur + " --robot " + urRobot + " --gains 14.87,13.26,11.13,10.62,11.03,11.47 -o ur", "export ur -o model.urdf"},
			says: []string{`give --gains`, `result  ur`, ""}, model: "model.urdf", result: "ur", error: 12},
		{name: "UR10e without gains", files: none, commands: []string{"check " + ur + " --robot " + urRobot,
			"fit " + ur + " " + loaded + " --robot " + urRobot + " $1 --carries " + filepath.Base(loaded) + " --known PM6=2.6 -o gains", "fit " + ur + " --robot " + urRobot + " $1 -o ur", "export ur -o model.urdf"},
			says: []string{`(--terms links,Ia,Fv,Fs,Fo,payload:wrist_3_link,gain) --carries LOADED --known PM6=MASS`, `fit the runs without a load [^→]* with\s+(--gains [0-9.,]*)\n`, `result  ur`, ""}, model: "model.urdf", result: "ur", error: 5},
		{name: "KUKA", files: none, commands: []string{"fit " + kuka("2") + " " + kuka("3") + " --robot " + at("kuka_lwr4", "model", "kuka_lwr4.urdf") + " --validate " + kuka("1") + " -o kuka", "export kuka -o model.urdf"},
			says: []string{`result  kuka`, ""}, model: "model.urdf", result: "kuka", error: 3},
		viaInit("German CSV", germanLog, "", 3),
		viaInit("silent degrees and milliseconds", silentLog, "", 3),
		viaInit("repetitions and steps back", repeatedLog, "", 3),
		viaInit("swapped torques and a sign", swappedLog, "", 3),
		viaInit("motor counts", countsLog, " --scale q*="+strconv.FormatFloat(1/countsPerRadian, 'g', 9, 64), 3),
		viaInit("8 kHz with positions at 200 Hz", fastLog, "", 3),
		{name: "a bag with a gripper", files: recordings, commands: []string{"check bag --robot arm.urdf", "fit bag --robot arm.urdf -o bag.ident", "export bag.ident -o model.urdf"}, model: "model.urdf", result: "bag.ident", error: 3},
		{name: "an MCAP file with a gripper", files: recordings, commands: []string{"check log.mcap --robot arm.urdf", "fit log.mcap --robot arm.urdf", "export log.ident -o model.urdf"}, model: "model.urdf", result: "log.ident", error: 3},
		{name: "xacro with arguments", files: xacroRobot, commands: []string{"1:fit log.csv --robot arm.xacro", "fit log.csv --robot arm.xacro --arg prefix=", "export log.ident -o model.urdf"}, says: []string{`--arg`, "", ""}, model: "model.urdf", result: "log.ident", error: 3},
		{name: "LeRobot", files: func(t *testing.T) {
			if err := os.WriteFile("arm.urdf", []byte(twoJoints), 0o644); err != nil {
				t.Fatal(err)
			}
			dir, err := filepath.EvalSymlinks(journeyFolder)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.CopyFS("set", os.DirFS(filepath.Join(dir, "..", "lerobot"))); err != nil {
				t.Fatal(err)
			}
		}, commands: []string{"fit set/data/chunk-000/file-000.parquet --robot arm.urdf -o set.ident", "export set.ident -o model.urdf"}, model: "model.urdf", result: "set.ident", error: 1},
	}
}

// Each journey leads from raw files to a robot file that can be used, in at most four commands, each named by a message before it.
func TestJourneys(t *testing.T) {
	dir, err := filepath.Abs(filepath.Join("testdata", "journeys"))
	if err != nil {
		t.Fatal(err)
	}
	all := journeys(t)
	if !long.Set() { // a short one
		all = slices.DeleteFunc(all, func(j journey) bool { return j.name != "LeRobot" })
	}
	for _, j := range all {
		t.Run(j.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := os.Symlink(dir, journeyFolder); err != nil {
				t.Skip(err)
			}
			j.files(t)
			j.travel(t)
		})
	}
}

// travel runs the commands of a journey and looks at what they lead to.
func (j *journey) travel(t *testing.T) {
	if len(j.commands) > 4 {
		t.Errorf("%d commands", len(j.commands))
	}
	proposed := ""
	for i, line := range j.commands {
		line = strings.ReplaceAll(line, "$1", proposed)
		code := exitDone
		if n, rest, ok := strings.Cut(line, ":"); ok && len(n) == 1 {
			code, line = int(n[0]-'0'), rest
		}
		out, errs := commandLine(t, code, strings.Fields(line)...)
		if i >= len(j.says) {
			continue
		}
		m := regexp.MustCompile(j.says[i]).FindStringSubmatch(out + errs)
		if m == nil {
			t.Errorf("ident %s does not say %q:\n%s%s", line, j.says[i], out, errs)
		}
		proposed = strings.Join(m[min(1, len(m)):], " ")
	}
	text, err := os.ReadFile(filepath.Join(j.result, folder.ResultFile))
	if err != nil {
		t.Fatal(err)
	}
	var r result.Result
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d commands: %.3g %%, %s", len(j.commands), r.Fit.RelativeError.Stacked, r.Grade.Value)
	if !(r.Fit.RelativeError.Stacked <= j.error) {
		t.Errorf("relative error %.3g %%, want %g at most", r.Fit.RelativeError.Stacked, j.error)
	}
	model, err := format.Open(j.model, robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range model.Links {
		if l.Joint.Kind != robot.Fixed && !(l.Own.Mass() > 0) {
			t.Errorf("link %s weighs %g kg", l.Name, l.Own.Mass())
		}
	}
}
