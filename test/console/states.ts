import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import de from '../../console/src/texts/de/shell.ts'
import en from '../../console/src/texts/en/shell.ts'
import { unavailable } from '../support/console.ts'
import type { SignedInUser } from '../support/given.ts'
import type { TestService } from '../support/service.ts'
import { recentSignInRequired } from './every-overlay.ts'
import { prepareScene, type Scene } from './every-page.ts'

/** A page in a state that its address alone does not give. */
export interface State {
  name: string
  user: SignedInUser
  address: string
  /** What is done before the page is opened. */
  before?: (page: Page) => Promise<unknown>
  /** What is done on the page. */
  steps?: (page: Page, texts: typeof en) => Promise<unknown>
}

const texts = { en, de }
export const textsIn = (language: string) => texts[language as keyof typeof texts]

const records = 100_000
const lists = ['users', 'invitations', 'roles', 'teams', 'applications', 'api-keys', 'webhooks', 'audit', 'diagnostics']

/** The pages of an organisation with 100,000 users. */
export async function statesWithManyRecords(service: TestService): Promise<State[]> {
  const user = await withManyRecords(service)
  return [
    { name: 'many-overview', user, address: '/console' },
    ...lists.map((page) => ({ name: `many-${page}`, user, address: `/console/${page}` })),
    { name: 'many-users-page', user, address: '/console/users?q=anna&sort=name' },
  ]
}

