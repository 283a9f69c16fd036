package report

import (
	"context"
	"fmt"
	"strings"

	"ident/result"
)

// Plots draws a result. For each joint it draws the torques over time with the residual (and a close-up of long runs),
// the residual's histogram and its autocorrelation; for the base parameters their values with 95 % intervals, priors
// and relative standard deviations. Parts without data are left out. Errors wrap ErrShape or ErrFormat; if ctx is done,
// drawing ends between two plots with its error.
func Plots(ctx context.Context, res *result.Result, runs []result.ResidualRun, opt Options) ([]Plot, error) {
	svg, png, err := opt.formats()
	if err != nil {
		return nil, err
	}
	if err := checkRuns(res, runs); err != nil {
		return nil, err
	}
	var out []Plot
	// One figure after the other: those of many runs hold a curve of each.
	draw := func(f figure, ok bool) error {
		if err := ctx.Err(); err != nil || !ok {
			return err
		}
		p, err := f.render(svg, png, opt.DPI)
		if err != nil {
			return err
		}
		out = append(out, p)
		return nil
	}
	if ls := lanes(runs); len(ls) > 0 {
		for j := range res.Joints {
			if err := draw(torqueFigure(res, ls, j), true); err != nil {
				return nil, err
			}
			if err := draw(closeUpFigure(res, ls, j)); err != nil {
				return nil, err
			}
		}
		for j := range res.Joints {
			r := rolesOf(runs, j, res.Processing)
			if err := draw(histogramFigure(res, r, j)); err != nil {
				return nil, err
			}
			if err := draw(autocorrelationFigure(res, runs, r, j)); err != nil {
				return nil, err
			}
		}
	}
	pages := forestPages(res.BaseParameters)
	reach := forestReach(res.BaseParameters)
	for i, lines := range pages {
		if err := draw(forestFigure(res, lines, i+1, len(pages), reach), true); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// slug turns a name into part of a file name and of an XML id.
func slug(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(s) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= 40 {
			break
		}
	}
	if s := strings.Trim(b.String(), "-"); s != "" {
		return s
	}
	return fmt.Sprintf("x%d", len(s))
}
