package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"ident/internal/long"
)

// streamRows is how many rows of a stream are damaged: a running fit begins behind two seconds.
const streamRows = 350

// streamed is a result with the commands that read a stream by it, and a stream in both forms.
type streamed struct {
	watch, follow []string
	csv, json     [][]byte // lines
}

// sixJoints is an arm whose tip moves freely: its rows have a wrench too.
func sixJoints() string {
	var b strings.Builder
	b.WriteString(`<robot name="arm"><link name="l0"/>`)
	for i := range 6 {
		fmt.Fprintf(&b, `<link name="l%[2]d"><inertial><origin xyz="0.01 0.02 0.1"/><mass value="%[3]g"/><inertia ixx=".05" ixy="0" ixz="0" iyy=".05" iyz="0" izz=".03"/></inertial></link>
<joint name="j%[2]d" type="revolute"><parent link="l%[1]d"/><child link="l%[2]d"/><origin xyz="0 0 0.2"/><axis xyz="%[4]s"/><limit lower="-2" upper="2" velocity="%[2]d" effort="50"/><dynamics damping="0.3" friction="0.4"/></joint>
`, i, i+1, 3-0.3*float64(i), []string{"0 0 1", "0 1 0", "0 1 0", "1 0 0", "0 1 0", "1 0 0"}[i])
	}
	return b.String() + "</robot>"
}

// sixMotions is a motion of sixJoints.
func sixMotions() string {
	var joints []string
	for i := range 6 {
		joints = append(joints, fmt.Sprintf(`{"name": "j%d", "q0": 0.5, "a": [%g, 0.4, %g], "b": [0.5, %g, 0.1]}`, i+1, 0.3-0.1*float64(i), -0.7+0.2*float64(i), -0.4+0.15*float64(i)))
	}
	return `{"schema": "ident.trajectory/1", "form": "", "period_s": 5, "joints": [` + strings.Join(joints, ",") + "]}"
}

