package datasets

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

// utf16Text returns a text as UTF-16 with its byte order mark.
func utf16Text(text string) string {
	var b bytes.Buffer
	for _, c := range utf16.Encode([]rune("\ufeff" + text)) {
		b.Write([]byte{byte(c), byte(c >> 8)})
	}
	return b.String()
}

// The rows of one motion of two joints are read alike in whatever a program puts around them.
func TestLayoutsOfPrograms(t *testing.T) {
	rows := [][4]float64{{0, 0.25, -1.5, 3}, {0.125, 0.5, -1, 3.5}, {0.25, 0.75, -0.5, 4}} // time, position of b, position of a, torque of b
	table := func(head, between, row string, args func(k int, r [4]float64) []any) string {
		out := []string{head}
		if head == "" {
			out = nil
		}
		for k, r := range rows {
			out = append(out, fmt.Sprintf(row, args(k, r)...))
		}
		return strings.Join(out, between) + between
	}
	plain := func(_ int, r [4]float64) []any { return []any{r[0], r[1], r[2], r[3]} }
	stamped := func(_ int, r [4]float64) []any {
		return []any{1700000000 + int(r[0]), int(r[0] * 1e9), r[1], r[2], r[3]}
	}
	comma := func(k int, r [4]float64) []any {
		var out []any
		for _, v := range plain(k, r) {
			out = append(out, strings.Replace(fmt.Sprint(v), ".", ",", 1))
		}
		return out
	}
	records := func(list any) string {
		text, err := json.Marshal(list)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	var split, values []any
	index, stamps := map[string]any{}, map[string]any{}
	for k, r := range rows {
		split, values = append(split, []float64{r[0], r[1], r[2], r[3]}), append(values, []float64{r[0], r[1], r[2], r[3]})
		index[fmt.Sprint(k)] = map[string]float64{"t": r[0], "q_b": r[1], "q_a": r[2], "tau_b": r[3]}
		stamps[fmt.Sprintf("2026-11-28T11:00:00.%03.0fZ", 1000*r[0])] = map[string]float64{"q_b": r[1], "q_a": r[2], "tau_b": r[3]}
	}
	const names = "t,q_b,q_a,tau_b"
	for _, c := range []struct {
		name, file, text string
		opt              Options
	}{
		{"UTF-16 with tabs and decimal commas", "x.txt", utf16Text(table(strings.ReplaceAll(names, ",", "\t"), "\r\n", "%s\t%s\t%s\t%s", comma)), Options{}},
		{"Latin-1 units", "x.csv", table("Zeit [s];q_b [\xb0];q_a [\xb0];tau_b [Nm]", "\n", "%v;%v;%v;%v", func(_ int, r [4]float64) []any {
			return []any{r[0], r[1] * 180 / math.Pi, r[2] * 180 / math.Pi, r[3]}
		}), Options{}},
		{"a line that names the delimiter", "x.csv", table("sep=;\r\n"+strings.ReplaceAll(names, ",", ";"), "\r\n", "%s;%s;%s;%s", comma), Options{}},
		{"a delimiter behind each row", "x.csv", table(names, "\n", "%v,%v,%v,%v,", plain), Options{}},
		{"a delimiter behind the names", "x.csv", table(names+",", "\n", "%v,%v,%v,%v", plain), Options{}},
		{"a delimiter behind all", "x.csv", table(names+",", "\n", "%v,%v,%v,%v,", plain), Options{}},
		{"LabVIEW", "x.lvm", table("LabVIEW Measurement\t\r\nSeparator\tTab\r\n***End_of_Header***\t\r\n\t\r\nChannels\t3\r\nX0\t0.0\r\n***End_of_Header***\t\r\nX_Value\tq_b\tq_a\ttau_b\tComment", "\r\n", "%v\t%v\t%v\t%v", plain), Options{}},
		{"an oscilloscope of a drive", "x.csv", table("Name;Scope\nDate;Sunday\n\nt;q_b;q_a;tau_b\ns;rad;rad;Nm", "\n", "%v;%v;%v;%v", plain), Options{}},
		{"MATLAB's durations", "x.csv", table(names, "\n", "%v sec,%v,%v,%v", plain), Options{}},
		{"words in all rows", "x.csv", table("t,mode,q_b,q_a,tau_b", "\n", "%v,J1,%v,%v,%v", plain), Options{}},
		{"ros2 topic echo --csv", "x.csv", table("", "\n", "%v,%v,,b,a,%v,%v,0,0,%v,0", stamped), Options{}},
		{"rostopic echo -p", "x.csv", table("%time,field.name0,field.name1,field.position0,field.position1,field.effort0,field.effort1", "\n", "%v,b,a,%v,%v,%v,0", func(_ int, r [4]float64) []any {
			return []any{fmt.Sprintf("%.0f", r[0]*1e9), r[1], r[2], r[3]}
		}), Options{}},
		{"joint states a line", "x.jsonl", table("", "\n", `{"header":{"stamp":{"sec":%v,"nanosec":%v}},"name":["b","a"],"position":[%v,%v],"effort":[%v,0]}`, stamped), Options{}},
		{"rosbridge", "x.jsonl", table("", "\n", `{"op":"publish","msg":{"header":{"stamp":{"secs":%v,"nsecs":%v}},"name":["b","a"],"position":[%v,%v],"effort":[%v,0]}}`, stamped), Options{}},
		{"actuators of a message", "x.jsonl", table("", "\n", `{"timestamp":%v,"actuators":[{"position":%[3]v},{"position":%[2]v,"torque":%[4]v}]}`, plain), Options{}},
		{"pandas, split", "x.json", records(map[string]any{"columns": strings.Split(names, ","), "index": []int{0, 1, 2}, "data": split}), Options{}},
		{"pandas, index", "x.json", records(index), Options{}},
		{"pandas, index of time stamps", "x.json", records(stamps), Options{}},
		{"pandas, values", "x.json", records(values), Options{Columns: strings.Split(names, ",")}},
		{"pandas, table", "x.json", `{"schema":{"fields":[{"name":"t","type":"number"}]},"data":[` + strings.TrimSuffix(table("", ",", `{"t":%v,"q_b":%v,"q_a":%v,"tau_b":%v}`, plain), ",") + `]}`, Options{}},
	} {
		l, err := OpenReader(strings.NewReader(c.text), int64(len(c.text)), c.file, c.opt)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		roles, _, err := MapChannels(l, []string{"a", "b"}, nil)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		cols, err := l.Columns(roles.T, roles.Q[1], roles.Q[0], roles.Tau[1])
		if err != nil || l.Rows() != len(rows) || l.DroppedRows() != 0 {
			t.Errorf("%s: %d rows, %v", c.name, l.Rows(), err)
			continue
		}
		for i, col := range cols {
			for k, v := range col {
				if i == 0 {
					v -= col[0]
				}
				if math.Abs(v-rows[k][i]) > 1e-15 {
					t.Errorf("%s: row %d of %s is %v, want %v", c.name, k, []string{"t", "q_b", "q_a", "tau_b"}[i], v, rows[k][i])
				}
			}
		}
		l.Close()
	}
}

// Names of a list's entries that change within a log are no order of joints.
func TestNamesOfEntriesStay(t *testing.T) {
	line := func(a, b string) string {
		return fmt.Sprintf(`{"t":0,"name":["%s","%s"],"position":[1,2]}`+"\n", a, b)
	}
	for _, text := range []string{line("a", "b") + line("b", "a"), strings.Repeat(line("a", "b"), jsonSample+5) + line("b", "a")} {
		if _, err := OpenReader(strings.NewReader(text), int64(len(text)), "x.jsonl", Options{}); err == nil {
			t.Error("two orders of joints in one log are read")
		}
	}
	csv := "t,name0,position0\n0,a,1\n1,b,2\n"
	if _, err := OpenReader(strings.NewReader(csv), int64(len(csv)), "x.csv", Options{}); err == nil {
		t.Error("two joints in one column are read")
	}
	other := `{"t":0,"q":[1,2,3],"name":["a","b"]}` + "\n" + `{"t":1,"q":[1,2,3],"name":["x","y"]}` + "\n" // names of something else
	l, err := OpenReader(strings.NewReader(other), int64(len(other)), "x.jsonl", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if names := l.Names(); !slices.Equal(names, []string{"t", "q[0]", "q[1]", "q[2]"}) {
		t.Errorf("channels %v", names)
	}
}

// A name of an entry that says what is measured decides its role, but not that of commands.
func TestEntriesSayWhatTheyMeasure(t *testing.T) {
	l := FromColumns("x", []Channel{{Name: "timestamp"}, {Name: "observation.state[0]"}, {Name: "observation.state[1]"}, {Name: "observation.state[2]"}, {Name: "action[0]"}, {Name: "action[1]"}},
		[][]float64{{0}, {1}, {2}, {3}, {4}, {5}}, map[string]string{
			namesKey + "observation.state": `["elbow.pos","elbow.vel","elbow.effort"]`, namesKey + "action": `["elbow.pos","elbow.vel"]`})
	r, _, err := MapChannels(l, []string{"elbow"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := []string{r.Q[0], r.DQ[0], r.Tau[0]}; !slices.Equal(got, []string{"observation.state[0]", "observation.state[1]", "observation.state[2]"}) {
		t.Errorf("roles %q", got)
	}
}
