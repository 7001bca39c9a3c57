import type { AuthorizationServer } from '../../api/authorization-servers.ts'

type Resources = AuthorizationServer['resources']

/** One API a line: its identifier, and after spaces its scopes. */
export const linesOf = (resources: Resources): string =>
  resources.map(({ identifier, scopes }) => [identifier, ...scopes].join(' ')).join('\n')

export const resourcesIn = (text: string): Resources =>
  text
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .flatMap(([identifier = '', ...scopes]) => (identifier === '' ? [] : [{ identifier, scopes }]))
