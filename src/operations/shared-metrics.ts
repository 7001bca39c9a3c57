/** Shares metrics between the processes that serve one port: a scrape reaches one of them by chance, so each shows those of all. */
export interface SharedMetrics {
  /** The value of the label `worker` in its series. */
  worker: string
  /** Registers a function that is called whenever the measurements of this process are wanted. */
  onMeasure(measure: () => Promise<object[]>): void
  /** The measurements of every process. */
  measureAll(): Promise<object[][]>
}
