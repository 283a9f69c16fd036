package report

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"ident/internal/digits"
	"ident/result"
)

// filterWords states the filter that both sides of the equation went through,
// in the words that stand beside every error.
func filterWords(p result.Processing) string {
	var s string
	switch {
	case p.Cutoff > 0 && p.Decimate > 1:
		s = fmt.Sprintf("%s zero-phase Butterworth and decimation by %d, both sides", digits.Hertz(p.Cutoff), p.Decimate)
	case p.Cutoff > 0:
		s = fmt.Sprintf("%s zero-phase Butterworth, both sides", digits.Hertz(p.Cutoff))
		if p.KeepEvery > 1 {
			s += fmt.Sprintf(", one row in %d kept", p.KeepEvery)
		}
	case p.Decimate > 1:
		s = fmt.Sprintf("zero-phase FIR decimation by %d, both sides", p.Decimate)
	default:
		s = "none on the torque"
	}
	if p.MotionCutoff > 0 && p.MotionCutoff != p.Cutoff {
		s += fmt.Sprintf("; motion %s", digits.Hertz(p.MotionCutoff))
		if p.Differentiator != "" {
			s += " " + p.Differentiator
		} else if p.Cutoff <= 0 {
			s += " zero-phase Butterworth"
		}
	}
	return s
}

// count prints a number of things.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// termWords are terms with the velocities of Stribeck friction to three digits.
func termWords(terms []string) []string {
	var out []string
	for _, t := range terms {
		name, list, found := strings.Cut(t, ":")
		speeds := strings.FieldsFunc(list, func(r rune) bool { return r == '/' || r == ',' })
		for i, text := range speeds {
			if v, err := strconv.ParseFloat(text, 64); err == nil {
				speeds[i] = digits.Number(v, 3)
			}
		}
		if found {
			name += " at " + strings.Join(speeds, ", ")
		}
		out = append(out, name)
	}
	return out
}

// termNames are terms without the velocities of Stribeck friction.
func termNames(terms []string) string {
	var out []string
	for _, t := range terms {
		name, _, _ := strings.Cut(t, ":")
		out = append(out, name)
	}
	return strings.Join(out, ",")
}

// fact is one line of the description of the fit.
type fact struct{ Name, Value string }

// facts describes robot, model, logs and processing, in the order an engineer asks.
func facts(res *result.Result) []fact {
	p := res.Processing
	var out []fact
	add := func(name, format string, args ...any) {
		if v := strings.TrimSpace(fmt.Sprintf(format, args...)); v != "" {
			out = append(out, fact{name, v})
		}
	}
	add("robot", "%s, %s", orDash(res.Robot.Name), count(res.Robot.DOF, "joint"))
	add("model", "%s", orDash(res.Model))
	add("terms", "%s", strings.Join(termWords(res.Terms), ", "))
	add("estimator", "%s", res.Estimator)
	for _, l := range res.Logs {
		add("log, "+roleWord(l.Role), "%s, rows %s", l.Name, rowsWords(l))
	}
	s := res.Samples
	rate := ""
	if s.RateHz > 0 {
		rate = fmt.Sprintf(" at %s Hz", digits.Setting(s.RateHz))
	}
	add("training rows", "%d read, %d used%s", s.Read, s.Used, rate)
	add("filter", "%s", filterWords(p))
	if p.Cutoff > 0 && p.Order > 0 {
		add("filter order", "%d, before forward-backward doubling", p.Order)
	}
	for _, line := range restLines(res) {
		where, rows, _ := strings.Cut(line, ": rows at rest left out, ")
		add("rows at rest left out", "%s: %s", where, rows)
	}
	if p.Trim > 0 {
		add("ends cut", "%s s at each end", digits.Setting(p.Trim))
	}
	if p.Resampled {
		add("resampled", "to %s Hz", digits.Setting(p.RateHz))
	}
	add("velocity", "%s", fromWord(p.Velocity))
	add("acceleration", "%s", fromWord(p.Acceleration))
	switch p.Torque {
	case "current", "voltage":
		add("torque", "motor %s × gains %s%s", p.Torque, numberList(p.Gains), map[bool]string{true: ", less the back-EMF"}[p.Torque == "voltage"])
	case "torque":
		add("torque", "as logged")
	default:
		add("torque", "%s", p.Torque)
	}
	if len(res.GainDoubts) > 0 {
		var doubts []string
		for _, g := range res.GainDoubts {
			doubts = append(doubts, digits.Setting(g.SigmaPercent))
		}
		add("doubt of gains", "%s %% (standard deviations)", strings.Join(doubts, ", "))
	}
	g := p.Gravity
	add("gravity", "(%s, %s, %s) m/s²", digits.Setting(g[0]), digits.Setting(g[1]), digits.Setting(g[2]))
	add("locked joints", "%s", lockedWords(res))
	return out
}

// rowsWords returns a range of rows as in settings: counted from 1, both ends included.
func rowsWords(l result.LogInfo) string {
	if l.Last <= l.First {
		return "none"
	}
	return fmt.Sprintf("%d to %d", l.First+1, l.Last)
}

// lockedWords names locked joints and where they stand.
func lockedWords(res *result.Result) string {
	names := slices.Clone(res.Locked)
	for joint := range res.Processing.Lock {
		if !slices.Contains(names, joint) {
			names = append(names, joint)
		}
	}
	slices.Sort(names)
	for i, joint := range names {
		if v, ok := res.Processing.Lock[joint]; ok {
			names[i] = joint + " at " + digits.Setting(v)
		}
	}
	return strings.Join(names, ", ")
}

