package report

import (
	"flag"
	"os"
	"strings"
	"testing"

	"ident/internal/browser"
)

var axe = flag.String("axe", "", "axe.min.js of axe-core, which then judges the pages of the fixtures")

// testTables sorts a table by numbers, turns the order, gives the first one back, and reads tables as CSV.
func testTables(t *testing.T, b *browser.Browser, quiet func(*testing.T, *browser.Page)) {
	p := b.Open(t, writePage(t, fixtures()["seven joints"]), 1280, 800)
	p.Eval(`for (const d of document.querySelectorAll('details')) d.open = true;
		navigator.clipboard.writeText = async text => { window.copied = text; }`, nil)
	p.Truth("every table with a head has a button to copy", `[...document.querySelectorAll('main table:not(.bars)')].every(x => x.querySelector('caption .copy-csv'))`)
	p.Truth("rows to sort", `(window.errors = document.querySelector('#residuals table')).tBodies[0].rows.length === 7`)
	p.Eval(`window.column = k => [...errors.tBodies[0].rows].map(r => r.cells[k].textContent.trim());
		window.before = column(2); window.head = [...errors.tHead.querySelectorAll('th')].find(h => h.textContent === 'error %')`, nil)
	p.Eval(`head.querySelector('.sort').focus()`, nil)
	p.Key("Enter")
	p.Truth("ascending by the keyboard", `head.getAttribute('aria-sort') === 'ascending' && column(2).every((v, i, all) => !i || +all[i - 1] <= +v)`)
	p.Eval(`head.querySelector('.sort').click()`, nil)
	p.Truth("descending", `head.getAttribute('aria-sort') === 'descending' && column(2).every((v, i, all) => !i || +all[i - 1] >= +v)`)
	p.Eval(`head.querySelector('.sort').click()`, nil)
	p.Truth("as before", `!head.hasAttribute('aria-sort') && String(column(2)) === String(before)`)

	var copied string
	p.Eval(`errors.querySelector('.copy-csv').click()`, nil)
	p.Eval(`copied`, &copied)
	lines := strings.Split(strings.TrimSpace(copied), "\r\n")
	if len(lines) != 9 || !strings.HasPrefix(lines[0], "Joint,Unit,Training error %,Training raw %,") {
		t.Errorf("%d lines of errors, the first %q", len(lines), lines[0])
	}
	for i, line := range lines {
		if n := strings.Count(line, ","); n != strings.Count(lines[0], ",") {
			t.Errorf("line %d has %d commas: %q", i+1, n, line)
		}
	}
	p.Eval(`document.querySelector('#parameters .copy-csv').click()`, nil)
	p.Eval(`copied`, &copied)
	var rows int
	p.Eval(`document.querySelectorAll('#parameter-rows > details').length`, &rows)
	lines = strings.Split(strings.TrimSpace(copied), "\r\n")
	if len(lines) != rows+1 || rows == 0 || !strings.HasPrefix(lines[0], "parameter,link,value,sigma,unit,") {
		t.Errorf("%d lines of %d parameters, the first %q", len(lines), rows, lines[0])
	}
	p.Truth("fields with commas are quoted", `csv([['a,b', 'c"d']]) === '"a,b","c""d"\r\n'`)
	p.Truth("what is empty stands last", `['–', '2', '', '10', '<1'].sort((a, b) => order(a, b, -1)).slice(0, 3).join() === '10,2,<1'`)
	p.Resize(390, 844)
	p.Truth("no sideways scroll at 390 px, all open", "!("+sideways+")")
	quiet(t, p)

	if *axe == "" {
		return
	}
	source, err := os.ReadFile(*axe)
	if err != nil {
		t.Fatal(err)
	}
	for _, scheme := range []string{"light", "dark"} {
		p.Prefer("screen", scheme)
		p.Eval(string(source)+"\n;0", nil)
		var found []string
		p.Eval(`axe.run(document).then(r => r.violations.map(v => v.id + ': ' + v.help + ' (' + v.nodes.length + '): ' + v.nodes[0].target + ' ' + v.nodes[0].failureSummary))`, &found)
		for _, f := range found {
			t.Errorf("%s: %s", scheme, f)
		}
	}
}
