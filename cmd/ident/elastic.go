package main

import (
	"errors"
	"fmt"

	"ident/identify/elastic"
)

// toYAML adds to an error about elastic joints how to convert a robot file to YAML, the only format that describes them.
func toYAML(err error) error {
	if errors.As(err, new(*elastic.NoElasticJointError)) || errors.As(err, new(*elastic.MissingError)) {
		return fmt.Errorf("%w\nident robot FILE --to yaml -o arm.yaml writes that form of any robot file", err)
	}
	return err
}
