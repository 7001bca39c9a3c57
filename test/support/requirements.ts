/** What a user has, by the claims of their tokens. */
interface Had {
  permissions?: readonly string[]
  acr?: string
}

interface Required {
  permission?: string | readonly string[]
  acr?: string
}

/**
 * What a request needs, what the user has, and whether that is enough. `@gatehouse-iam/api` and `@gatehouse-iam/web` read requirements alike,
 * though neither can import the other.
 */
export const requirements: readonly (readonly [needs: Required, has: Had, isEnough: boolean])[] = [
  [{ permission: 'users:read' }, { permissions: ['users:read'] }, true],
  [{ permission: 'users:read' }, { permissions: ['users:read:all', 'roles:read'] }, false],
  [{ permission: 'users:read' }, {}, false],
  [{ permission: 'users:read roles:read' }, { permissions: ['roles:read', 'users:read'] }, true],
  [{ permission: 'users:read roles:read' }, { permissions: ['users:read'] }, false],
  [{ permission: ['users:read', 'roles:read'] }, { permissions: ['users:read', 'roles:read'] }, true],
  [{ permission: ['users:read', 'roles:read'] }, { permissions: ['roles:read'] }, false],
  [{ permission: ['users:read roles:read'] }, { permissions: ['users:read', 'roles:read'] }, false],
  [{ permission: [] }, {}, true],
  [{ permission: '' }, { permissions: ['users:read'] }, false],
  [{ permission: 'users:read ' }, { permissions: ['users:read'] }, false],
  [{ permission: 'users:read  roles:read' }, { permissions: ['users:read', 'roles:read'] }, false],
  [{ permission: ['users:read', ''] }, { permissions: ['users:read'] }, false],
  [{ acr: 'aal1' }, { acr: 'aal1' }, true],
  [{ acr: 'aal1' }, {}, false],
  [{ acr: 'aal2' }, { acr: 'aal1' }, false],
  [{ acr: 'aal2' }, { acr: 'phrh' }, true],
  [{ acr: 'phrh' }, { acr: 'phr' }, false],
  [{ acr: 'phr aal2' }, { acr: 'aal2' }, true],
  [{ acr: 'phr aal2' }, { acr: 'aal1' }, false],
  [{ acr: 'phr urn:example:gold' }, { acr: 'urn:example:gold' }, true],
  [{ acr: 'urn:example:gold' }, { acr: 'phrh' }, false],
  [{ acr: 'aal1' }, { acr: 'urn:example:gold' }, false],
  [{ acr: '' }, { acr: 'phrh' }, false],
  [{ acr: '' }, {}, false],
  [{ acr: 'phr ' }, { acr: 'aal2' }, false],
  [{ permission: 'users:read', acr: 'aal2' }, { permissions: ['users:read'], acr: 'aal1' }, false],
  [{ permission: 'users:read', acr: 'aal2' }, { permissions: ['users:read'], acr: 'aal2' }, true],
]
