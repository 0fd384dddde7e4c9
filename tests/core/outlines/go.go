package shop

const Limit = 10

const (
	Open = iota
	Paid
)

var rates, names = []int{7}, []string{}

type Cart struct {
	Store
	lines []int
	size, rate int
}

type Priced interface {
	Price() int
}

type Handler func(int) int

type Alias = Cart

func (c *Cart) Total(rate int) int { return rate }

func (c Cart) Size() int { return 1 }

func (b Box[T]) Get() T { return b.value }

func helper(value int) int {
	inner := func() int { return value }
	return inner()
}
