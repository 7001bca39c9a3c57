import { channel } from 'node:diagnostics_channel'

/** The diagnostics channel that reports each statement of a list where there is a replica, as `{ from }`. */
export const listReadsChannel = 'gatehouse.list-reads'
const read = channel(listReadsChannel)

export const listReadServers = ['primary', 'replica'] as const
export interface ListRead {
  /** The server that ran the statement. */
  from: (typeof listReadServers)[number]
}

export function reportListRead(from: ListRead['from']): void {
  read.publish({ from })
}
