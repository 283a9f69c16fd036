package datasets

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func logOf(header string) *Log {
	var channels []Channel
	for _, n := range strings.Split(header, ",") {
		channels = append(channels, Channel{Name: n})
	}
	return FromColumns("log", channels, make([][]float64, len(channels)), nil)
}

func show(r Roles) string {
	return fmt.Sprintf("%s|%s|%s|%s|%s|%s", r.T, strings.Join(r.Q, " "), strings.Join(r.DQ, " "), strings.Join(r.DDQ, " "), strings.Join(r.Tau, " "), strings.Join(r.Current, " "))
}

func TestChannelsFindTheirJoints(t *testing.T) {
	for _, c := range []struct{ name, header, joints, override, want string }{
		{"own names", "t,q1,q2,dq1,dq2,ddq1,ddq2,tau1,tau2,i1,i2", "a,b", "", "t|q1 q2|dq1 dq2|ddq1 ddq2|tau1 tau2|i1 i2"},
		{"any order and case", "Tau2,Q1,TIME,Q2,Tau1", "a,b", "", "TIME|Q1 Q2| | |Tau1 Tau2| "},
		{"separators", "timestamp,pos_1,pos_2,velocity.1,velocity.2,effort[1],effort[2]", "a,b", "", "timestamp|pos_1 pos_2|velocity.1 velocity.2| |effort[1] effort[2]| "},
		{"counted from 0", "t,q0,q1,current_0,current_1", "a,b", "", "t|q0 q1| | | |current_0 current_1"},
		{"counted from 0 in brackets", "t,qd[0],qd[1],position[0],position[1]", "a,b", "", "t|position[0] position[1]|qd[0] qd[1]| | | "},
		{"positions counted from 0, torques from 1", "t,q0,q1,tau1,tau2", "a,b", "", "t|q0 q1| | |tau1 tau2| "},
		{"joint names", "t,q_elbow,tau_elbow,q_Wrist,dq.wrist,shoulder/position", "shoulder,elbow,wrist", "", "t|shoulder/position q_elbow q_Wrist|  dq.wrist|  | tau_elbow |  "},
		{"joint names that end in digits", "t,q_joint2,q_joint1,tau_joint1", "joint1,joint2", "", "t|q_joint1 q_joint2| | |tau_joint1 | "},
		{"digits of a name are no place", "t,q_base,q_j1,tau_j1", "base,j1", "", "t|q_base q_j1| | | tau_j1| "},
		{"one joint", "t,q,q_ref,vir,force", "slider", "", "t|q|||force|"},
		{"desired values are no roles", "t,q1,q2,q_ref1,dq_des1,i1,i2,i_des1,i_des2,tau_des1,tau_des2,q_d1,vir", "a,b", "", "t|q1 q2| | | |i1 i2"},
		{"some joints only", "t,q2,tau2", "a,b,c", "", "t| q2 |  |  | tau2 |  "},
		{"more than the robot has", "t,q1,q2,q3", "a,b", "", "t|q1 q2| | | | "},
		{"override", "stamp_us,q1,q2,motor_a,motor_b,tau1,tau2", "a,b", "t=stamp_us tau1=motor_a tau_b=motor_b", "stamp_us|q1 q2| | |motor_a motor_b| "},
		{"override takes away", "t,q1,q2,dq1,dq2", "a,b", "dq1= dq2=", "t|q1 q2| | | | "},
		{"override of one joint", "t,q,u", "slider", "tau=u", "t|q|||u|"},
		{"better names win", "t,q1,pos1,position_1,effort1,torque1", "a", "", "t|q1|||torque1|"},
		{"PlotJuggler", "__time,/joint_states/position[0],/joint_states/position[1],/joint_states/effort[0],/joint_states/effort[1]", "a,b", "",
			"__time|/joint_states/position[0] /joint_states/position[1]| | |/joint_states/effort[0] /joint_states/effort[1]| "},
		{"joints behind a path", "/arm/joint_states/header/stamp,/arm/joint_states/b/position,/arm/joint_states/a/position,/arm/joint_states/a/effort", "a,b", "",
			"/arm/joint_states/header/stamp|/arm/joint_states/a/position /arm/joint_states/b/position| | |/arm/joint_states/a/effort | "},
		{"rostopic echo -p", "%time,field.header.seq,field.position0,field.position1,field.velocity0,field.effort0", "a,b", "",
			"%time|field.position0 field.position1|field.velocity0 | |field.effort0 | "},
		{"other messages are no measurements", "t,/joint_states/position[0],/joint_states_desired/position[0],/desired/joint_states/position[0],/controller/position[0]", "a", "",
			"t|/joint_states/position[0]||||"},
		{"the plain name counts more", "t,q1,/joint_states/q1,tau1", "a", "", "t|q1|||tau1|"},
		{"a force sensor beside", "t,q1,q2,tau1,tau2,force0,force1,force2", "a,b", "", "t|q1 q2| | |tau1 tau2| "},
	} {
		t.Run(c.name, func(t *testing.T) {
			override := map[string]string{}
			for _, o := range strings.Fields(c.override) {
				k, v, _ := strings.Cut(o, "=")
				override[k] = v
			}
			r, _, err := MapChannels(logOf(c.header), strings.Split(c.joints, ","), override)
			if err != nil || show(r) != c.want {
				t.Errorf("%s, %v, want %s", show(r), err, c.want)
			}
		})
	}
}

