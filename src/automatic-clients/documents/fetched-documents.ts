import { channel } from 'node:diagnostics_channel'

/** The diagnostics channel that reports what came of each client ID metadata document that was to be fetched, as `{ result }`. */
export const fetchedDocumentsChannel = 'gatehouse.client-documents'
const fetched = channel(fetchedDocumentsChannel)

export const documentResults = ['fetched', 'unchanged', 'refused', 'limited'] as const

export interface FetchedClientDocument {
  result: (typeof documentResults)[number]
}

/** Reports a document without saying whose it is: strangers choose the addresses. */
export function reportDocument(result: FetchedClientDocument['result']): void {
  fetched.publish({ result } satisfies FetchedClientDocument)
}
