package parquet

// element is a node of the schema, which the footer lists depth first.
type element struct {
	name       string
	physical   Type
	leaf       bool
	repetition int // 0 required, 1 optional, 2 repeated
	children   int
	converted  int // the older logical type, -1 for none
	scale      int
	logical    Logical
	declared   bool // logical is said
}

func elementOf(c *compact, kind byte) element {
	e := element{converted: -1}
	c.structure(kind, func(id int, kind byte) bool {
		switch id {
		case 1:
			e.physical, e.leaf = Type(c.int(kind)), true
		case 3:
			e.repetition = int(c.int(kind))
		case 4:
			e.name = c.text(kind)
		case 5:
			e.children = int(c.int(kind))
		case 6:
			e.converted = int(c.int(kind))
		case 7:
			e.scale = int(c.int(kind))
		case 10:
			e.logical, e.declared = logicalOf(c, kind), true
		default:
			return false
		}
		return true
	})
	if !e.declared {
		e.logical = convertedType(e.converted, e.scale)
	}
	return e
}

// logicalOf reads the union of logical types.
func logicalOf(c *compact, kind byte) (l Logical) {
	c.structure(kind, func(id int, kind byte) bool {
		meaning, ok := map[int]Meaning{5: Decimal, 6: Date, 7: Time, 8: Timestamp, 10: Integer}[id]
		if !ok {
			return false
		}
		l.Meaning = meaning
		c.structure(kind, func(id int, kind byte) bool {
			switch {
			case meaning == Decimal && id == 1:
				l.Scale = int(c.int(kind))
			case meaning == Integer && id == 2:
				l.Unsigned = !c.bool(kind)
			case (meaning == Time || meaning == Timestamp) && id == 2:
				c.structure(kind, func(id int, _ byte) bool {
					l.Unit = map[int]string{1: "ms", 2: "us", 3: "ns"}[id]
					return false
				})
			default:
				return false
			}
			return true
		})
		return true
	})
	return l
}

// convertedType is the logical type of files that say it in the older way.
func convertedType(code, scale int) Logical {
	switch code {
	case 5:
		return Logical{Meaning: Decimal, Scale: scale}
	case 6:
		return Logical{Meaning: Date}
	case 7:
		return Logical{Meaning: Time, Unit: "ms"}
	case 8:
		return Logical{Meaning: Time, Unit: "us"}
	case 9:
		return Logical{Meaning: Timestamp, Unit: "ms"}
	case 10:
		return Logical{Meaning: Timestamp, Unit: "us"}
	case 11, 12, 13, 14:
		return Logical{Meaning: Integer, Unsigned: true}
	case 15, 16, 17, 18:
		return Logical{Meaning: Integer}
	}
	return Logical{}
}

// leaves appends the columns of the next n subtrees of elements, below a node, and returns the elements behind.
func (f *File) leaves(elements []element, n int, below Column, depth int) ([]element, error) {
	if depth > mostNested {
		return nil, Damage("the schema is nested too deeply")
	}
	for ; n > 0; n-- {
		if len(elements) == 0 {
			return nil, Damage("the schema ends within its tree")
		}
		e := elements[0]
		elements = elements[1:]
		c := below
		c.Path = append(below.Path[:len(below.Path):len(below.Path)], e.name)
		switch e.repetition {
		case 1:
			c.Definition++
		case 2:
			c.Definition++
			c.Repetition++
			c.listed = c.Definition
		}
		if e.leaf && e.children == 0 {
			c.Type, c.Logical = e.physical, e.logical
			f.Columns = append(f.Columns, c)
			continue
		}
		if e.children < 0 {
			return nil, Damage("the schema has a node of fewer than no children")
		}
		var err error
		if elements, err = f.leaves(elements, e.children, c, depth+1); err != nil {
			return nil, err
		}
	}
	return elements, nil
}
