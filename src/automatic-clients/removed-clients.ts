import { channel } from 'node:diagnostics_channel'
import type { Client } from '../clients/queries.ts'

/** The diagnostics channel that reports each automatic client that was removed because nothing used it, as `{ origin }`. */
export const removedClientsChannel = 'gatehouse.removed-automatic-clients'
const removed = channel(removedClientsChannel)

export const removedOrigins = ['metadata_document', 'registration'] as const satisfies readonly Client['origin'][]

export interface RemovedClient {
  origin: Client['origin']
}

export function reportRemoval(origin: RemovedClient['origin']): void {
  removed.publish({ origin } satisfies RemovedClient)
}
