// Package assembly makes robots of what their files say: bodies hung on each other by joints about any axis become links in the notation of
// Khalil and Kleinfinger, fixed bodies are lumped into their carriers, joints of several freedoms become chains. Writers find in it the frames
// that a file gives to links.
package assembly
