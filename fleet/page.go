package fleet

import (
	"cmp"
	"context"
	_ "embed"
	"html/template"
	"io"
	"maps"
	"math"
	"slices"

	"ident/fleet/store"
)

//go:embed page.html
var pageText string

// most is the number of rows of each table of the page.
const most = 50

// pageRow is a row of one of the page's tables.
type pageRow struct {
	Robot, Parameter, When string
	Percent, Z             float64
	Bar                    float64 // per cent of the largest
}

// pageData is the content of the page.
type pageData struct {
	Robots, Marked int
	Counts         Counts
	Outliers       []pageRow
	Drifts         []pageRow
	Worst          []pageRow
	Reasons        []pageRow
	Populations    []Population
	Level          float64
}

// alone gives an element the one key of the page.
func alone(j Judged) (int, Judged) { return 0, j }

// writePage writes index.html.
type writePage struct {
	Folder string
}

func (w *writePage) ProcessElement(ctx context.Context, _ int, robots func(*Judged) bool, counts func(*Counts) bool, populations func(*Population) bool) error {
	d := pageData{Level: 100 * Level}
	counts(&d.Counts)
	for {
		var p Population
		if !populations(&p) {
			break
		}
		d.Populations = append(d.Populations, p)
	}
	slices.SortFunc(d.Populations, func(a, b Population) int { return cmp.Compare(a.File, b.File) })
	for _, j := range sorted(robots) {
		d.Robots++
		if len(j.Outliers)+len(j.Drifts) > 0 {
			d.Marked++
		}
		for _, o := range j.Outliers {
			d.Outliers = append(d.Outliers, pageRow{Robot: j.Robot, Parameter: o.Parameter, Percent: o.PercentBeside, Z: o.Z})
		}
		for _, c := range j.Drifts {
			d.Drifts = append(d.Drifts, pageRow{Robot: j.Robot, Parameter: c.Parameter, When: day(c.Start), Percent: c.Percent, Z: c.Z})
		}
		for _, l := range j.Worst {
			d.Worst = append(d.Worst, pageRow{Robot: j.Robot, Parameter: l.Log, Percent: l.Percent, Z: l.Percent})
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(d.Counts.Reasons)) {
		d.Reasons = append(d.Reasons, pageRow{Parameter: reason, Z: float64(d.Counts.Reasons[reason])})
	}
	for _, rows := range []*[]pageRow{&d.Outliers, &d.Drifts, &d.Worst, &d.Reasons} {
		largest(rows)
	}
	return store.Write(ctx, store.Join(w.Folder, "index.html"), func(to io.Writer) error {
		page, err := template.New("page").Parse(pageText)
		if err != nil {
			return err
		}
		return page.Execute(to, d)
	})
}

// largest keeps the rows with the largest |Z|, in that order, and draws their bars.
func largest(rows *[]pageRow) {
	r := *rows
	slices.SortStableFunc(r, func(a, b pageRow) int { return -cmp.Compare(math.Abs(a.Z), math.Abs(b.Z)) })
	r = r[:min(most, len(r))]
	for i := range r {
		r[i].Bar = 100 * math.Abs(r[i].Z) / math.Max(math.Abs(r[0].Z), 1e-300)
	}
	*rows = r
}
