package report_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"ident/internal/browser"
)

var (
	lookAt = flag.String("look", "", "page of which TestLook writes screenshots")
	lookIn = flag.String("into", "", "folder of the screenshots")
	lookDo = flag.String("do", "", "JavaScript that is evaluated before each of them")
)

// TestLook writes screenshots of a page for a look: both widths, light and dark, the whole page, and print.
func TestLook(t *testing.T) {
	if *lookAt == "" {
		t.Skip("no -look page given")
	}
	path, err := filepath.Abs(*lookAt)
	if err != nil {
		t.Fatal(err)
	}
	p := browser.Start(t).Open(t, "file://"+path, 1280, 800)
	save := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(*lookIn, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, scheme := range []string{"light", "dark"} {
		p.Prefer("screen", scheme)
		for _, size := range [][2]int{{1280, 800}, {390, 844}} {
			p.Resize(size[0], size[1])
			p.Eval("new Promise(r=>setTimeout(r,200))", nil)
			if *lookDo != "" {
				p.Eval(*lookDo, nil)
				p.Eval("new Promise(r=>setTimeout(r,300))", nil)
			}
			name := map[int]string{1280: "wide", 390: "narrow"}[size[0]] + "-" + scheme
			save(name+".png", p.Screenshot(false))
			if scheme == "light" {
				save(name+"-whole.png", p.Screenshot(true))
			}
		}
	}
	p.Prefer("", "light") // the printer's own medium
	save("print.pdf", p.PDF())
	for _, s := range append(p.Problems(), p.Requests()...) {
		t.Log(s)
	}
}
