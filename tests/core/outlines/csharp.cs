namespace Shop.Core
{
    public partial class Cart<T> : Store
    {
        public const int Limit = 10;
        private int count = 0, open = 1;
        public event EventHandler Changed;
        public event EventHandler Closed { add { } remove { } }
        public int Count { get; private set; }
        public int Size => count;
        public Cart(int limit) : base(limit) { }
        ~Cart() { }
        public int Add(int a) { return a; }
        public int Add(int a, int b) { int Local() => 1; return a + b; }
        public static Cart<T> operator +(Cart<T> a, Cart<T> b) => a;
        public static implicit operator int(Cart<T> a) => 1;
        public int this[int i] => i;
        public enum State { Open, Paid = 4 }
        public record Point(int X, int Y);
        public delegate void Handler(int x);
        public struct Box { public int Id; }
        public interface ISized { int Size { get; } void Grow(); }
    }
}
