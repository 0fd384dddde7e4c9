export const LIMIT: number = 10;

export interface Priced {
  readonly price: number;
  total(rate: number): number;
}

export type Line = { price: number; count(): number };
type Handler = (value: number) => void;

export enum State { Open, Paid = 4 }

export abstract class Cart<T> implements Priced {
  private limit: number = 1;
  constructor(limit: number) {}
  abstract size(): number;
  total(): number;
  total(rate?: number): number { return 1; }
}

namespace Shop.Core {
  export const rate = 7;
  export function open(): void {}
}

declare module "vendor" {
  export function load(): void;
}

export function helper<T>(value: T): T { return value; }
const arrow = (value: number) => value;
