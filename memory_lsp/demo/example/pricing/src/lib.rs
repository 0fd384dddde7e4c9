//! What a basket costs. Cents everywhere, no floats.

#[derive(Debug, Clone)]
pub struct Item {
    pub cents: u64,
    pub count: u64,
}

#[derive(Debug, Default)]
pub struct Basket {
    items: Vec<Item>,
}

/// Value added tax, in tenths of a percent.
pub const TAX_PER_MILLE: u64 = 190;

impl Basket {
    pub fn add(&mut self, item: Item) {
        self.items.push(item);
    }

    /// The total with tax; rounded once, half up.
    pub fn total(&self) -> u64 {
        let net: u64 = self.items.iter().map(|item| item.cents * item.count).sum();
        net + (net * TAX_PER_MILLE + 500) / 1000
    }
}
