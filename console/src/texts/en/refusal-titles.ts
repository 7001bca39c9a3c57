export interface Refused {
  endpoint: string
  error: string
  check: string
  /** The description in English, as the API returns it. */
  description: string
  connectionId: string | null
}

export default {
  titleOf: ({ description }: Refused): string => description,
  /** The number of similar refusals among the latest that were read. */
  times: (count: number) => `${count} times`,
}
