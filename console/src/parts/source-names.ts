import type { components } from '../api/schema.d.ts'
import { formatList } from './format.ts'

type Source = components['schemas']['AssignmentSource']

/** The names of the connections and directories that give a role or team; undefined when only administrators do. */
export function sourceNames(sources: readonly Source[] = []): string | undefined {
  const names = sources.flatMap(({ type, id, name }) => (type === 'manual' ? [] : [name ?? id ?? type]))
  return names.length > 0 ? formatList(names) : undefined
}

/** Whether an administrator gave it, so that an administrator can remove it, too. */
export const isManual = (sources: readonly Source[] = []): boolean => sources.some(({ type }) => type === 'manual')