/** Every other state in which a page can be, beside that it has something to show or nothing. */
export async function everyState(service: TestService, scene: Scene): Promise<State[]> {
  const { given, database } = service
  const { owner, userId, roleId, clientId } = scene
  const colleague = async (firstName: string, lastName: string, name: string, permissions: string[]) => {
    const role = await given.role(owner, { name, permissions })
    return given.signIn((await given.user(owner, { firstName, lastName, roleIds: [role.id] })).email)
  }
  const refused = await colleague('Ines', 'Okafor', 'Team lead', ['teams:delete'])
  const reader = await colleague('Otto', 'Lindgren', 'Auditor', ['users:read', 'roles:read', 'teams:read', 'clients:read'])
  const nobody = await colleague('Mira', 'Novak', 'Guest', [])
  const trial = (await given.organisation({ status: 'trial' })).owner
  const suspended = await given.organisation()
  // The operator's call would end the sessions, too.
  await database.system().updateTable('organisations').set({ status: 'suspended' }).where('id', '=', suspended.id).execute()

  const fails = (page: Page) => page.route('**/v1/admin/**', (route) => route.fulfill(unavailable))
  const menuOf = (page: Page) => page.locator('main header button[aria-haspopup=menu]').first().click()
  const lastInMenu = async (page: Page) => {
    await menuOf(page)
    await page.getByRole('menuitem').last().click()
    await page.getByRole('alertdialog').waitFor()
    await page.locator('[role=alertdialog] [aria-busy], [role=alertdialog] [role=status][aria-label]').waitFor({ state: 'detached' })
  }
  const deletesPasskey = async (page: Page) => {
    await page.getByRole('row').last().getByRole('button').click()
    await page.getByRole('alertdialog').waitFor()
  }
  const over = (name: string, address: string, steps: State['steps']): State => ({ name, user: owner, address, ...(steps && { steps }) })
  const pressed = (label: (shell: typeof en) => string): State['steps'] => {
    return async (page, shell) => {
      await page.getByRole('button', { name: label(shell), exact: true }).click()
      await page.locator('[role=dialog], [role=menu]').waitFor()
    }
  }
  return [
    ...[...lists, `users/${userId}`, 'explain', 'organisation/general'].map((page) => ({
      name: `refused-${nameless(page, userId)}`,
      user: refused,
      address: `/console/${page}`,
    })),
    ...['users', `users/${userId}`, `roles/${roleId}`, 'roles/matrix', `applications/${clientId}/settings`].map((page) => ({
      name: `reader-${nameless(page, userId, roleId, clientId)}`,
      user: reader,
      address: `/console/${page}`,
    })),
    { name: 'no-permissions', user: nobody, address: '/console' },
    ...['', ...lists, 'organisation/general'].map((page) => ({
      name: `failing-${nameless(page) || 'overview'}`,
      user: owner,
      address: `/console/${page}`,
      before: fails,
    })),
    ...['users/usr_', 'roles/rol_', 'teams/tem_', 'applications/cli_', 'webhooks/whe_'].map((page) => ({
      name: `gone-${page.split('/')[0]}`,
      user: owner,
      address: `/console/${page}${'0'.repeat(26)}`,
    })),
    ...['', 'users', 'organisation/general'].map((page) => ({
      name: `suspended-${nameless(page) || 'overview'}`,
      user: suspended.owner,
      address: `/console/${page}`,
    })),
    { name: 'empty-user-passkeys', user: owner, address: `/console/users/${owner.id}/passkeys` },
    { name: 'reader-user-passkeys', user: reader, address: `/console/users/${userId}/passkeys` },
    { name: 'reader-sign-in', user: reader, address: '/console/organisation/sign-in' },
    { name: 'trial-overview', user: trial, address: '/console' },
    over('offline-users', '/console/users', async (page) => {
      await page.context().setOffline(true)
      await page.locator('input[type=search]').fill('anna')
      await page.waitForTimeout(800)
    }),
    over('over-palette', '/console/users', async (page) => {
      await page.keyboard.press('ControlOrMeta+k')
      await page.getByRole('dialog').waitFor()
      await page.keyboard.type('no')
      await page.waitForTimeout(600)
    }),
    over('over-shortcuts', '/console/users', async (page) => {
      await page.keyboard.press('?')
      await page.getByRole('dialog').waitFor()
    }),
    over(
      'over-api-calls',
      '/console/users',
      pressed((shell) => shell.apiDrawer),
    ),
    over('over-user-menu', '/console/users', async (page) => {
      await page.locator('header button[aria-haspopup=menu]').last().click()
      await page.getByRole('menu').waitFor()
    }),
    over('over-bulk', '/console/users', async (page) => {
      const boxes = page.getByRole('main').getByRole('checkbox')
      await boxes.nth(1).press(' ')
      await boxes.nth(2).press(' ')
    }),
    over('over-bulk-question', '/console/users', async (page) => {
      await page.getByRole('main').getByRole('checkbox').nth(1).press(' ')
      await page.getByRole('toolbar').getByRole('button').first().click()
      await page.getByRole('alertdialog').waitFor()
    }),
    over('over-user-delete', `/console/users/${userId}`, lastInMenu),
    over('over-role-delete', `/console/roles/${roleId}`, lastInMenu),
    over('over-application-delete', `/console/applications/${clientId}`, lastInMenu),
    over('over-passkey-delete', `/console/users/${userId}/passkeys`, deletesPasskey),
    over('over-proof', `/console/users/${userId}/passkeys`, async (page) => {
      await page.route('**/passkeys/*', (route) => route.fulfill(recentSignInRequired('code', 'passkey')))
      await deletesPasskey(page)
      await page.locator('[role=alertdialog] [type=submit]').click()
      await page.locator('input[name=code]').waitFor()
    }),
    over('over-sign-in-impact', '/console/organisation/sign-in', async (page) => {
      await page.getByRole('switch').first().click()
      await page.locator('main form [type=submit]').click()
      await page.getByRole('alertdialog').waitFor()
    }),
    over('over-user-edit', `/console/users/${userId}`, async (page) => {
      const field = page.locator('main form input').first()
      await field.fill('Annabel')
    }),
    over('over-secret', '/console/api-keys?create=yes', async (page) => {
      const dialog = page.getByRole('dialog')
      await dialog.locator('input').first().fill('Monthly report')
      await dialog.getByRole('checkbox').nth(1).press(' ')
      await dialog.locator('button[type=submit]').click()
      await page.locator('code, input[readonly]').last().waitFor()
      await page.waitForTimeout(600)
    }),
  ]
}

const nameless = (address: string, ...ids: string[]) => ids.reduce((text, id) => text.replace(id, 'one'), address).replaceAll('/', '-')

