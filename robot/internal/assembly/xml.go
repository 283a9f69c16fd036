package assembly

import (
	"errors"

	"ident/internal/xmltree"
	"ident/robot"
)

// OfXML makes a FileError of a fault of a text of XML; other errors stay.
func OfXML(err error) error {
	var x *xmltree.Error
	if errors.As(err, &x) {
		return &robot.FileError{Line: x.Line, Where: x.Where, Text: x.Text}
	}
	return err
}

// XMLRoot returns the top element of a text in any encoding that robot files have.
func XMLRoot(text []byte) (*xmltree.Node, error) {
	text, _, err := xmltree.ToUTF8(text)
	if err != nil {
		return nil, err
	}
	return xmltree.Parse(text)
}
