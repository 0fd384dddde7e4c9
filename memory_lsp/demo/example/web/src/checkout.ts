import { postOrder, type Receipt } from "./api";

export interface Basket {
  number: string;
  cents: number;
  currency: string;
}

/** The checkout form: one submit, one request. */
export class Checkout {
  private pending: Promise<Receipt> | undefined;

  constructor(private readonly button: HTMLButtonElement) {}

  submit(basket: Basket): Promise<Receipt> {
    // Set before the first await: a double click must find it.
    this.button.disabled = true;
    this.pending ??= postOrder(basket).finally(() => {
      this.button.disabled = false;
      this.pending = undefined;
    });
    return this.pending;
  }
}

export const formatTotal = ({ cents, currency }: Basket): string =>
  new Intl.NumberFormat("de-DE", { style: "currency", currency }).format(cents / 100);
