package scene

import (
	"embed"
	"fmt"
	"html/template"
	"strings"

	"ident/internal/rowlist"
)

// viewerFiles are the viewer's scripts, style and elements, part of the binary.
//
//go:embed viewer
var viewerFiles embed.FS

// Script returns the viewer: it defines startRobot(figure, scene), which returns the viewer of a figure made by
// [Scene.Figure]. It expects nothing of the page but the colours of the style, as custom properties of the root.
func Script() (string, error) {
	var b strings.Builder
	b.WriteString("const startRobot = (() => {\n'use strict';\n")
	for _, name := range []string{"space.js", "motion.js", "camera.js", "parts.js", "webgl.js", "flat.js", "player.js", "viewer.js"} {
		text, err := viewerFiles.ReadFile("viewer/" + name)
		if err != nil {
			return "", fmt.Errorf("scene: %w", err)
		}
		b.Write(text)
	}
	b.WriteString("return (figure, scene) => new RobotViewer(figure, scene);\n})();\n")
	return b.String(), nil
}

// Style returns the style of the figure.
func Style() (string, error) {
	text, err := viewerFiles.ReadFile("viewer/viewer.css")
	if err != nil {
		return "", fmt.Errorf("scene: %w", err)
	}
	return string(text), nil
}

// Figure returns the figure of a scene for html/template, with the parts of the scene that can be switched.
func (s *Scene) Figure() (template.HTML, error) {
	t, err := template.ParseFS(viewerFiles, "viewer/figure.tmpl")
	if err != nil {
		return "", fmt.Errorf("scene: %w", err)
	}
	f := figure{Scene: s, Frames: len(s.Motions) == 0}
	for _, l := range s.Links {
		f.File = f.File || l.File != nil && l.File.Centre != nil
		f.Identified = f.Identified || l.Identified != nil && l.Identified.Centre != nil
		f.Impossible = f.Impossible || l.Identified != nil && l.Identified.Why != ""
		if l.Identified != nil && l.Identified.Large || l.File != nil && l.File.Large {
			f.Large = append(f.Large, l.Name)
		}
		f.Doubt = f.Doubt || l.Identified != nil && l.Identified.Doubt != nil
	}
	for _, shape := range s.Shapes {
		f.Meshes = f.Meshes || shape.Surface != nil
	}
	f.Words = s.words()
	var b strings.Builder
	if err := t.ExecuteTemplate(&b, "figure.tmpl", f); err != nil {
		return "", fmt.Errorf("scene: %w", err)
	}
	return template.HTML(b.String()), nil
}

type figure struct {
	*Scene
	Words                               string // the figure in words
	File, Identified, Impossible, Doubt bool
	Meshes                              bool
	Frames                              bool     // are shown at first
	Large                               []string // links with a body larger than they can be
}

// words describe the figure to those who do not see it.
func (s *Scene) words() string {
	revolute, prismatic := 0, 0
	for _, l := range s.Links {
		switch {
		case l.Coord < 0 || l.Virtual:
		case l.Kind == "prismatic":
			prismatic++
		default:
			revolute++
		}
	}
	var joints []string
	if revolute > 0 {
		joints = append(joints, fmt.Sprintf("%d revolute", revolute))
	}
	if prismatic > 0 {
		joints = append(joints, fmt.Sprintf("%d prismatic", prismatic))
	}
	return fmt.Sprintf("%s in three dimensions: %s joints, %s", s.Name, strings.Join(joints, " and "), rowlist.Plural(len(s.Links), "link"))
}
