package opening

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"

	"ident/identify/project"
	"ident/report"
)

//go:embed page
var pageFiles embed.FS

// The ways in which the page asks the program: of the server that it came from, or of the laboratory in whose frame it is.
const (
	Served = "served.js"
	Framed = "framed.js"
)

// Page returns the page, which is the same for every log. asks is Served or Framed.
func Page(asks string) ([]byte, error) {
	style, script, err := report.Assets()
	if err != nil {
		return nil, fmt.Errorf("the page of a log: %w", err)
	}
	t, err := template.ParseFS(pageFiles, "page/open.tmpl")
	if err != nil {
		return nil, fmt.Errorf("the page of a log: %w", err)
	}
	for _, part := range []struct {
		of   *string
		name string
	}{{&style, "open.css"}, {&script, asks}, {&script, "open.js"}} {
		text, err := pageFiles.ReadFile("page/" + part.name)
		if err != nil {
			return nil, fmt.Errorf("the page of a log: %w", err)
		}
		*part.of += string(text)
	}
	var b bytes.Buffer
	err = t.Execute(&b, struct {
		Version string
		Style   template.CSS
		Script  template.JS
	}{project.Version, template.CSS(style), template.JS(script)})
	return b.Bytes(), err
}
