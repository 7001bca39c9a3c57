/**
 * Checks that a distributed PostgreSQL could take the schema, and prints each violation: the rows of an organisation lie on one machine, so
 * keys, unique constraints and references of its tables hold `organisation_id`. What cannot is listed in docs/scaling.md, with the reason.
 */
import { readFileSync } from 'node:fs'
import process from 'node:process'

const document = 'docs/scaling.md'

/** Tables that are not divided by organisation. Citus copies them to every machine, or leaves them on one. */
const shared = new Set([
  ...['client_documents', 'email_code_tries', 'idempotent_answers', 'kysely_migration', 'kysely_migration_lock'],
  ...['organisation_count_changes', 'organisations', 'permissions', 'rate_limits', 'signing_keys', 'spent_challenges', 'tasks'],
  'unbound_clients',
])

/** Constraints and indexes of the tables of organisations that hold in all of them. */
const inAll = new Set([
  // Random secrets: what finds the organisation.
  ...['action_links_token_hash_key', 'api_keys_key_hash_key', 'authorization_requests_reference_key', 'device_codes_user_code_key'],
  ...['directory_tokens_token_hash_key', 'email_codes_flow_token_hash_key', 'email_codes_link_token_hash_key'],
  ...['invitations_token_hash_key', 'mfa_challenges_token_hash_key', 'registration_tokens_token_hash_key', 'sessions_token_hash_key'],
  ...['setup_links_token_hash_key', 'setup_links_visit_hash_key', 'exchanged_keys_key_hash_key'],
  // Names that belong to one of all.
  ...['organisation_domains_domain_key', 'passkey_users_handle_key', 'passkeys_credential_id_key', 'resource_servers_identifier_key'],
  ...['federated_subjects_subject_hash_key', 'used_assertions_once_key', 'users_email_key'],
  // Identifiers by which an address alone finds the organisation.
  ...[
    'clients_id_key',
    'connections_id_key',
    'directories_id_key',
    'resource_authorization_servers_id_key',
    'resource_servers_id_key',
    'users_id_key',
  ],
  // From a table that is on every machine to one that is divided.
  'organisations_owner_fkey',
  // A refusal may be of no organisation.
  'diagnostics_pkey',
])

interface Table {
  name: string
  lines: string[]
}

const tables = readFileSync('docs/schema.txt', 'utf8')
  .split('\n\n')
  .map((block): Table => {
    const [name = '', ...lines] = block.split('\n').map((line) => line.trim())
    return { name, lines }
  })
  .filter(({ name }) => /^[a-z_]+$/.test(name))
const isDivided = ({ lines }: Table) => lines.some((line) => line.startsWith('organisation_id '))
const divided = new Set(tables.filter(isDivided).map(({ name }) => name))

/** A key, a unique constraint or a reference, with its columns. */
function ruleOf(line: string): { name: string; columns: string; refersTo?: string } | undefined {
  const [, name, columns, refersTo] =
    /^constraint (\w+) (?:PRIMARY KEY|UNIQUE|FOREIGN KEY) \(([^)]*)\)(?: REFERENCES (\w+))?/.exec(line) ??
    /^CREATE UNIQUE INDEX (\w+) ON \S+ USING \w+ \(([^)]*)\)/.exec(line) ??
    []
  return name === undefined || columns === undefined ? undefined : { name, columns, ...(refersTo !== undefined && { refersTo }) }
}

const mistakes: string[] = []
const seen = new Set<string>()
for (const table of tables) {
  if (!isDivided(table)) {
    seen.add(table.name)
    if (!shared.has(table.name))
      mistakes.push(`${table.name} has no organisation_id: say in tools/check-distribution.ts why, and in ${document}`)
    for (const { name, refersTo } of table.lines.flatMap((line) => ruleOf(line) ?? [])) {
      if (refersTo === undefined || !divided.has(refersTo)) continue
      seen.add(name)
      if (!inAll.has(name)) mistakes.push(`${name} of ${table.name} refers to ${refersTo}, whose rows are divided`)
    }
    continue
  }
  for (const rule of table.lines.map(ruleOf)) {
    if (!rule || /\borganisation_id\b/.test(rule.columns)) continue
    // What is shared is on every machine.
    if (rule.refersTo !== undefined && !divided.has(rule.refersTo)) continue
    seen.add(rule.name)
    if (!inAll.has(rule.name)) mistakes.push(`${rule.name} of ${table.name} lacks organisation_id: it could not hold on several machines`)
  }
}
const text = readFileSync(document, 'utf8')
for (const name of [...shared, ...inAll]) {
  if (!seen.has(name)) mistakes.push(`tools/check-distribution.ts names ${name}, which there is not`)
  if (!text.includes(`\`${name}\``)) mistakes.push(`${document} does not name ${name}`)
}

process.stdout.write(mistakes.map((mistake) => `${mistake}\n`).join(''))
process.exitCode = mistakes.length > 0 ? 1 : 0
