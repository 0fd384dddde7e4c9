let limit = 10, other = 2
public class Cart: Base, P { 
  @objc static let rate: Int = 3
  private(set) var count: Int { get { return 1 } set { x = newValue } }
  var plain = 1 { didSet { a() } }
  init(x: Int, _ y: Int = 1) { self.x = x }
  deinit { }
  func total(_ a: Int, by b: Int...) throws -> Int { let loc = 1; func inner() {}
    return 1
  }
  subscript(i: Int) -> Int { return i }
  static func == (a: Cart, b: Cart) -> Bool { true }
  enum Kind: String { case a, b = "x"; 
    case c(Int)
    indirect case d
  }
  struct In { let z: Int }
  typealias T = Int
}
extension Cart: Q { func ext() {} }
extension Shop.Bag where T: X { var y: Int { 1 } }
protocol P: AnyObject { associatedtype A; var x: Int { get set }; func f(); init() }
func free<T: P>(x: T) async -> T where T: Q { x }
actor Act { func a() {} }
infix operator +++: AdditionPrecedence
let (p, q) = z
