import type { PermissionSlug } from '../access/permission-slugs.ts'
import type { SetupPurpose } from '../platform/database/column-types.ts'
import { type Giving, givenByConnection, givenByDirectory } from '../roles/rules.ts'

const permissionsByPurpose: Readonly<Record<SetupPurpose, PermissionSlug>> = {
  domain: 'domains:update',
  oidc: 'connections:create',
  saml: 'connections:create',
  scim: 'directories:create',
}

/** The permissions that what a link is for takes. */
export const permissionsOf = (purposes: readonly SetupPurpose[]): PermissionSlug[] => [
  ...new Set(purposes.map((purpose) => permissionsByPurpose[purpose])),
]

/** What a link may be for so that a caller with these permissions sees it, and could have created it. */
export const purposesOf = (permissions: Pick<ReadonlySet<string>, 'has'>): SetupPurpose[] =>
  (Object.keys(permissionsByPurpose) as SetupPurpose[]).filter((purpose) => permissions.has(permissionsByPurpose[purpose]))

/** Whether a link decides who becomes whom, as a connection and a directory do. A domain alone does not. */
export const carriesTrust = (purposes: readonly SetupPurpose[]): boolean => purposes.some((purpose) => purpose !== 'domain')

/** What the connection and the directory of a link give. */
export function givenBySetup({
  purposes,
  settings,
}: {
  purposes: readonly SetupPurpose[]
  settings: Parameters<typeof givenByConnection>[0] & Parameters<typeof givenByDirectory>[0]
}): Giving {
  const [connection, directory] = [givenByConnection(settings), givenByDirectory(settings)]
  return {
    roleIds: [...connection.roleIds, ...directory.roleIds],
    createsUsers: (connects(purposes) && connection.createsUsers) || (purposes.includes('scim') && directory.createsUsers),
  }
}

/** The steps of a set-up: each is a page. */
export const setupSteps = ['domain', 'connection', 'directory'] as const
export type SetupStep = (typeof setupSteps)[number]

/** Whether a link with these purposes has this step. */
export const offersStep = (step: SetupStep, purposes: readonly SetupPurpose[]): boolean =>
  ({ domain: purposes.includes('domain'), connection: connects(purposes), directory: purposes.includes('scim') })[step]

export const connects = (purposes: readonly SetupPurpose[]): boolean => purposes.includes('oidc') || purposes.includes('saml')

interface Times {
  firstUsedAt: Date | null
  finishedAt: Date | null
  endedAt: Date | null
  endedBecause: string | null
  expiresAt: Date
}

export type SetupState = 'open' | 'in_use' | 'finished' | 'ended' | 'expired'

export function stateOf({ firstUsedAt, finishedAt, endedAt, endedBecause, expiresAt }: Times, now: Date): SetupState {
  if (finishedAt) return 'finished'
  if (endedAt && endedBecause !== 'expired') return 'ended'
  if (endedAt || expiresAt <= now) return 'expired'
  return firstUsedAt ? 'in_use' : 'open'
}

/** How far each thing is that a link is for; undefined for what it is not for. */
export type SetupProgress = Record<SetupStep, boolean | undefined>

export const isFulfilled = (progress: SetupProgress): boolean => Object.values(progress).every((step) => step !== false)
