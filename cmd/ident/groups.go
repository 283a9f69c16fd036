//go:build !js

package main

// commandGroups lists all commands.
func commandGroups() []group {
	return []group{
		{"First steps", []maker{{"demo", newDemo}, {"open", newOpen}, {"init", newInit}}},
		{"The robot", []maker{{"robot", newRobot}, {"base-params", newBaseParams}, {"evaluate", newEvaluate}, {"codegen", newCodegen}}},
		{"The experiment", []maker{{"design-trajectory", newDesign}, {"simulate", newSimulate}}},
		{"The logs", []maker{{"check", newCheck}, {"convert", newConvert}, {"reduce", newReduce}, {"merge", newMerge}}},
		{"The result", []maker{{"fit", newFit}, {"gravity", newGravity}, {"validate", newValidate}, {"compare", newCompare}, {"verify", newVerify}, {"loads", newLoads}, {"tool", newTool},
			{"drift", newDrift}, {"watch", newWatch}, {"plot", newPlot}, {"export", newExport}}},
		{"The program", []maker{{"lab", newLab}, {"mcp", newMCP}, {"version", newVersion}, {"schema", newSchema}, {"man", newMan}}},
	}
}
