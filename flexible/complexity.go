package flexible

// Complexity is Book's count of operations of an evaluation of J and R (1984, table of section 5): n joints, of which bend links
// deflect in m modes each, the last link rigid and the first flexible, averaged over two types of joints. At n = 6, bend =
// 2, m = 3 it gives 11361 products where his text has about 12009; the text alone does not say which of the two is the misprint.
func Complexity(n, bend, m int) (products, sums float64) {
	a, f, k := float64(n), float64(bend), float64(m)
	products = 6*f*f*k*k + 17.5*f*k*k + 118*f*f*k + 74*a*f*k + 137.5*f*k + 84*a*a + 86*a*f + 279*a + 126*f - 57
	sums = 6.5*f*f*k*k + 19*f*k*k + 115.5*f*f*k + 68*a*f*k + 123*f*k + 85*a*a + 80*a*f + 329*a + 111*f - 91
	return products, sums
}
