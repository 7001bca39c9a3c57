import type { components } from '../api/schema.d.ts'

export type ClaimMapping = NonNullable<components['schemas']['ClientChanges']['claimMappings']>[number]
export type ClaimTarget = ClaimMapping['in'][number]

/** A mapping while it is edited: everything that is typed is a text. */
export interface ClaimRow {
  name: string
  from: string
  as: NonNullable<ClaimMapping['as']> | ''
  in: ClaimTarget[]
  scope: string
  default: string
}

export const rowOf = ({ name, from, as, in: targets, scope = '', default: standIn }: ClaimMapping): ClaimRow => ({
  name,
  from: typeof from === 'string' ? from : JSON.stringify(from.value),
  as: as ?? '',
  in: targets,
  scope,
  default: standIn === undefined ? '' : JSON.stringify(standIn),
})

export const mappingOf = ({ name, from, as, in: targets, scope, default: standIn }: ClaimRow): ClaimMapping => ({
  name,
  in: targets,
  from: from.startsWith('/') ? from : { value: valueIn(from) },
  ...(as !== '' && { as }),
  ...(scope !== '' && { scope }),
  ...(standIn !== '' && { default: valueIn(standIn) }),
})

/** Whether everything is there that a mapping needs, so that it can be tried. */
export const isWhole = ({ name, from, in: targets }: ClaimRow): boolean => name !== '' && from !== '' && targets.length > 0

/** A value as JSON; a text that is none is itself the value. */
function valueIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export interface ClaimLine {
  mark: 'same' | 'added' | 'removed'
  text: string
}

/** What differs by the moment at which a document is made. */
const times: ReadonlySet<string> = new Set(['exp', 'iat', 'auth_time'])

/** The claims of a document, one a line, marked by how they differ from those before. */
export function linesOf(before: Record<string, unknown>, after: Record<string, unknown>): ClaimLine[] {
  const lineOf = (mark: ClaimLine['mark'], name: string, value: unknown): ClaimLine => ({
    mark,
    text: `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  })
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const [was, is] = [before[name], after[name]]
    if (JSON.stringify(was) === JSON.stringify(is) || (times.has(name) && was !== undefined && is !== undefined))
      return [lineOf('same', name, is)]
    return [...(was === undefined ? [] : [lineOf('removed', name, was)]), ...(is === undefined ? [] : [lineOf('added', name, is)])]
  })
}
