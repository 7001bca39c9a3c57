/** A table whose rows belong to organisations. */
export interface TenantTable {
  name: string
  /** The columns of the primary key, in order, without the organisation. */
  key: readonly string[]
  /** The tables that its rows refer to. */
  references: readonly string[]
}

/**
 * Orders tables so that each comes before the tables that it refers to. Rows can then be deleted in small batches without cascading.
 *
 * @throws Error when tables refer to each other in a cycle
 */
export function childrenFirst(tables: readonly TenantTable[]): TenantTable[] {
  const ordered: TenantTable[] = []
  let left = [...tables]
  while (left.length > 0) {
    const referred = new Set(left.flatMap(({ name, references }) => references.filter((other) => other !== name)))
    const free = left.filter(({ name }) => !referred.has(name))
    if (free.length === 0) throw new Error(`These tables refer to each other in a circle: ${left.map(({ name }) => name).join(', ')}`)
    ordered.push(...free)
    left = left.filter((table) => !free.includes(table))
  }
  return ordered
}

/** Whether a field contains a secret, or is derived from one. Exports leave such fields out. */
export function isSecretField(field: string): boolean {
  return /(?:Hash|Hashes|Encrypted)$/.test(field)
}
