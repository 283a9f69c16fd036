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

// Temperature returns the channel of a joint's temperature as [JointChannel] finds it; its names are temp, temperature, motor_temp and
// joint_temp.
func Temperature(l *Log, override map[string]string, number int, joint string) (string, error) {
	return JointChannel(l, override, temperatureNames(), number, joint)
}

// JointChannel returns the channel of a signal of one joint that MapChannels does not look for, "" where there is none. The signal's
// names are in lower case, best first. Behind one of them a channel has the joint's number, which counts from 1, its name, or its
// index in brackets, which counts from 0: temp1, temp_1, temp_elbow, temp[0]. A key of override in one of these forms names the
// channel; one that the log lacks is an error.
func JointChannel(l *Log, override map[string]string, names []string, number int, joint string) (string, error) {
	var own []string
	for _, name := range names {
		own = append(own, fmt.Sprintf("%s%d", name, number), fmt.Sprintf("%s_%d", name, number), strings.ToLower(name+"_"+joint), fmt.Sprintf("%s[%d]", name, number-1))
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
