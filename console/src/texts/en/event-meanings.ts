export interface DescribedEvent {
  name: string
  /** The description in English, as the API returns it. */
  description: string
}

export default {
  meaningOf: ({ description }: DescribedEvent): string => description,
}
