package a.b

import a.b.C
import d.E as F

const val LIMIT = 10
val String.shout: String get() = this.uppercase()
fun Cart.total(x: Int = 1, vararg y: Int): Int = x * 2
fun <T> List<T>.second(): T? { return this[1]; }
fun a.Cart?.opt() {}

@Suppress("x")
data class Point(val x: Int, private var y: Int = 2, z: Int) : Base(x) {
    init { println("a") }
    constructor(a: Int) : this(a, 1) { b() }
    companion object Factory {
        const val K = 1
        fun of(): Point = Point(1)
    }
    object Inner {
        val q = 1
    }
    var count: Int = 0
        get() = field
        private set(value) { field = value }
    val d by lazy { 1 }
    override suspend fun run() { val s = 1; fun local() {} }
    inner class In { }
}
enum class State(val v: Int) {
    OPEN(1),
    PAID(2) {
        override fun f() = 1
    };

    abstract fun f(): Int
}
sealed interface Shape { val area: Int }
typealias Handler = (Int) -> Unit
object Single : I { fun x() = 1 }
val (m, n) = p
