// Package doctor examines a log and a robot together before anything is fitted.
package doctor
