import type { ChangeCommand, ListCommand } from './kind.ts'
import { type Field, operationOf } from './operation.ts'

/** The fields of a command's body that are options or come from `--input`. */
export const fieldsOfBody = ({ operation, other, without = [] }: ChangeCommand): Field[] =>
  operationOf(operation).body.filter(({ name }) => name !== other?.field && !without.includes(name))

/** The filters of a list. `--limit` decides how much of the list is read. */
export const filtersOf = ({ operation }: ListCommand): Field[] =>
  operationOf(operation).query.filter(({ name }) => !['limit', 'cursor', 'members', 'sources'].includes(name))
