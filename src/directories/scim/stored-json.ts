import { invalidSyntax } from '../protocol/errors.ts'

const depthMax = 50

/**
 * Refuses JSON that the database cannot store, or that is nested so deep that walking it would exhaust the stack.
 *
 * @throws ScimError `invalidSyntax`
 */
export function requireStorable(body: unknown): void {
  const open: [value: unknown, depth: number][] = [[body, 0]]
  for (let next = open.pop(); next; next = open.pop()) {
    const [value, depth] = next
    if (depth > depthMax) throw invalidSyntax('body-too-deep', { expected: depthMax })
    if (typeof value === 'string') requireText(value)
    if (typeof value !== 'object' || value === null) continue
    for (const [name, member] of Object.entries(value)) {
      requireText(name)
      open.push([member, depth + 1])
    }
  }
}

/** @throws ScimError `invalidSyntax` */
export function requireText(text: string): void {
  if (text.includes('\0') || !text.isWellFormed()) throw invalidSyntax('characters-not-stored')
}
