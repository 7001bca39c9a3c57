/** One call of the API as the API drawer shows it. */
export interface RecordedCall {
  readonly number: number
  readonly method: string
  /** The path with the query. */
  readonly path: string
  readonly requestBody: unknown
  readonly status: number
  readonly milliseconds: number
  readonly requestId: string | undefined
  readonly responseBody: unknown
}
