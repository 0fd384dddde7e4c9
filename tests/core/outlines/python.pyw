LIMIT = 10
first, second = 1, 2
type Alias = list[int]


class Cart:
    rate: int = 7
    open = True

    def __init__(self, limit):
        self.limit = limit

    @property
    def size(self):
        return self.limit

    @size.setter
    def size(self, value):
        self.limit = value

    async def total(self):
        def inner():
            return 1

        return inner()

    class Line:
        price = 1


def helper(value):
    return value


double = lambda value: value * 2  # noqa: E731

try:
    FAST = True
except ImportError:
    FAST = False
