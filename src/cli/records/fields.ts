import type { AskCommand, ChangeCommand, ListCommand } from './kind.ts'
import { type Field, operationOf } from './operation.ts'

/** The fields of a command's body that are options or come from `--input`. */
export function fieldsOfBody(one: ChangeCommand | AskCommand): Field[] {
  const { body } = operationOf(one.operation)
  if (one.does === 'ask') return [...body]
  return body.filter(({ name }) => name !== one.other?.field && !one.without?.includes(name))
}

/** The filters of a list. `--limit` decides how much of the list is read. */
export const filtersOf = ({ operation }: ListCommand): Field[] =>
  operationOf(operation).query.filter(({ name }) => !['limit', 'cursor', 'members', 'sources'].includes(name))
