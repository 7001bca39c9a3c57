/**
 * Every kind of record that the API administers, each declared once. What a list of the service, the console, the command or the tests
 * says of all kinds follows from here: ids, permissions, entries of the audit log, the search, the export of an organisation, the proof
 * that organisations cannot reach each other, who writes to which table. It is data alone, since the lowest floor reads it.
 */
interface Kind {
  /** In a sentence, such as `API key`. */
  readonly words: string
  /** The prefix of its ids. */
  readonly idPrefix: string
  /** The table of its records, whose ids are in the column `id`. */
  readonly table: string
  /** The folder of `src/` that alone writes to the table. */
  readonly folder: string
  /** Further tables of that folder whose rows belong to its records. An export contains them. */
  readonly parts?: readonly string[]
  /** Further tables of that folder that say, by `user_id`, which users have a record. The rows of a user are erased with the user. */
  readonly ofUsers?: readonly string[]
  /** The name of its collection in the API: `/v1/admin/teams`. */
  readonly path: string
  /** A sentence about its routes, for readers of the API. */
  readonly about?: string
  readonly permissions?: readonly Permission[]
  /**
   * The actions `created`, `updated` and `deleted` of the audit log, with fields before and after: whether events of the same names report them.
   * Kinds without have other actions.
   */
  readonly history?: 'recorded' | 'reported'
  /** How the search finds it; otherwise it does not. */
  readonly search?: Search
  /** Why the export of an organisation leaves the table out. */
  readonly leftOut?: string
}

type Permission = 'read' | 'create' | 'update' | 'delete'

/** The texts are SQL about the table. */
interface Search {
  /** By default the name. */
  readonly title?: string
  readonly subtitle: string
  /** What the subtitle is, for readers of the API, unless another kind says it. */
  readonly subtitleIs?: string
  /** The condition of the records that are found. */
  readonly condition?: string
  /** A unique value of a record other than its id. */
  readonly address?: string
  /** The columns that may contain the text: lower-cased and of collation "C". The first one orders the records. */
  readonly keys: readonly string[]
  /** Further columns that may begin with the text. */
  readonly beginnings?: readonly string[]
}

const notDeleted = 'deleted_at is null'

