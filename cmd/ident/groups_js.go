package main

// commandGroups lists the commands that the browser laboratory runs. Without the others, and what they alone use, the program
// is smaller to load.
func commandGroups() []group {
	return []group{
		{"First steps", []maker{{"open", newOpen}}},
		{"The robot", []maker{{"robot", newRobot}}},
		{"The experiment", []maker{{"design-trajectory", newDesign}}},
		{"The logs", []maker{{"check", newCheck}, {"convert", newConvert}}},
		{"The result", []maker{{"fit", newFit}, {"validate", newValidate}, {"compare", newCompare}, {"verify", newVerify}, {"export", newExport}}},
		{"The program", []maker{{"version", newVersion}}},
	}
}
