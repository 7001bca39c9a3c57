/**
 * Runs the tests for the changes since the branch left main: those of the changed folders by the table below, and the changed tests
 * themselves. They run on PostgreSQL, which takes less time, and those that run only on the embedded database on that one; after a change
 * of the database code, all run on both. `npm run test:changed -- --project pglite` uses the embedded database for all, `-- --list` only
 * lists the tests.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, readdirSync } from 'node:fs'
import process from 'node:process'
import { onPgliteAlone } from '../test/one-database.ts'

/**
 * The tests of each folder of src/, by the prefixes of their paths. Imports cannot tell, since the application imports everything. A
 * nested folder with tests of its own runs only those.
 */
const testsOf: Record<string, readonly string[]> = {
  accounts: ['test/admin/user', 'test/admin/list', 'test/auth/account-lock', 'test/me/profile'],
  access: ['test/http/', 'test/tenancy/', 'test/me/sessions'],
  activity: ['test/admin/audit', 'test/webhooks/catalogue', 'test/webhooks/delivery', 'test/http/audited'],
  app: ['test/operations/', 'test/http/'],
  audit: ['test/admin/audit'],
  cli: ['test/cli/', 'test/operations/', 'test/webhooks/listen'],
  'cli/config': ['test/cli/config.', 'test/cli/usage'],
  'cli/configuration': ['test/cli/configuration', 'test/cli/usage'],
  'cli/database': ['test/cli/database', 'test/cli/usage'],
  'cli/doctor': ['test/cli/doctor', 'test/cli/usage'],
  'cli/examples': ['test/cli/create', 'test/cli/usage'],
  'cli/explain': ['test/cli/explain', 'test/cli/usage'],
  'cli/import': ['test/cli/import', 'test/cli/migrate-to', 'test/cli/usage'],
  'cli/keys': ['test/cli/keys', 'test/cli/usage'],
  'cli/organisation': ['test/cli/organisation', 'test/cli/usage'],
  'cli/user': ['test/cli/user', 'test/cli/usage'],
  'cli/verify': ['test/cli/verify', 'test/cli/usage'],
  'cli/webhooks': ['test/cli/webhooks', 'test/cli/usage', 'test/webhooks/listen'],
  'registration-tokens': ['test/admin/registration-tokens', 'test/oauth/registration'],
  'resource-servers': ['test/admin/resource-servers', 'test/oauth/resource-indicators', 'test/documents/mcp'],
  'automatic-clients': [
    'test/oauth/client-documents',
    'test/oauth/hostile-documents',
    'test/oauth/document-cache',
    'test/admin/blocked-client-hosts',
  ],
  'backchannel-logout': ['test/oauth/backchannel-logout'],
  claims: ['src/claims/', 'test/oauth/claims', 'test/documents/claims'],
  clients: ['test/admin/client', 'test/oauth/authorize', 'test/oauth/client-credentials'],
  configuration: ['src/configuration/', 'test/cli/configuration'],
  connections: ['test/connections/', 'src/connections/', 'test/auth/login'],
  console: ['test/console/'],
  directories: ['src/directories/', 'test/directories/'],
  'setup-links': ['test/setup-links/'],
  domains: ['test/domains/'],
  'email-codes': ['test/auth/email-codes', 'test/pages/email-code'],
  invitations: ['test/admin/invitation', 'test/auth/accept-invitation'],
  doctor: ['test/doctor/', 'test/cli/doctor'],
  idempotency: ['test/idempotency/', 'test/faults/kill'],
  isolation: ['test/cli/verify', 'test/tenancy/'],
  seeds: ['test/test-mode/', 'test/kit/testing', 'test/cli/serve-seed'],
  'test-mode': ['test/test-mode/', 'test/kit/testing'],
  mails: ['test/mails/', 'test/operations/mail'],
  identities: ['test/connections/'],
  passkeys: ['test/passkeys', 'test/me/mfa', 'test/auth/login-mfa'],
  mfa: ['test/me/mfa', 'test/auth/login-mfa', 'test/pages/second-factor'],
  oauth: ['test/oauth/', 'src/oauth/', 'test/http/contract'],
  operations: ['test/operations/'],
  organisations: ['test/admin/organisation'],
  pages: ['test/pages/', 'test/http/unfit-text'],
  passwords: ['test/auth/', 'test/me/password'],
  platform: ['test/http/', 'test/operations/', 'test/faults/', 'test/admin/lists', 'test/tenancy/'],
  profile: ['test/me/profile'],
  provisioning: ['test/system/', 'test/admin/organisation'],
  roles: ['test/admin/role', 'test/admin/user', 'test/tenancy/', 'test/system/permissions'],
  import: ['test/cli/import', 'test/cli/migrate-to'],
  sessions: ['test/me/sessions', 'test/auth/log', 'test/webhooks/ended-sessions', 'test/oauth/backchannel-logout'],
  'sign-in': ['test/auth/', 'test/admin/sign-in-checks'],
  statistics: ['test/statistics/'],
  system: ['test/system/'],
  tokens: ['test/oauth/'],
  undo: ['src/undo/', 'test/admin/undo', 'test/audit-log-document'],
  users: ['test/admin/user', 'test/admin/list'],
  webhooks: ['test/webhooks/'],
  workloads: ['test/admin/federated-api-keys', 'test/oauth/federated-credentials', 'test/cli/federated'],
}
/** The tests of the modules that service, console and command share. */
const ofShared = ['shared/', 'test/connections/', 'test/console/', 'test/oauth/', 'test/pages/', 'test/webhooks/']
/** The tests that cover every route and every field. */
const walks = ['test/http/', 'test/tenancy/isolation']