/** By the name in the audit log. The search lists equally close records in this order. */
export const kinds = {
  organisation: {
    words: 'organisation',
    idPrefix: 'org',
    table: 'organisations',
    folder: 'organisations',
    path: 'organisations',
  },
  user: {
    words: 'user',
    idPrefix: 'usr',
    table: 'users',
    folder: 'accounts',
    path: 'users',
    about: 'The people of the organisation and their ways to sign in.',
    permissions: ['read', 'create', 'update', 'delete'],
    search: {
      title: "coalesce(nullif(name, ''), email)",
      subtitle: 'email',
      subtitleIs: 'the e-mail address of a user',
      condition: notDeleted,
      address: 'email',
      keys: ['name_key', 'email'],
      beginnings: ['last_name_key'],
    },
  },
  team: {
    words: 'team',
    idPrefix: 'tem',
    table: 'teams',
    folder: 'teams',
    ofUsers: ['team_members', 'team_member_sources'],
    path: 'teams',
    about: 'Groups of users.',
    permissions: ['read', 'create', 'update', 'delete'],
    history: 'reported',
    search: { subtitle: 'slug', subtitleIs: 'the slug of a team or role', keys: ['name_key', 'slug'] },
  },
  role: {
    words: 'role',
    idPrefix: 'rol',
    table: 'roles',
    folder: 'roles',
    parts: ['role_permissions'],
    ofUsers: ['user_roles', 'user_role_sources'],
    path: 'roles',
    about: 'Named sets of permissions that users have.',
    permissions: ['read', 'create', 'update', 'delete'],
    history: 'reported',
    search: { subtitle: 'slug', keys: ['name_key', 'slug'] },
  },
  client: {
    words: 'client',
    idPrefix: 'cli',
    table: 'clients',
    folder: 'clients',
    path: 'clients',
    about: 'OAuth applications that sign users in or act for themselves.',
    permissions: ['read', 'create', 'update', 'delete'],
    history: 'reported',
    search: {
      // Those that no administrator has registered are marked: a document by the host that vouches for it.
      subtitle: `case origin when 'metadata_document' then split_part(automatic_client_id, '/', 3)
      when 'registration' then 'registered itself' else client_type end`,
      subtitleIs: 'the type of a client',
      condition: notDeleted,
      address: 'automatic_client_id',
      keys: ['name_key'],
    },
  },
  webhook: {
    words: 'webhook',
    idPrefix: 'wh',
    table: 'webhook_endpoints',
    folder: 'webhooks',
    parts: ['webhook_hours'],
    path: 'webhooks',
    about: 'Receivers of events, their secrets and deliveries.',
    permissions: ['read', 'create', 'update', 'delete'],
    history: 'recorded',
    search: {
      title: 'url',
      subtitle: "array_to_string(events, ', ')",
      subtitleIs: 'the events of a webhook',
      keys: ['lower(url) collate "C"'],
    },
  },
  connection: {
    words: 'connection',
    idPrefix: 'con',
    table: 'connections',
    folder: 'connections',
    path: 'connections',
    about: 'Identity providers with which users sign in.',
    permissions: ['read', 'create', 'update', 'delete'],
    history: 'reported',
    search: {
      subtitle: "case when is_active then slug else slug || ', off' end",
      subtitleIs: 'the slug of a connection',
      keys: ['lower(name) collate "C"', 'slug collate "C"'],
    },
  },
  domain: {
    words: 'domain',
    idPrefix: 'dom',
    table: 'organisation_domains',
    folder: 'domains',
    path: 'domains',
    about: 'E-mail domains of an organisation, verified by a DNS record.',
    permissions: ['read', 'update'],
    history: 'recorded',
    search: { title: 'domain', subtitle: 'status', subtitleIs: 'the state of a domain', keys: ['domain collate "C"'] },
  },
  directory: {
    words: 'directory',
    idPrefix: 'dir',
    table: 'directories',
    folder: 'directories',
    parts: ['directory_users', 'directory_groups', 'directory_group_members'],
    path: 'directories',
    about: 'Directories that manage users and groups by SCIM.',
    permissions: ['read', 'create', 'update', 'delete'],
    history: 'recorded',
    search: {
      subtitle: "case when is_active then 'SCIM' else 'SCIM, off' end",
      subtitleIs: 'the protocol of a directory',
      keys: ['lower(name) collate "C"'],
    },
  },
  setup_link: {
    words: 'set-up link',
    idPrefix: 'sul',
    table: 'setup_links',
    folder: 'setup-links',
    path: 'setup-links',
    about: 'Links by which a person without an account sets up a connection, a domain or a directory.',
    search: {
      subtitle: "array_to_string(purposes, ', ')",
      subtitleIs: 'what a set-up link is for',
      keys: ['lower(name) collate "C"'],
    },
    leftOut: 'work at the address of this installation alone, for days',
  },
  resource_server: {
    words: 'resource server',
    idPrefix: 'rsv',
    table: 'resource_servers',
    folder: 'resource-servers',
    path: 'resource-servers',
    about: 'APIs that access tokens are issued for.',
    permissions: ['read', 'create', 'update', 'delete'],
    history: 'recorded',
    search: {
      subtitle: 'identifier',
      subtitleIs: 'the identifier of a resource server',
      keys: ['lower(name) collate "C"', 'lower(identifier) collate "C"'],
    },
  },
  resource_authorization_server: {
    words: 'resource authorization server',
    idPrefix: 'ras',
    table: 'resource_authorization_servers',
    folder: 'resource-authorization-servers',
    path: 'resource-authorization-servers',
    about: 'Authorization servers of other companies that take identity assertions, and which client may do what there.',
    history: 'recorded',
    search: {
      subtitle: 'issuer',
      keys: ['lower(name) collate "C"', 'lower(issuer) collate "C"'],
    },
  },
  api_key: {
    words: 'API key',
    idPrefix: 'key',
    table: 'api_keys',
    folder: 'api-keys',
    path: 'api-keys',
    about: 'Keys by which programs administer the organisation.',
    permissions: ['read', 'create', 'delete'],
    history: 'recorded',
    search: {
      subtitle: 'prefix',
      subtitleIs: 'the beginning of an API key',
      condition: notDeleted,
      keys: ['name_key'],
      beginnings: ['lower(prefix) collate "C"'],
    },
  },
  invitation: {
    words: 'invitation',
    idPrefix: 'inv',
    table: 'invitations',
    folder: 'invitations',
    parts: ['invitation_teams'],
    path: 'invitations',
    about: 'Invitations to join an organisation.',
    permissions: ['read', 'create', 'delete'],
  },
  client_host: {
    words: 'blocked client host',
    idPrefix: 'bch',
    table: 'blocked_client_hosts',
    folder: 'automatic-clients',
    path: 'blocked-client-hosts',
    about: 'Hosts whose applications are refused, if these introduce themselves.',
  },
  registration_token: {
    words: 'registration token',
    idPrefix: 'rgt',
    table: 'registration_tokens',
    folder: 'registration-tokens',
    path: 'registration-tokens',
    about: 'Tokens by which programs register OAuth clients themselves.',
  },
} as const satisfies Readonly<Record<string, Kind>>

export type Kinds = typeof kinds
export type KindName = keyof Kinds

/** The kinds that say something, such as how the search finds them. */
export type KindWith<Field extends keyof Kind> = {
  [K in KindName]: Kinds[K] extends Readonly<Record<Field, unknown>> ? K : never
}[KindName]

/** Every table of a kind. */
export const tablesOf = (kind: Kind): readonly string[] => [kind.table, ...(kind.parts ?? []), ...(kind.ofUsers ?? [])]

/** The tables that say which users have a record, with the kind. */
export const tablesOfUsers: readonly (readonly [table: string, kind: Kind])[] = Object.values<Kind>(kinds).flatMap((kind) =>
  (kind.ofUsers ?? []).map((table) => [table, kind] as const),
)
