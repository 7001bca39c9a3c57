import { channel } from 'node:diagnostics_channel'

/** The diagnostics channel that reports a mail or an event that is queued, as `{ id }`: before the commit. */
export const queuedChannel = 'gatehouse.queued'
const queued = channel(queuedChannel)

/** Reports a queued record, so that its later sending can be traced back to the request. It costs nothing without a subscriber. */
export function reportQueued(id: string): void {
  if (queued.hasSubscribers) queued.publish({ id })
}