func TestMappingErrors(t *testing.T) {
	for _, c := range []struct {
		name, header, override string
		kind                   error
		want                   string
	}{
		{"nobody", "t,qm1,qm2,taum1", "", ErrNoJoint, "the channels are t, qm1, qm2, taum1; expected are q1…q2"},
		{"a clock in numbers of no unit, by its name milliseconds", "time_ms,q1,q2", "", ErrNoClock, `"time_ms" looks like one in ms: map t=time_ms units time_ms=ms`},
		{"no joint, with a torque", "t,pq,my_torque,temperature", "", ErrNoJoint, "as in map tau1=my_torque"},
		{"two paths of equal right", "t,/left/joint_states/q1,/right/joint_states/q1", "", ErrAmbiguous, "both look like q1"},
		{"no clock", "q1,q2", "", ErrNoClock, "expected is one of t, time"},
		{"two clocks", "t,T,q1", "", ErrAmbiguous, `"t" and "T"`},
		{"two of equal right", "t,q1,q_1", "", ErrAmbiguous, "map one, as in q1=q1"},
		{"neither from 0 nor from 1", "t,q0,q1,q2", "", ErrAmbiguous, "from 0 to 2 for a robot of 2 joints"},
		{"from 0 and from 1", "t,q0,q1,tau2", "", ErrAmbiguous, "counts joints from 0"},
		{"override to nowhere", "t,q1,force", "tau1=forc", ErrNoChannel, "did you mean force?"},
		{"override of nothing", "t,q1", "torq1=q1", ErrRole, "expected t, or q"},
		{"override of a joint too many", "t,q1", "q3=q1", ErrRole, "from 1 to 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			override := map[string]string{}
			if k, v, ok := strings.Cut(c.override, "="); ok {
				override[k] = v
			}
			_, _, err := MapChannels(logOf(c.header), []string{"a", "b"}, override)
			if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %v and %q", err, c.kind, c.want)
			}
		})
	}
}

// dataFolder is the folder of the measured logs.
func dataFolder(t testing.TB) string {
	t.Helper()
	root := os.Getenv("IDENT_DATA")
	if root == "" {
		root = filepath.Join("..", "..", "shared")
	}
	dir := filepath.Join(root, "data")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no measured logs at %s (set IDENT_DATA)", dir)
	}
	return dir
}

func TestMeasuredLogs(t *testing.T) {
	dir := dataFolder(t)
	numbered := func(prefix string, n int) string {
		var s []string
		for i := range n {
			s = append(s, fmt.Sprint(prefix, i+1))
		}
		return strings.Join(s, " ")
	}
	six, seven := strings.Repeat(" ", 5), strings.Repeat(" ", 6)
	for _, c := range []struct {
		file   string
		rows   int
		joints int
		want   string
	}{
		{"kuka_lwr4/measurements_1.csv.gz", 5027, 7, "t|" + numbered("q", 7) + "|" + numbered("dq", 7) + "|" + numbered("ddq", 7) + "|" + numbered("tau", 7) + "|" + seven},
		{"panda/gaz_exciting_traj_1.csv.gz", 20544, 7, "t|" + numbered("q", 7) + "|" + numbered("dq", 7) + "|" + seven + "|" + numbered("tau", 7) + "|" + seven},
		{"tx40/tx40_joint_side_5kHz.csv.gz", 45000, 6, "t|" + numbered("q", 6) + "|" + six + "|" + six + "|" + numbered("tau", 6) + "|" + six},
		{"emps/emps_training.csv.gz", 24841, 1, "t|q|||force|"},
		{"ur10e/validation/ur-20_01_17-ptp_10_points.csv.gz", 5347, 6, "t|" + numbered("q", 6) + "|" + numbered("dq", 6) + "|" + six + "|" + six + "|" + numbered("i", 6)},
		{"ur10e/defects/ur-19_09_27-11_32_02.csv.gz", 1139, 6, "t|" + numbered("q", 6) + "|" + numbered("dq", 6) + "|" + six + "|" + six + "|" + numbered("i", 6)},
	} {
		l, err := Open(filepath.Join(dir, filepath.FromSlash(c.file)), Options{})
		if err != nil {
			t.Error(err)
			continue
		}
		joints := make([]string, c.joints)
		for i := range joints {
			joints[i] = fmt.Sprintf("joint_%c", 'a'+i)
		}
		r, _, err := MapChannels(l, joints, nil)
		if err != nil || show(r) != c.want || l.Rows() != c.rows {
			t.Errorf("%s: %d rows, %s, %v, want %s", c.file, l.Rows(), show(r), err, c.want)
		}
	}

	cut := filepath.Join(dir, "ur10e", "defects", "ur-20_02_19_15harm50secLoad.csv.gz")
	_, err := Open(cut, Options{})
	var fe *FileError
	if !errors.Is(err, ErrTruncated) || !errors.As(err, &fe) || fe.Line != 6108 {
		t.Errorf("the truncated log: %v", err)
	}
	l, err := Open(cut, Options{BadRows: Drop})
	if err != nil || l.Rows() != 6106 || !slices.ContainsFunc(l.Dropped(), func(b Bad) bool { return b.Line == 6108 }) {
		t.Errorf("the truncated log without its last line: %v", err)
	}
}

// A clock whose name has its unit is read in it.
func TestClockWithUnit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.csv")
	if err := os.WriteFile(path, []byte("timestamp_us,q1\n0,1\n2000,2\n4000,3\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	r, _, err := MapChannels(l, []string{"j"}, nil)
	if err != nil || r.T != "timestamp_us" {
		t.Fatalf("%+v, %v", r, err)
	}
	if cols, err := l.Columns(r.T); err != nil || cols[0][2] != 0.004 {
		t.Errorf("%v, %v", cols, err)
	}
}
