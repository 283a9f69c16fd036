package report

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"ident/internal/browser"
	"ident/result"
)

// manySides is a comparison of more sides than have columns of their own, with the worst names.
func manySides() *result.Comparison {
	c := newComparison()
	for i := range 6 {
		name := fmt.Sprintf("<script>alert(%d)</script> a/folder/with/a/name/that/has/no/place/to/break", i)
		c.Sides = append(c.Sides, result.ComparedSide{Name: name, Fit: &result.Relative{Stacked: 3}, Condition: &result.Condition{Scaled: 60}, Terms: []string{"links", "Fv"}})
		c.Logs[0].Errors = append(c.Logs[0].Errors, c.Logs[0].Errors[0])
		c.Apart = append(c.Apart, result.SideDistance{Side: name, Why: "too few degrees of freedom"})
		for k := range c.Parameters {
			s := c.Parameters[k].Sides[0]
			s.Value += 0.05 * float64(i)
			s.Difference = &result.Difference{Deviations: 0.1 * float64(i)}
			c.Parameters[k].Sides = append(c.Parameters[k].Sides, s)
		}
	}
	c.Warnings = []string{"a log of one side trained another"}
	return c
}

// testCompared opens the page of a comparison, and the report of a result with one.
func testCompared(t *testing.T, b *browser.Browser, quiet func(*testing.T, *browser.Page)) {
	for name, c := range map[string]*result.Comparison{"two sides": newComparison(), "eight sides": manySides()} {
		path := filepath.Join(t.TempDir(), "compare.html")
		w, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := CompareHTML(w, c, Options{Version: "1", Command: "ident compare monday.ident arm.urdf --html compare.html"}); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		p := b.Open(t, (&url.URL{Scheme: "file", Path: path}).String(), 1280, 800)
		rows := `[...document.querySelectorAll('.compared tbody tr')]`
		p.Truth(name+": the difference that is no chance first", rows+`[0].textContent.includes('apart') && `+rows+`[0].textContent.includes('differs') && !`+rows+`[1].textContent.includes('differs')`)
		p.Truth(name+": the headline on the first screen", `document.querySelector('.card table').getBoundingClientRect().bottom <= 800 && document.querySelector('.card table tbody').textContent.includes('monday') && document.querySelector('#compared-title').textContent.includes('1 difference of 2')`)
		p.Truth(name+": intervals over one another", `(() => { const at = [...document.querySelectorAll('.compared tbody tr:first-child path.point')].map(e => e.getBoundingClientRect()); return at.length === `+fmt.Sprint(len(c.Sides))+` && at[0].bottom <= at[1].top && at[0].left < at[1].left; })()`)
		p.Truth(name+": a picture has words", `document.querySelector('.picture [role=img]').getAttribute('aria-label').startsWith('A from')`)
		sides := `[...document.querySelectorAll('.card table tbody th')].map(e => e.textContent).join('')`
		byName := `[...document.querySelectorAll('.card table .sort')].find(b => b.textContent === 'Name').click()`
		var up, down string
		p.Eval(byName, nil)
		p.Eval(sides, &up)
		p.Eval(byName, nil)
		if p.Eval(sides, &down); up == down || len(up) != len(down) {
			t.Errorf("%s: sides by name %s, from below %s", name, up, down)
		}
		p.Eval(`document.querySelector('details.section summary').focus()`, nil)
		p.Key("Enter")
		p.Truth(name+": a section opens by the keyboard", `document.querySelector('details.section').open && document.querySelector('details.section table tbody').textContent.includes('all joints')`)
		p.Eval(`document.getElementById('theme').click()`, nil)
		p.Truth(name+": a theme", `document.documentElement.dataset.theme === 'dark' || getComputedStyle(document.body).backgroundColor === 'rgb(21, 25, 29)'`)
		p.Eval(`for (const d of document.querySelectorAll('details')) d.open = true`, nil)
		p.Truth(name+": no sideways scroll", "!("+sideways+")")
		p.Resize(390, 844)
		p.Truth(name+": no sideways scroll at 390 px", "!("+sideways+") && document.querySelector('.compared').scrollWidth <= innerWidth")
		quiet(t, p)
	}

	f := newFixture(4, 300)
	f.compared = manySides()
	p := b.Open(t, writePage(t, f), 1280, 800)
	p.Truth("a comparison waits in its section", `!document.getElementById('compared').open && !document.querySelector('#choices').open`)
	p.Eval(`document.querySelector('#choices').open = true; document.querySelector('#compared summary').focus()`, nil)
	p.Key("Enter")
	p.Truth("and opens", `document.getElementById('compared').open && document.querySelectorAll('#compared .compared tbody tr').length === 3 && document.querySelector('#compared summary').textContent.startsWith('8 fits side by side')`)
	p.Resize(390, 844)
	p.Truth("no sideways scroll", "!("+sideways+")")
	quiet(t, p)
}
