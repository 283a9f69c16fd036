package identify

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ident/datasets"
	"ident/identify/project"
	"ident/internal/textfile"
	"ident/mechanics/loads"
	"ident/robot"
)

// LoadsQuery asks for the loads of a motion.
type LoadsQuery struct {
	Motion    string  // file of the trajectory or log
	Rate      float64 // Hz, of a trajectory; 0 for 1000
	Payload   string  // LINK=MASS,X,Y,Z or LINK=MASS,X,Y,Z,IXX,IYY,IZZ; kg, m in the link's own frame, kg·m² about its centre
	Catalogue string  // file of motors
	Margin    float64
	Series    string // file for the series of all quantities, "" for none
	Page      string // file for a page, "" for none
	Command   string // printed on the page
	// Vibrations are the natural frequencies along a motion, of a robot with elastic joints, or a note about their absence; nil for
	// none.
	Vibrations func(t []float64, q [][]float64) ([]loads.Vibration, string, error)
}

// LoadsQueryError says that a part of a query makes no sense; Key names the part.
type LoadsQueryError struct{ Key, Value, Why string }

func (e *LoadsQueryError) Error() string { return fmt.Sprintf("%s %s: %s", e.Key, e.Value, e.Why) }

// largestCatalogue bounds the bytes of a file of motors.
const largestCatalogue = 1 << 20

// Loads computes the loads of a motion.
func (s *LoadedRobot) Loads(ctx context.Context, query LoadsQuery) (*loads.Report, error) {
	opt := loads.Options{Margin: query.Margin, Keep: query.Series != "" || query.Page != ""}
	if query.Catalogue != "" {
		text, err := textfile.ReadDocument(query.Catalogue, largestCatalogue)
		if err != nil {
			return nil, fmt.Errorf("catalogue: %w", err)
		}
		if opt.Catalogue, err = loads.ParseCatalogue(string(text)); err != nil {
			return nil, fmt.Errorf("%s: %w", query.Catalogue, err)
		}
	}
	rate := query.Rate
	if rate == 0 {
		rate = 1000
	}
	m, err := s.open(ctx, query.Motion, rate)
	if err != nil {
		return nil, err
	}
	if query.Payload != "" {
		if opt.Payload, err = s.payload(query.Payload); err != nil {
			return nil, err
		}
	}
	out, err := s.of(ctx, m, opt)
	if err != nil {
		return nil, err
	}
	if query.Vibrations != nil {
		var note string
		if out.Vibrations, note, err = query.Vibrations(m.T, m.Q); err != nil {
			return nil, err
		}
		if note != "" {
			out.Notes = append(out.Notes, note)
		}
	}
	if query.Series != "" {
		if err := writeLoadsSeries(query.Series, out.Robot, m.T, out.Columns); err != nil {
			return nil, err
		}
	}
	if query.Page != "" {
		err = s.writePage(query.Page, query.Command, &m.Series, out)
	}
	return out, err
}

// of computes the loads of a motion that is read.
func (s *LoadedRobot) of(ctx context.Context, m *loadsMotion, opt loads.Options) (*loads.Report, error) {
	out, err := loads.Of(ctx, s.Robot, m.Series, opt)
	if err != nil {
		return nil, err
	}
	out.Motion = m.about
	if s.model != nil {
		out.Torques = strings.Replace(out.Torques, "as given", "the identified model of "+s.Name, 1)
		s.deviations(out, &m.Series)
	}
	out.Notes = append(append(slices.Clone(s.notes), m.notes...), out.Notes...)
	return out, nil
}

// deviations fills in those of the peaks, where the model needs the motion alone.
func (s *LoadedRobot) deviations(out *loads.Report, m *loads.Series) {
	if s.model.model.Needs() != 0 {
		return
	}
	for i := range out.Drives {
		d := &out.Drives[i]
		k, ok := slices.BinarySearch(m.T, d.Torque.At)
		if !ok {
			continue
		}
		at := func(x [][]float64) (v []float64) {
			for _, col := range x {
				v = append(v, col[k])
			}
			return v
		}
		d.Sigma = s.model.deviation(i, at(m.Q), at(m.DQ), at(m.DDQ))
	}
}

// payload reads LINK=MASS,X,Y,Z[,IXX,IYY,IZZ].
func (s *LoadedRobot) payload(text string) (*loads.Payload, error) {
	bad := func(why string) (*loads.Payload, error) { return nil, &LoadsQueryError{"payload", text, why} }
	name, numbers, _ := strings.Cut(text, "=")
	v, err := project.ParseNumbers(numbers)
	if err != nil || len(v) != 4 && len(v) != 7 || !(v[0] > 0) {
		return bad("want LINK=MASS,X,Y,Z or LINK=MASS,X,Y,Z,IXX,IYY,IZZ with a positive mass")
	}
	j := slices.IndexFunc(s.Robot.Links, func(l robot.Link) bool { return l.Name == name })
	if j < 0 {
		var names []string
		for _, l := range s.Robot.Links {
			names = append(names, l.Name)
		}
		return bad("the links are " + strings.Join(names, ", "))
	}
	var central [3][3]float64
	for i, x := range v[4:] {
		central[i][i] = x
	}
	body := robot.InertialFromCentral(v[0], [3]float64(v[1:4]), central).InFrame(s.Robot.Links[j].UserFrame)
	return &loads.Payload{Link: j, Body: body, Point: s.Robot.Links[j].UserFrame.P}, nil
}

// metaLoads is the key of the robot's name in a file of loads.
const metaLoads = "ident.loads.robot"

// writeLoadsSeries writes the quantities of all samples, of the robot of that name: .csv, .csv.gz, .parquet or .arrow.
func writeLoadsSeries(path, name string, t []float64, columns []loads.Column) error {
	channels, cols := []datasets.Channel{{Name: "t", Unit: "s"}}, [][]float64{t}
	for _, c := range columns {
		unit := strings.ReplaceAll(c.Unit, "·", ".")
		if unit == "Pa" {
			unit = "" // which logs do not know
		}
		channels, cols = append(channels, datasets.Channel{Name: c.Name, Unit: unit}), append(cols, c.Values)
	}
	return datasets.Write(path, channels, map[string]string{metaLoads: name}, func(w *datasets.Writer) error { return w.Append(cols) })
}
