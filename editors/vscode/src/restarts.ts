/** How often a server that dies is started again: a crash loop ends with one message instead of going on. */

const MOST = 3;
const WITHIN_MILLISECONDS = 3 * 60 * 1000;

export class Restarts {
  #moments: number[] = [];

  /** Whether it may be started again after a death at `now` (milliseconds). */
  allowed(now: number): boolean {
    this.#moments = [...this.#moments.filter(moment => now - moment < WITHIN_MILLISECONDS), now];
    return this.#moments.length <= MOST;
  }

  /** A person restarts it: the count begins anew. */
  forget(): void {
    this.#moments = [];
  }
}
