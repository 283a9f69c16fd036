package datasets

import (
	"fmt"
	"slices"
	"strings"
)

// temperatureNames returns the names of temperature channels before a joint's number or name, best first.
func temperatureNames() []string { return []string{"temp", "temperature", "motor_temp", "joint_temp"} }

// isTemperature reports whether a key of a channel map is that of a temperature: temp1, temp_elbow.
func isTemperature(key string) bool {
	return strings.HasPrefix(strings.ToLower(strings.TrimSpace(key)), "temp")
}

// Temperature returns the channel of a joint's temperature, by the joint's number, which counts from 1, and its name:
// that of override ("temp1" or "temp_elbow"), else one that is named so, or temperature, motor_temp or joint_temp with
// number or name; "" where there is none. A channel of override that the log lacks is an error.
func Temperature(l *Log, override map[string]string, number int, joint string) (string, error) {
	var own []string
	for _, name := range temperatureNames() {
		own = append(own, fmt.Sprintf("%s%d", name, number), fmt.Sprintf("%s_%d", name, number), strings.ToLower(name+"_"+joint))
	}
	for _, key := range sortedKeys(override) {
		if ch := override[key]; slices.Contains(own, strings.ToLower(strings.TrimSpace(key))) {
			if ch != "" && !l.Has(ch) {
				return "", &FileError{Path: l.label(), Err: fmt.Errorf("mapping %s=%s: %w", key, ch, noChannel(ch, l.channels))}
			}
			return ch, nil
		}
	}
	for _, want := range own {
		for _, ch := range l.Names() {
			if strings.ToLower(strings.TrimSpace(ch)) == want {
				return ch, nil
			}
		}
	}
	return "", nil
}
