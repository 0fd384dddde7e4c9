package shop;

public class Cart<T> extends Store {
    static final int[] RATES = {7, 19};
    private int count = 0, limit = 10;

    public Cart(int limit) { this.limit = limit; }

    public int total(int rate) { return rate; }

    int total(int rate, int extra) {
        Runnable run = new Runnable() {
            public void run() {}
        };
        return rate;
    }

    enum State {
        OPEN(1),
        PAID(2) {
            int code() { return 3; }
        };

        private final int value;

        State(int value) { this.value = value; }
    }

    record Point(int x, int y) {
        Point { check(x); }
    }

    interface Sized {
        int MAX = 5;
        int size();
    }

    @interface Marked {
        String value() default "x";
    }
}
