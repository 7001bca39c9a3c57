/** Finds records by the names that people use for them. */
import { Problem } from '../../platform/http/problem.ts'
import type { CommandFailure } from '../failures.ts'
import { ambiguous, missing } from '../known-names.ts'
import type { ApiRecord, RecordKind } from './kind.ts'
import type { Api } from './open-api.ts'
import { operationOf } from './operation.ts'
import { recordsOf } from './pages.ts'

/** How many names are compared to find the one that was probably meant. */
const comparedMax = 1_000
/** Whether a text is an id, such as `rol_01kahm3z9n4v7f2t8q6w5r1y0x`. */
const isId = (typed: string) => /^[a-z]{2,5}_[0-9a-z]{26}$/.test(typed)

export const labelOf = ({ names: [shown] }: RecordKind, record: ApiRecord): string => String(record[shown] ?? record.id)

/**
 * The record with this name or id.
 *
 * @param within filters of the list in which it is looked up
 * @throws CommandFailure when no record, or more than one, has the name
 */
export async function findRecord(
  api: Api,
  kind: RecordKind,
  typed: string,
  within: Readonly<Record<string, string>> = {},
): Promise<ApiRecord> {
  if (kind.get && (kind.isOrganisation || (isId(typed) && Object.keys(within).length === 0))) {
    return api.call<ApiRecord>('GET', operationOf(kind.get).path.replace('{id}', typed)).catch(async (error) => {
      throw error instanceof Problem && error.code.endsWith('-not-found') ? await unknown(api, kind, typed, within) : error
    })
  }
  const { path, query } = operationOf(kind.list)
  const takesSearch = query.some(({ name }) => name === 'q')
  const found: ApiRecord[] = []
  const search = { ...within, ...(takesSearch && !isId(typed) && { q: typed }) }
  for await (const record of recordsOf(api, path, search)) {
    const names = isId(typed) ? [record.id] : kind.names.map((name) => record[name])
    if (names.some((name) => String(name).toLowerCase() === typed.toLowerCase())) found.push(record)
  }
  const [record] = found
  if (found.length > 1) throw ambiguous(found.length, kind.plural, typed)
  return record ?? Promise.reject(await unknown(api, kind, typed, within))
}

async function unknown(api: Api, kind: RecordKind, typed: string, within: Readonly<Record<string, string>>): Promise<CommandFailure> {
  const known: string[] = []
  for await (const record of recordsOf(api, operationOf(kind.list).path, within)) {
    known.push(labelOf(kind, record))
    if (known.length === comparedMax) break
  }
  const where = kind.isOfInstallation || api.organisation === undefined ? '' : ` in ${api.organisation}`
  return missing(`${kind.word} "${typed}"${where}`, typed, known, isId(typed) ? undefined : `\`gatehouse ${kind.word} list\` shows them`)
}
