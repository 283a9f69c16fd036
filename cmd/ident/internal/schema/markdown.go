package schema

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Markdown writes tables of a document's fields and of its types; types that an earlier document has shown are left out.
func (s *Schema) Markdown(w io.Writer, command string, shown map[string]bool) {
	fmt.Fprintf(w, "\n## %s\n\n%s\n", s.Title, command)
	if s.Description != "" {
		fmt.Fprintf(w, "\n%s\n", sentence(s.Description))
	}
	s.table(w)
	for _, d := range s.Defs {
		if shown[d.Name] {
			continue
		}
		shown[d.Name] = true
		fmt.Fprintf(w, "\n### %s\n", d.Name)
		if d.Schema.Description != "" {
			fmt.Fprintf(w, "\n%s\n", sentence(d.Schema.Description))
		}
		d.Schema.table(w)
	}
}

func (s *Schema) table(w io.Writer) {
	fmt.Fprint(w, "\n| field | type | |\n|---|---|---|\n")
	for _, p := range s.Properties {
		name := "`" + p.Name + "`"
		if !slices.Contains(s.Required, p.Name) {
			name += " ?"
		}
		fmt.Fprintf(w, "| %s | %s | %s |\n", name, p.Schema.word(), strings.ReplaceAll(p.Schema.about(), "|", `\|`))
	}
}

// about returns the description of a field, that of a constant its value.
func (s *Schema) about() string {
	if s.Const != "" {
		return "`" + s.Const + "`"
	}
	return s.Description
}

// sentence ends a description with a full stop.
func sentence(text string) string {
	if strings.HasSuffix(text, ".") {
		return text
	}
	return text + "."
}

// word returns the type of a field in a word; a question mark says that it may be null.
func (s *Schema) word() string {
	null := ""
	if slices.Contains(s.Type, "null") {
		null = ", null"
	}
	switch {
	case s.Ref != "":
		return strings.TrimPrefix(s.Ref, "#/$defs/")
	case len(s.AnyOf) > 0:
		return s.AnyOf[0].word() + ", null"
	case len(s.Type) == 0:
		return "any"
	case s.Items != nil && s.MaxItems > 0:
		return fmt.Sprintf("%d × %s", s.MaxItems, s.Items.word())
	case s.Items != nil:
		return "[" + s.Items.word() + "]" + null
	case s.Values != nil:
		return "{name: " + s.Values.word() + "}" + null
	}
	return s.Type[0] + null
}
