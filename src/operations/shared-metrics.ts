/** Several processes that serve one port: which of them is asked for its metrics is chance, so that each shows those of all. */
export interface SharedMetrics {
  /** What the label `worker` of its series says. */
  worker: string
  /** Is called whenever the measurements of this process are wanted. */
  onMeasure(measure: () => Promise<object[]>): void
  /** The measurements of every process. */
  measureAll(): Promise<object[][]>
}
