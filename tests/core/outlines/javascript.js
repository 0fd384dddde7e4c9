export const LIMIT = 10, OTHER = 2;
let counter = 0;

export class Cart extends Store {
  static rate = 7;
  #open = true;
  constructor(limit) { super(limit); }
  get size() { return 1; }
  set size(value) {}
  async total() {}
  static build() {}
  #secret() {}
  "quoted name"() {}
}

export function helper(value) {
  const inner = () => value;
  return inner;
}

export default function* numbers() {}

const arrow = (value) => value;
const Box = class { size() {} };
const api = { get: () => 1, post() {} };

module.exports.run = function () {};

describe("cart", () => {
  it("adds a line", () => {});
});
