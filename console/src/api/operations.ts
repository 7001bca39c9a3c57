import { operations } from 'virtual:operations'
import type { OperationName, PermissionSlug } from './schema.d.ts'

export type { OperationName, PermissionSlug }

/** All permissions that an operation of the API requires. */
export const permissionsOf = (operation: OperationName): readonly PermissionSlug[] =>
  (operations[operation]?.permissions ?? []) as PermissionSlug[]

/** The limits of a field of the operation's body, as attributes of an input. */
export function limitsOf(operation: OperationName, field: string) {
  const { required, minLength, maxLength, minimum, maximum, maxItems } = operations[operation]?.fields?.[field] ?? {}
  // An optional field may be empty, so the API checks its minimum length.
  return { required, minLength: required ? minLength : undefined, maxLength, minimum, maximum, maxItems }
}

const templates = Object.keys(operations).map((name) => {
  const [method = '', path = ''] = name.split(' ')
  return { method, path, pattern: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`) }
})

/** The operation of the API that a request calls: `GET /v1/admin/users/{id}`. A path without parameters takes precedence. */
export function operationOf(method: string, path: string): OperationName | undefined {
  const found = templates.filter((one) => one.method === method && one.pattern.test(path.split('?')[0] as string))
  const best = found.find((one) => !one.path.includes('{')) ?? found[0]
  return best && (`${best.method} ${best.path}` as OperationName)
}
