import type { Diagnostic } from '../api/clients.ts'

/** The latest of the refusals that one application, or one connection, got for one reason, with their number. */
export function alikeRefusals(refusals: readonly Diagnostic[]): [latest: Diagnostic, count: number][] {
  const alike = Map.groupBy(refusals, ({ clientId, connectionId, endpoint, error, check }) =>
    [clientId, connectionId, endpoint, error, check].join(' '),
  )
  return [...alike.values()].map((group) => [group[0] as Diagnostic, group.length])
}
