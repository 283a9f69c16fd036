// Package replayfit brings a result and logs to a replay (package replay): the identified robot and the
// robot of the file, run forward under the logged torques or the known controller, and the errors of tracking with either as feed-forward.
//
// The robot of the file has the file's bodies. Drives of which the file says nothing, friction above all, have the
// identified parameters: otherwise the comparison would be about friction alone.
package replayfit
