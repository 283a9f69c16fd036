// Package schema makes JSON Schemas (draft 2020-12) of documents from the Go types that they are written from, with
// the comments of the source as descriptions, and checks documents against them.
package schema

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Schema is the part of JSON Schema that Go types need.
type Schema struct {
	Dialect     string     `json:"$schema,omitempty"`
	ID          string     `json:"$id,omitempty"`
	Title       string     `json:"title,omitempty"`
	Description string     `json:"description,omitempty"`
	Ref         string     `json:"$ref,omitempty"`
	Type        Types      `json:"type,omitempty"`
	Const       string     `json:"const,omitempty"`
	Properties  Properties `json:"properties,omitempty"`
	Required    []string   `json:"required,omitempty"`
	Items       *Schema    `json:"items,omitempty"`
	MinItems    int        `json:"minItems,omitempty"`
	MaxItems    int        `json:"maxItems,omitempty"`
	// Values of a map, whose keys are names.
	Values *Schema    `json:"additionalProperties,omitempty"`
	AnyOf  []*Schema  `json:"anyOf,omitempty"`
	Defs   Properties `json:"$defs,omitempty"`
}

// Types are the kinds of a value; one alone is written as a string.
type Types []string

// MarshalJSON writes one kind as a string, several as a list.
func (t Types) MarshalJSON() ([]byte, error) {
	if len(t) == 1 {
		return json.Marshal(t[0])
	}
	return json.Marshal([]string(t))
}

// Property is a named schema.
type Property struct {
	Name   string
	Schema *Schema
}

// Properties keep the order in which the documents are written.
type Properties []Property

// Find returns the schema with the given name, nil if there is none.
func (p Properties) Find(name string) *Schema {
	i := slices.IndexFunc(p, func(q Property) bool { return q.Name == name })
	if i < 0 {
		return nil
	}
	return p[i].Schema
}

// MarshalJSON writes an object in the order of the properties.
func (p Properties) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, q := range p {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(q.Name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(q.Schema)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Of returns the schema of a document of type t, named as in "ident.fit/1".
func Of(name string, t reflect.Type, comments Comments) *Schema {
	m := &maker{comments: comments, names: map[reflect.Type]string{}}
	s := m.object(t)
	s.Dialect, s.ID, s.Title = "https://json-schema.org/draft/2020-12/schema", "urn:"+strings.ReplaceAll(name, "/", ":"), name
	if mark := s.Properties.Find("schema"); mark != nil {
		mark.Const = name
	}
	s.Defs = m.defs
	return s
}

// maker collects the types that a document is made of.
type maker struct {
	comments Comments
	names    map[reflect.Type]string
	defs     Properties
}

// of returns the schema of a value of type t.
func (m *maker) of(t reflect.Type) *Schema {
	switch {
	case t == reflect.TypeFor[json.RawMessage]():
		return &Schema{}
	case t.Implements(reflect.TypeFor[encoding.TextMarshaler]()):
		return &Schema{Type: Types{"string"}}
	case t.Implements(reflect.TypeFor[json.Marshaler]()):
		return &Schema{}
	}
	switch t.Kind() {
	case reflect.Bool:
		return &Schema{Type: Types{"boolean"}}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return &Schema{Type: Types{"integer"}}
	case reflect.Float32, reflect.Float64:
		return &Schema{Type: Types{"number"}}
	case reflect.String:
		return &Schema{Type: Types{"string"}}
	case reflect.Interface:
		return &Schema{}
	case reflect.Pointer:
		return orNull(m.of(t.Elem()))
	case reflect.Array:
		return &Schema{Type: Types{"array"}, Items: m.of(t.Elem()), MinItems: t.Len(), MaxItems: t.Len()}
	case reflect.Slice:
		return &Schema{Type: Types{"array", "null"}, Items: m.of(t.Elem())}
	case reflect.Map:
		return &Schema{Type: Types{"object", "null"}, Values: m.of(t.Elem())}
	case reflect.Struct:
		if t.Name() == "" {
			return m.object(t)
		}
		return &Schema{Ref: "#/$defs/" + m.define(t)}
	}
	panic(fmt.Sprintf("schema: no document holds a %s", t))
}

// orNull returns a schema whose value may be missing.
func orNull(s *Schema) *Schema {
	if len(s.Type) > 0 && !slices.Contains(s.Type, "null") {
		s.Type = append(s.Type, "null")
		return s
	}
	if s.Ref != "" {
		return &Schema{AnyOf: []*Schema{s, {Type: Types{"null"}}}}
	}
	return s
}

// define puts a struct among the definitions, and returns its name there.
func (m *maker) define(t reflect.Type) string {
	if name, ok := m.names[t]; ok {
		return name
	}
	name := strings.ToUpper(t.Name()[:1]) + t.Name()[1:]
	if m.defs.Find(name) != nil {
		path := strings.Split(t.PkgPath(), "/")
		name = path[len(path)-1] + "." + name
	}
	m.names[t] = name
	at := len(m.defs)
	m.defs = append(m.defs, Property{Name: name})
	m.defs[at].Schema = &Schema{} // a type that holds itself finds its name
	*m.defs[at].Schema = *m.object(t)
	return name
}

// object returns the schema of a struct.
func (m *maker) object(t reflect.Type) *Schema {
	s := &Schema{Type: Types{"object"}, Description: m.comments.of(t, "")}
	m.fields(t, s)
	return s
}

// fields adds the fields of a struct to an object; those of embedded structs are its own.
func (m *maker) fields(t reflect.Type, s *Schema) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-":
			continue
		case f.Anonymous && name == "":
			e := f.Type
			if e.Kind() == reflect.Pointer {
				e = e.Elem()
			}
			m.fields(e, s)
			continue
		case !f.IsExported():
			continue
		case name == "":
			name = f.Name
		}
		p := m.of(f.Type)
		if about := m.comments.of(t, f.Name); about != "" {
			if p.Ref != "" {
				p = &Schema{Ref: p.Ref}
			}
			p.Description = about
		}
		if !strings.Contains(options, "omitempty") && !strings.Contains(options, "omitzero") {
			s.Required = append(s.Required, name)
		}
		s.Properties = append(s.Properties, Property{name, p})
	}
}
