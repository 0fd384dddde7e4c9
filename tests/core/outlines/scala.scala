package a.b
object Cart extends App { val LIMIT = 10; var a, b = 1; def of(x: Int): Cart = new Cart(x); implicit class Rich(s: String) { def q = 1 } ; type H = Int => Int; lazy val l = 1 }
case class Cart(val size: Int, name: String = "a")(implicit e: E) extends Base(size) { 
 private def total(x: Int): Int = { val s = 1; def in = 2; s }
 def this(a: Int) = this(a, "b")
 def +(o: Cart) = o
 val (q, r) = t
}
class P(x: Int, val y: Int)
trait Shape { def area: Double; val q: Int }
package object util { def u = 1 }
enum Color(v: Int):
  case Red extends Color(1)
  case Green, Blue
given ord: Ordering[Int] with
  def compare(a: Int, b: Int) = 1
extension (s: String) { def shout: String = s.toUpperCase }
def top(x: Int) = x
val v = 1
