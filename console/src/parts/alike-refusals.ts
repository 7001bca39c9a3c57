import type { Diagnostic } from '../api/clients.ts'

/** The latest of those that one application, or one connection, was refused for one reason, with how many they are. */
export function alikeRefusals(refusals: readonly Diagnostic[]): [latest: Diagnostic, count: number][] {
  const alike = Map.groupBy(refusals, ({ clientId, connectionId, endpoint, error, check }) =>
    [clientId, connectionId, endpoint, error, check].join(' '),
  )
  return [...alike.values()].map((group) => [group[0] as Diagnostic, group.length])
}
