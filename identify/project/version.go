package project

// Version is the release, as results state it.
const Version = "0.4.0"
