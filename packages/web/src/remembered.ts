/** Remembers some values for a while; the oldest are forgotten first. */
export class Remembered<Value> {
  readonly #values = new Map<string, { value: Value; until: number }>()
  readonly #milliseconds: number
  readonly #clock: () => number
  readonly #max: number

  constructor(milliseconds: number, clock: () => number, max = 10_000) {
    this.#milliseconds = milliseconds
    this.#clock = clock
    this.#max = max
  }

  get(name: string): Value | undefined {
    const found = this.#values.get(name)
    return found && this.#clock() < found.until ? found.value : undefined
  }

  set(name: string, value: Value): void {
    this.#values.delete(name)
    this.#values.set(name, { value, until: this.#clock() + this.#milliseconds })
    if (this.#values.size > this.#max) this.#values.delete(this.#values.keys().next().value as string)
  }

  delete(name: string): void {
    this.#values.delete(name)
  }
}