/** A folder without an entry has the tests of its own name. */
const testsOfFolder = (folder: string) => {
  const own = `test/admin/${folder}`
  return testsOf[folder] ?? (globSync(`${own}*.test.ts`).length > 0 ? [own] : undefined)
}

const untabled = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory() && !testsOfFolder(entry.name))
if (untabled.length > 0) {
  process.stderr.write(`tools/test-changed.ts does not say what tests ${untabled.map(({ name }) => `src/${name}`).join(', ')}\n`)
  process.exit(1)
}

const git = (...words: string[]) => execFileSync('git', words, { encoding: 'utf8' }).split('\n').filter(Boolean)
const base = git('merge-base', 'HEAD', 'main')[0] ?? 'HEAD'
const changed = [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')].filter((file) =>
  existsSync(file),
)

const tests = new Set<string>()
for (const file of changed) {
  const [top, folder = '', within = ''] = file.split('/')
  if (/\.test\.ts$/.test(file)) tests.add(file)
  else if (top === 'src') for (const test of testsOf[`${folder}/${within}`] ?? testsOfFolder(folder) ?? []) tests.add(test)
  else if (top === 'console') tests.add('test/console/')
  else if (top === 'packages') tests.add(`test/kit/${folder}`).add('test/kit/packed').add('test/kit/examples')
  else if (top === 'examples') tests.add('test/kit/examples')
  else if (top === 'shared') for (const test of ofShared) tests.add(test)
  else if (top === 'docs' || /^[A-Z]+\.md$/.test(file)) tests.add('test/documents/')
  else if (top === 'test') tests.add(file.slice(0, file.lastIndexOf('/') + 1))
  if (top === 'src' && /routes\.ts$|schemas\.ts$|refusals\.ts$/.test(file)) for (const walk of walks) tests.add(walk)
  if (top === 'src') tests.add(`${file.slice(0, file.lastIndexOf('/') + 1)}`)
}
if (process.argv.includes('--list')) process.stdout.write([...tests].map((test) => `${test}\n`).join(''))
else if (tests.size === 0) process.stdout.write('Nothing has changed that a test is about.\n')
else {
  const given = process.argv.slice(2)
  // Use a few of the inputs that `npm test` sends to every route.
  const environment = { ANY_INPUT_RUNS: '3', ...process.env }
  const run = (...words: string[]) => {
    const { status } = spawnSync('vitest', ['run', ...words, ...given], { stdio: 'inherit', env: environment })
    if (status !== 0) process.exitCode = status ?? 1
  }
  if (given.includes('--project')) run(...tests)
  else {
    // The differences between the databases are below one folder.
    const ofBoth = changed.some((file) => file.startsWith('src/platform/database/')) ? ['--project', 'pglite'] : []
    run('--project', 'rules', '--project', 'postgres', ...ofBoth, '--passWithNoTests', ...tests)
    const elsewhere = globSync(Object.keys(onPgliteAlone)).filter((file) => [...tests].some((prefix) => file.startsWith(prefix)))
    if (elsewhere.length > 0 && ofBoth.length === 0) run('--project', 'pglite', ...elsewhere)
  }
}