func fromWord(source string) string {
	switch source {
	case "position", "velocity":
		return "differentiated from " + source
	}
	return source
}

func roleWord(role string) string {
	switch role {
	case "train":
		return "training"
	case "validate":
		return "validation"
	}
	return orDash(role)
}

func orDash(s string) string {
	if s == "" {
		return digits.None
	}
	return s
}

func numberList(v []float64) string {
	words := make([]string, len(v))
	for i, x := range v {
		words[i] = digits.Setting(x)
	}
	return strings.Join(words, ", ")
}

// judgement is the block of the page that shows the grade.
type judgement struct {
	Level   result.Level // "" for a result without a grade
	Word    string       // sound, doubtful, unusable or "not graded"
	Line    string
	Parts   string // grades of torques, parameters and bodies in words, "" where they were not graded apart
	Reasons []result.Reason
}

// shownReasons is the number of reasons on the first screen: those beyond are mostly consequences.
const shownReasons = 3

func judge(res *result.Result) judgement {
	j := judgement{Level: res.Grade.Value, Word: string(res.Grade.Value), Parts: res.Grade.Parts(), Reasons: res.Grade.Reasons[:min(len(res.Grade.Reasons), shownReasons)]}
	switch {
	case res.Grade.Value == "":
		j.Word, j.Line = "not graded", "the result carries no grade"
	case len(res.Grade.Reasons) == 0:
		j.Line = "nothing speaks against this result"
	default:
		j.Line = count(len(res.Grade.Reasons), "reason")
	}
	if n := len(remarks(res)); n > 0 {
		j.Line += ", with " + count(n, "remark")
	}
	return j
}

// remarks returns the advice that fails and matters to the use of a result. Residuals with heavy tails cost a sound result
// nothing but wider intervals: they stand in the table of tests alone.
func remarks(res *result.Result) (out []string) {
	for _, v := range res.Verdicts {
		if v.Advice && !v.Pass && !(v.ID == "residual-normality" && res.Grade.Value == result.Sound) {
			out = append(out, v.Why)
		}
	}
	return out
}

// isWeak reports whether the data determine a base parameter badly.
func isWeak(b result.BaseParameter) bool {
	return b.Weak()
}

// relativeSigma returns the relative standard deviation in percent; it is computed where the
// result leaves it out.
func relativeSigma(b result.BaseParameter) float64 {
	if b.RelativeSigmaPercent != 0 || b.Sigma == 0 {
		return b.RelativeSigmaPercent
	}
	return 100 * b.Sigma / math.Abs(b.Value)
}

// countWeak counts the weak base parameters.
func countWeak(res *result.Result) (n int) {
	for _, b := range res.BaseParameters {
		if isWeak(b) {
			n++
		}
	}
	return n
}

// linkGroup is a run of parameters of one link.
type linkGroup[P any] struct {
	Link, Joint string
	Params      []P
}

// byLink groups base parameters by link, keeping their order.
func byLink(params []result.BaseParameter) []linkGroup[result.BaseParameter] {
	return group(params, func(b result.BaseParameter) (string, string) { return b.Link, b.Joint })
}

// stdByLink groups standard parameters by link and frame, keeping their order.
func stdByLink(params []result.StdParameter) []linkGroup[result.StdParameter] {
	return group(params, func(s result.StdParameter) (string, string) { return s.Link, s.Frame })
}

func group[P any](params []P, key func(P) (string, string)) []linkGroup[P] {
	var out []linkGroup[P]
	index := map[[2]string]int{}
	for _, p := range params {
		a, b := key(p)
		k := [2]string{a, b}
		i, ok := index[k]
		if !ok {
			i = len(out)
			index[k] = i
			out = append(out, linkGroup[P]{Link: a, Joint: b})
		}
		out[i].Params = append(out[i].Params, p)
	}
	return out
}

// unit returns the torque unit of a joint.
func unit(res *result.Result, joint int) string {
	if joint < len(res.JointUnits) && res.JointUnits[joint] != "" {
		return res.JointUnits[joint]
	}
	return "N·m"
}

// clean makes a name safe to draw: one line, and printable.
func clean(s string) string {
	return strings.NewReplacer("\n", " ", "\t", " ", "\r", " ").Replace(printable(s))
}

// printable replaces characters that neither XML nor a terminal takes: control characters
// and bytes that are not UTF-8.
func printable(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' && r != '\n' || r > '~' }) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if unprintable(r) {
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// isPrintable returns true if printable would replace nothing in a long text. It tests eight bytes at once for printable ASCII.
func isPrintable(b []byte) bool {
	const each, high = 0x0101010101010101, 0x8080808080808080
	for len(b) > 0 {
		if len(b) >= 8 {
			// A byte below a blank borrows, DEL carries.
			if v := binary.LittleEndian.Uint64(b); (v|(v-' '*each)|(v+each))&high == 0 {
				b = b[8:]
				continue
			}
		}
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 || unprintable(r) {
			return false
		}
		b = b[n:]
	}
	return true
}

func unprintable(r rune) bool {
	return r != '\n' && r != '\t' && r != '\r' && unicode.IsControl(r) || r == 0xFFFE || r == 0xFFFF
}
