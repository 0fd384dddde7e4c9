pub const LIMIT: u32 = 10;
static NAME: &str = "a";
type Alias = Vec<u32>;

pub struct Cart<T> {
    lines: Vec<T>,
}

pub enum State {
    Open,
    Paid { amount: u32 },
}

union Value {
    i: i32,
    f: f32,
}

pub trait Priced {
    const TAX: u32;
    type Unit;
    fn price(&self) -> u32;
    fn twice(&self) -> u32 {
        self.price() * 2
    }
}

impl<T> Cart<T> {
    pub fn new() -> Self {
        Cart { lines: vec![] }
    }
}

impl<T> Priced for Cart<T> {
    fn price(&self) -> u32 {
        1
    }
}

mod inner {
    pub fn helper() {}
}

macro_rules! double {
    ($x:expr) => {
        $x * 2
    };
}

fn main() {}