/** @returns the owner of an organisation with 100,000 users, and hundreds of everything else */
async function withManyRecords(service: TestService): Promise<SignedInUser> {
  const { organisation, owner, roleId, teamId } = await prepareScene(service)
  // The name of the scene is taken by the one with few records.
  await owner.patch('/v1/admin/organisation', { name: 'Northwind Group' })
  const tenant = service.database.tenant(organisation.id)
  // Ids that count: to make 100,000 real ones takes longer than to store the records.
  const at = (n: string) => sql.raw(`now() - ${n} * interval '7 minutes'`)
  await sql`
    insert into users (id, email, first_name, last_name, email_verified_at, mfa_enabled, blocked_at, last_login_at, created_at, updated_at)
    select 'usr_' || lpad((${records} - n)::text, 26, '0'), lower(first || '.' || last) || n || '@northwind-trading.example', first, last,
      case when n % 11 > 0 then at end, n % 3 > 0, case when n % 17 = 0 then at end, case when n % 7 > 0 then now() - n * interval '3 minutes' end, at, at
    from (
      select n, ${at('n')} as at,
        (array['Anna', 'Hana', 'Otto', 'Fatima', 'Mira', 'Dora', 'Keiko', 'Bilal', 'Ines', 'Maximiliane-Charlotte', 'Goran', 'Noor', 'Wei'])[1 + n % 13] as first,
        (array['Shaw', 'Moreau', 'Novak', 'Schmidt', 'Lindqvist', 'Tanaka', 'Wolfeschlegelsteinhausen', 'Kowalska', 'Okafor', 'Yilmaz', 'Ferreira'])[1 + n % 11] as last
      from generate_series(1, ${records}::integer) n
    ) people`.execute(tenant)
  await sql`
    insert into user_roles (user_id, role_id, created_at) select id, ${roleId}, created_at from users where id like 'usr\\_0%' limit 60
    on conflict do nothing`.execute(tenant)
  await sql`
    insert into team_members (team_id, user_id, created_at) select ${teamId}, id, created_at from users where id like 'usr\\_0%' limit 30
    on conflict do nothing`.execute(tenant)
  await sql`
    insert into teams (id, name, slug, description, created_at, updated_at)
    select new_id('tem', now()), 'Sales ' || n, 'sales-' || n, 'People who sell in district ' || n, now(), now() from generate_series(1, 240) n`.execute(
    tenant,
  )
  await sql`
    insert into roles (id, name, slug, created_at, updated_at)
    select new_id('rol', now()), 'District manager ' || n, 'district-' || n, now(), now() from generate_series(1, 40) n`.execute(tenant)
  await sql`
    insert into invitations (id, email, role_id, token_hash, invited_by_id, expires_in_days, expires_at, created_at, updated_at)
    select new_id('inv', now()), 'colleague' || n || '@northwind-trading.example', ${roleId}, 'picture-' || n, ${owner.id}, 7,
      now() + n * interval '40 minutes', now(), now() from generate_series(1, 250) n`.execute(tenant)
  await sql`
    insert into audit_logs (id, action, actor_type, actor_id, actor_name, target_type, target_id, target_name, ip_address, created_at)
    select 'aud_' || lpad((20000 - n)::text, 26, '0'), (array['user.updated', 'user.blocked', 'role.assigned', 'client.updated', 'session.revoked'])[1 + n % 5], 'user', ${owner.id},
      'Anna Shaw', (array['user', 'user', 'user', 'client', 'session'])[1 + n % 5], 'usr_' || n, 'Record ' || n, '192.0.2.' || n % 250, at
    from (select n, ${at('n')} as at from generate_series(1, 20000) n) entries`.execute(tenant)
  await sql`
    insert into sign_in_counts (organisation_id, quarter_at, previous_at, succeeded, failed)
    select ${organisation.id}, quarter, quarter - interval '1 hour', 90 + (extract(epoch from quarter)::bigint / 3600 * 37 % 50)::integer,
      (extract(epoch from quarter)::bigint / 3600 * 13 % 9)::integer
    from generate_series(date_trunc('hour', now()) - interval '30 days', date_trunc('hour', now()) - interval '1 hour', interval '1 hour') quarter
    on conflict do nothing`.execute(service.database.system())
  return owner
}