func streamFiles(t testing.TB) streamed {
	t.Helper()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	arm, motion := twoJoints, `{"schema": "ident.trajectory/1", "form": "", "period_s": 5, "joints": [
 {"name": "shoulder", "q0": -0.5, "a": [0.3, 0.4, -0.7], "b": [0.5, -0.4, 0.1]},
 {"name": "elbow", "q0": 0.2, "a": [-0.6, 0.1, 0.5], "b": [0.3, 0.6, -0.5]}]}`
	if long.Set() {
		arm, motion = sixJoints(), sixMotions()
	}
	for name, text := range map[string]string{"arm.urdf": arm, "motion.json": motion} {
		if err := os.WriteFile(at(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		{"simulate", at("arm.urdf"), "--trajectory", at("motion.json"), "--rate", "100", "--torque-noise", "0.1", "-o", at("log.csv")},
		{"fit", at("log.csv"), "--robot", at("arm.urdf"), "--plain", "-q", "-o", at("result")},
	} {
		if code, text := runGuarded(args); code != exitDone && code != exitVerdict {
			t.Fatalf("%v: exit code %d\n%s", args, code, text)
		}
	}
	file, err := os.ReadFile(at("log.csv"))
	if err != nil {
		t.Fatal(err)
	}
	s := streamed{watch: []string{"watch", at("result"), "-", "--quiet-log", at("log.csv"), "--json"}, follow: []string{"fit", "-", "--robot", at("arm.urdf"), "--plain", "--follow", "--json"}}
	var names []string
	for line := range bytes.Lines(file) {
		if line[0] == '#' {
			continue
		}
		s.csv = append(s.csv, bytes.Clone(line))
		fields := strings.Split(strings.TrimSpace(string(line)), ",")
		if names == nil {
			names = fields
			continue
		}
		var row []string
		for i, f := range fields {
			row = append(row, fmt.Sprintf("%q:%s", names[i], f))
		}
		s.json = append(s.json, []byte("{"+strings.Join(row, ",")+"}\n"))
	}
	s.csv, s.json = s.csv[:1+streamRows], s.json[:streamRows]
	return s
}

// damagedStream returns the lines of a stream with damage that knows its structure, and the first damaged line.
func damagedStream(rng *rand.Rand, lines [][]byte) (text []byte, first int) {
	l := make([][]byte, len(lines))
	for i := range lines {
		l[i] = bytes.Clone(lines[i])
	}
	first = len(l)
	words := []string{"nan", "-inf", "1e999", "1e308", "-1e20", "null", "true", "[]", "{}", `"x"`, "0x1p3", "1,5", "", "99999999999999999999", "١", "--1", "1e", strings.Repeat("9", 400)}
	for range 1 + rng.IntN(4) {
		at := rng.IntN(len(l))
		if rng.IntN(8) == 0 {
			at = 0
		}
		first = min(first, at)
		b := l[at]
		fields := bytes.Split(bytes.TrimRight(b, "\n"), []byte(","))
		joined := func() []byte { return append(bytes.Join(fields, []byte(",")), '\n') }
		f := rng.IntN(len(fields))
		switch rng.IntN(22) {
		case 0: // cut
			l[at] = b[:rng.IntN(len(b))]
		case 1:
			l[at] = append(b[:rng.IntN(len(b))], '\n')
		case 2: // doubled
			l = slices.Insert(l, at, b, b)
		case 3: // in another order
			to := rng.IntN(len(l))
			l[at], l[to] = l[to], l[at]
			first = min(first, to)
		case 4:
			rng.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
			l[at] = joined()
		case 5:
			fields = slices.Delete(fields, f, f+1)
			l[at] = joined()
		case 6:
			fields = slices.Insert(fields, f, fields[f])
			l[at] = joined()
		case 7, 8, 9: // another value, and its kind
			value := words[rng.IntN(len(words))]
			if key, _, ok := bytes.Cut(fields[f], []byte(":")); ok && bytes.HasPrefix(b, []byte("{")) {
				value = string(key) + ":" + value
			}
			fields[f] = []byte(value)
			l[at] = joined()
		case 10:
			l[at] = append([]byte("\xef\xbb\xbf"), b...)
		case 11:
			l[at] = slices.Insert(b, rng.IntN(len(b)), 0)
		case 12:
			l[at] = slices.Insert(b, rng.IntN(len(b)), bytes.Repeat([]byte{byte(rng.IntN(256))}, 1<<(10+rng.IntN(12)))...)
		case 13: // names again, of other channels, in another order
			names := bytes.Split(bytes.TrimSpace(lines[0]), []byte(","))
			if rng.IntN(2) == 0 {
				rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
			}
			if rng.IntN(3) == 0 {
				names = names[:1+rng.IntN(len(names))]
			}
			l = slices.Insert(l, at, append(bytes.Join(names, []byte(",")), '\n'))
		case 14:
			other := []string{"Traceback (most recent call last):\n", "\n\n", "\r", "# a remark\n", "t;q1\n", "s,deg\n", strings.Repeat("[", 20000) + "\n", strings.Repeat(`{"a":`, 9000) + "\n", "\xff\xfe\x00\n", "PAR1\n", "{\"t\": 1}\n", "\u2028\n"}
			l = slices.Insert(l, at, []byte(other[rng.IntN(len(other))]))
		case 15: // bits
			b[rng.IntN(len(b))] ^= 1 << rng.IntN(8)
		case 16:
			l[at] = bytes.ReplaceAll(b, []byte(","), []byte(";"))
		case 17:
			l[at] = append(bytes.TrimRight(b, "\n"), "\r\n"...)
		case 18: // of another clock
			shift := []string{"1e9", "-5", "1e17", "0"}[rng.IntN(4)]
			for i := at; i < len(l); i++ {
				if key, rest, ok := bytes.Cut(l[i], []byte(",")); ok && !bytes.HasPrefix(key, []byte("{")) {
					l[i] = slices.Concat([]byte(shift), key[min(1, len(key)):], []byte(","), rest)
				}
			}
		case 19: // lines lost, or all behind
			l = slices.Delete(l, at, min(len(l), at+1+rng.IntN(40)))
			if len(l) == 0 {
				return nil, 0
			}
		case 20:
			noise := make([]byte, 1+rng.IntN(3000))
			for i := range noise {
				noise[i] = byte(rng.Uint32())
			}
			l = slices.Insert(l, at, noise)
		case 21: // the same for many rows
			for i := at; i < min(len(l), at+60); i++ {
				l[i] = bytes.Clone(b)
			}
		}
	}
	for i := range l {
		if i < len(l) && len(l[i]) == 0 {
			l[i] = []byte("\n")
		}
	}
	return bytes.Join(l, nil), first
}

// listened runs a command on a stream. It fails at an end without words, and at a line of JSON that is none.
func listened(t testing.TB, args []string, text []byte) (code int, rows int) {
	t.Helper()
	var out, errs bytes.Buffer
	code = func() (code int) {
		defer func() {
			if p := recover(); p != nil {
				fmt.Fprint(&errs, "runtime error: ", p)
				code = -1
			}
		}()
		return run(context.Background(), args, streams{in: bytes.NewReader(text), out: &out, data: &out, err: &errs})
	}()
	if code != exitDone && code != exitFailed && code != exitVerdict || strings.Contains(errs.String(), "runtime error") || code != exitDone && errs.Len() == 0 {
		t.Fatalf("%s: exit code %d\n%s\n%q", args[0], code, errs.String(), text[:min(len(text), 3000)])
	}
	if strings.Contains(errs.String(), "unsupported value") {
		t.Fatalf("%s: %s", args[0], errs.String())
	}
	for line := range bytes.Lines(out.Bytes()) {
		if !json.Valid(line) {
			t.Fatalf("%s: a line is no JSON: %s", args[0], line)
		}
		rows++
	}
	return code, rows
}

// Damaged streams end with an answer, and give up no row before the damage: no panic, no hang, no memory that grows.
func TestDamagedStreams(t *testing.T) {
	s := streamFiles(t)
	for _, whole := range [][][]byte{s.csv, s.json} {
		if code, rows := listened(t, s.watch, bytes.Join(whole, nil)); code != exitDone || rows != streamRows {
			t.Fatalf("undamaged: exit code %d, %d rows", code, rows)
		}
	}
	codes := map[string]map[int]int{"watch": {}, "fit": {}}
	slowest := time.Duration(0)
	for k := range long.Draws(2000, 150, 3) {
		rng := rand.New(rand.NewPCG(56, uint64(k)))
		lines, head := s.csv, 1
		if k%2 == 1 {
			lines, head = s.json, 0
		}
		text, first := damagedStream(rng, lines)
		began := time.Now()
		code, rows := listened(t, s.watch, text)
		codes["watch"][code]++
		if code != exitFailed && rows < first-head {
			t.Errorf("mutant %d: %d rows, and %d stand before the first damaged line", k, rows, first-head)
		}
		if k%4 < 2 {
			code, _ = listened(t, s.follow, text)
			codes["fit"][code]++
		}
		slowest = max(slowest, time.Since(began))
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	t.Logf("by exit code: watch %v, fit --follow %v; slowest %v, %d MiB of memory", codes["watch"], codes["fit"], slowest.Round(time.Millisecond), memory.Sys>>20)
	if memory.Sys > 1<<30 {
		t.Errorf("%d MiB of memory", memory.Sys>>20)
	}
}

// FuzzStream gives a stream to the commands that read one as it comes: they end with an answer.
func FuzzStream(f *testing.F) {
	s := streamFiles(f)
	for k, text := range []string{"", "t,q1\n0,nan\n", "{\"t\": 0, \"q\": [1, 2]}\n{", "\xef\xbb\xbft;q1\r\n0,5;1\r\n", "t,q1\n0,1\nt,q1\n"} {
		f.Add(k%2 == 0, []byte(text))
	}
	f.Add(true, []byte("\x00\n\x01\n")) // no row at all
	f.Add(true, slices.Concat(bytes.Join(s.csv[:12], nil), []byte("1,2,3\n\x00\n"), bytes.Join(s.csv[12:20], nil)))
	f.Fuzz(func(t *testing.T, watched bool, text []byte) {
		args := s.follow
		if watched {
			args = s.watch
		}
		listened(t, args, text)
	})
}
