import type { Basket } from "./checkout";

export interface Receipt {
  id: string;
  cents: number;
}

export async function postOrder(basket: Basket): Promise<Receipt> {
  const answer = await fetch("/orders", { method: "POST", body: JSON.stringify(basket) });
  if (!answer.ok) throw new Error(`order ${basket.number}: ${answer.status}`);
  return (await answer.json()) as Receipt;
}
