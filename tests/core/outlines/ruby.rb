module Shop
  LIMIT, OTHER = 1, 2
  TEXT = <<~EOS
    text
  EOS

  class Cart < Store
    attr_reader :size, :owner
    @@count = 0

    def self.build(items)
      new(items)
    end

    class << self
      def empty
        new([])
      end
    end

    def initialize(items)
      @items = items
    end

    def empty?
      true
    end

    def name=(value)
      @name = value
    end

    def <=>(other)
      0
    end

    define_method(:dynamic) { |x| x }

    Point = Struct.new(:x) do
      def length
        x
      end
    end

    class Line
      def price; end
    end
  end
end

class Shop::Bag
  def weigh; end
end

def Shop.open
end

def helper
end

describe "cart" do
  it "adds" do
    helper
  end
end
