import { type Kinds, type KindWith, kinds } from '../../shared/kinds.ts'

/** Permissions for what is not a kind of record. */
const others = ['organisation:read', 'organisation:update', 'organisation:delete', 'organisation:manage', 'audit:read'] as const

type Snake<Text extends string> = Text extends `${infer Word}-${infer Rest}` ? `${Word}_${Snake<Rest>}` : Text
type SlugOf<K extends KindWith<'permissions'>> = `${Snake<Kinds[K]['path']>}:${Kinds[K]['permissions'][number]}`

export type PermissionSlug = { [K in KindWith<'permissions'>]: SlugOf<K> }[KindWith<'permissions'>] | (typeof others)[number]

const subjectOf = ({ path }: { path: string }) => path.replaceAll('-', '_')

/** The permission to read all records of a kind. */
export const readPermissionOf = (name: KindWith<'permissions'>): PermissionSlug => `${subjectOf(kinds[name])}:read` as PermissionSlug

/** The permissions that guard routes of the service. An operator may add others, for roles and tokens. */
export const permissionSlugs: readonly PermissionSlug[] = [
  ...Object.values(kinds).flatMap((kind) =>
    'permissions' in kind ? kind.permissions.map((verb) => `${subjectOf(kind)}:${verb}` as PermissionSlug) : [],
  ),
  ...others,
]
