export interface Refused {
  endpoint: string
  error: string
  check: string
  /** In English, as the API has it. */
  description: string
  connectionId: string | null
}

export default {
  titleOf: ({ description }: Refused): string => description,
  /** How often it was refused alike, of the latest that were read. */
  times: (count: number) => `${count} times`,
}
