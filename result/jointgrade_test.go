package result

import (
	"slices"
	"strings"
	"testing"
)

// Torques and parameters are graded apart: what speaks against the parameters alone leaves the torques sound, parameters are
// doubtful at worst, and only torques are unusable.
func TestTwoGrades(t *testing.T) {
	for _, c := range []struct {
		id                  string
		makes               Level
		torques, parameters Level
	}{
		{"impossible", Doubtful, Sound, Doubtful},
		{"weak-parameters", Doubtful, Sound, Doubtful},
		{"weak-parameters", Unusable, Unusable, Doubtful},
		{"expected-error", Doubtful, Doubtful, Sound},
		{"expected-error", Unusable, Unusable, Sound},
		{"torque-error", Unusable, Unusable, Doubtful},
		{"cross-validation", Doubtful, Doubtful, Doubtful},
		{"units", Unusable, Unusable, Doubtful},
	} {
		g := GradeFor([]Reason{{ID: c.id, Makes: c.makes}})
		if g.Torques.Value != c.torques || g.Parameters.Value != c.parameters || g.Value != c.makes {
			t.Errorf("%s that makes %s: %s, torques %s, parameters %s", c.id, c.makes, g.Value, g.Torques.Value, g.Parameters.Value)
		}
		for _, r := range g.Parameters.Reasons {
			if r.Makes == Unusable {
				t.Errorf("%s makes parameters unusable", r.ID)
			}
		}
	}
	if g := TorqueGradeOf(nil); g.Torques.Value != Sound || g.Parameters.Value != "" {
		t.Errorf("of torques alone: %+v", g)
	}
	if g := GradeFor(nil); g.Parts() != "torques sound, parameters sound" {
		t.Error(g.Parts())
	}
}

// Joints are graded by what is left of their torques and by what is known of their links, and the bodies after them.
func TestJointGrades(t *testing.T) {
	links := func(open ...int) *Result { // the number of open ones of four inertial parameters a link
		res := &Result{}
		for k, n := range open {
			name := string(rune('a' + k))
			res.Joints = append(res.Joints, name)
			for i := range 4 {
				p := BaseParameter{Link: name, Joint: name, Unit: "kg·m²", Value: 1, Sigma: 0.01, RelativeSigmaPercent: 1}
				if i < n {
					p.Sigma, p.RelativeSigmaPercent = 2, 200
				}
				res.BaseParameters = append(res.BaseParameters, p)
			}
			// The drive is known, which says nothing of the body.
			res.BaseParameters = append(res.BaseParameters, BaseParameter{Link: name, Joint: name, Unit: "N·m", Value: 1, Sigma: 0.01, RelativeSigmaPercent: 1})
		}
		res.Fit = errorsOf(5, []float64{5, 40, 90, 90}[:len(open)], []float64{1, 1, 1, 0.001}[:len(open)])
		return res
	}
	res := links(0, 2, 3, 4)
	res.Judge(DefaultLimits())
	want := []JointGrade{{"a", Sound, Known}, {"b", Doubtful, Known}, {"c", Unusable, Weak}, {"d", Doubtful, Unknown}}
	if !slices.Equal(res.JointGrades, want) {
		t.Errorf("%v, want %v", res.JointGrades, want)
	}
	if got := res.NotKnown(); !slices.Equal(got, []string{"c", "d"}) {
		t.Errorf("not known: %v", got)
	}
	if res.Grade.Bodies.Value != BodiesWeak {
		t.Errorf("%+v", res.Grade.Bodies)
	}
	res = links(0, 1)
	res.Judge(DefaultLimits())
	if res.Grade.Bodies.Value != BodiesDetermined || len(res.Grade.Bodies.Reasons) != 0 {
		t.Errorf("%+v", res.Grade.Bodies)
	}
	// One of two gains was given: feasible bodies are not sought all the same.
	res.Gains, res.Impossible = []DriveGain{{Joint: "b", Value: 3}}, []ImpossibleBody{{}}
	if res.Judge(DefaultLimits()); res.Grade.Bodies.Value != BodiesWeak || !strings.Contains(res.Grade.Bodies.Reasons[0].Fix, "{gains} GAIN,3") {
		t.Errorf("bodies beside an estimated gain: %+v", res.Grade.Bodies)
	}
	res.Gains, res.Impossible = nil, nil
	res.Possibility = &PossibleReport{DistanceSigma: 6}
	if res.Judge(DefaultLimits()); res.Grade.Bodies.Value != BodiesContradicted || res.Grade.Torques.Value != Doubtful && res.Grade.Parameters.Value != Doubtful {
		t.Errorf("%+v", res.Grade)
	}
	res = links(0)
	for i := range res.BaseParameters {
		res.BaseParameters[i].Unit = "N·m"
	}
	if res.Judge(DefaultLimits()); res.Grade.Bodies != nil {
		t.Errorf("bodies of a model of drives: %+v", res.Grade.Bodies)
	}
}

// Bodies that an estimator found without looking for feasible ones are no better than weak if they cannot exist.
func TestImpossibleBodiesAreWeak(t *testing.T) {
	links := []ImpossibleBody{{Link: "calf"}, {Link: "calf", Parameter: "Ia3"}, {Link: "hip"}}
	base := []BaseParameter{{Name: "ZZ1R", Unit: "kg·m²"}}
	for _, c := range []struct {
		name  string
		res   *Result
		value BodiesValue
		fix   string
	}{
		{"feasible", &Result{BaseParameters: base}, BodiesDetermined, ""},
		{"of torques", &Result{BaseParameters: base, Impossible: links}, BodiesWeak, "{physically-consistent}"},
		{"without torques", &Result{BaseParameters: base, Impossible: links, Commanded: &Commanded{}}, BodiesWeak, "{bodies} file"},
		{"nearest feasible bodies are written beside", &Result{BaseParameters: base, Impossible: links, Bodies: &Bodies{Of: 1, Determined: 1}}, BodiesDetermined, ""},
	} {
		g := c.res.gradeBodies()
		if g == nil || g.Value != c.value || c.fix != "" && (len(g.Reasons) != 1 || !strings.HasPrefix(g.Reasons[0].Fix, c.fix) || !strings.Contains(g.Reasons[0].Why, "calf and hip together cannot exist")) {
			t.Errorf("%s: %+v", c.name, g)
		}
	}
}
