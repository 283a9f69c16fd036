// Package canvas draws plots on the canvases of gonum, in fewer bytes and less time: SVG writes polylines with coordinates in
// tenths of a point, relative to the point before, and Raster strokes long lines in pieces.
package canvas
