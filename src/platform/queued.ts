import { channel } from 'node:diagnostics_channel'

/** The diagnostics channel that reports what is queued for later, as `{ id }` of a mail or an event: before the commit. */
export const queuedChannel = 'gatehouse.queued'
const queued = channel(queuedChannel)

/** What sends it later can then be traced back to what asked for it. Costs nothing while nobody listens. */
export function reportQueued(id: string): void {
  if (queued.hasSubscribers) queued.publish({ id })
}
