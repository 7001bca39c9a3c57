import type { Locator, Page, Route } from 'playwright-core'
import { consoleTexts } from '../support/console-texts.ts'
import { prepareLooks } from '../support/looks.ts'
import type { Scene } from './every-page.ts'

export interface Overlay {
  what: string
  /** The sources that open it. */
  of?: string | string[]
  /** Where it is opened; over what is there already otherwise. */
  at?: (scene: Scene) => string
  open: (page: Page, scene: Scene) => Promise<unknown>
  /** What is there then, if not a dialog, a menu or a list. */
  shows?: (page: Page) => Locator
  /** The API refuses something on the way. */
  isRefused?: true
  /** The other one does not have it. */
  on?: 'desktop' | 'phone'
}

/** What opens something that differs from one of the overlays in its words alone. */
export const seenElsewhere: Record<string, string> = {
  'pages/applications/new-application.tsx': 'a secret that is shown once',
  'pages/setup-links/setup-links.tsx': 'a secret that is shown once',
  'parts/bulk-bar.tsx': 'the menu of a record',
  'parts/copy-by-hand.tsx': 'the preferences',
  'parts/drawer.tsx': 'the forms for new records',
  'parts/federated-credentials.tsx': 'the questions whether something ends',
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).last()
const dialog = (page: Page) => page.getByRole('dialog')
const question = (page: Page) => page.getByRole('alertdialog')
const refusedField = (page: Page) => page.locator('[aria-invalid=true]').first()
const submit = (page: Page) => dialog(page).locator('[type=submit]').click()
const press = (name: string) => (page: Page) => button(page, name).click()
const choose = (name: string) => (page: Page) => page.getByRole('menuitem', { name }).click()

/** What the API says to those whose sign-in is too long ago. */
export const recentSignInRequired = (...methods: string[]) => ({
  status: 403,
  contentType: 'application/problem+json',
  json: {
    type: 'about:blank',
    title: 'Forbidden',
    status: 403,
    detail: 'Recent sign-in required',
    code: 'recent-sign-in-required',
    methods,
    maxAgeSeconds: 900,
  },
})
const refused = (route: Route) => route.fulfill(recentSignInRequired('password', 'passkey'))

const user = ({ userId }: Scene) => `/users/${userId}`
const role = ({ roleId }: Scene) => `/roles/${roleId}`
const team = ({ teamId }: Scene) => `/teams/${teamId}`
const webhook = ({ endpointId }: Scene) => `/webhooks/${endpointId}`
const connection = ({ connectionId }: Scene) => `/connections/${connectionId}`
const application = ({ clientId }: Scene) => `/applications/${clientId}`

/** Each kind of what lies over pages. Those that stand on another one follow it. */
export function overlays(language: 'en' | 'de'): Overlay[] {
  const t = consoleTexts[language]
  const creations: [page: string, source: string][] = [
    ['users', 'pages/users/create-user.tsx'],
    ['invitations', 'pages/invitations/invite.tsx'],
    ['roles', 'pages/roles/create-role.tsx'],
    ['teams', 'pages/teams/create-team.tsx'],
    ['webhooks', 'pages/webhooks/create-webhook.tsx'],
    ['domains', 'pages/domains/add-domain.tsx'],
    ['setup-links', 'pages/setup-links/create-setup-link.tsx'],
    ['applications/registration-tokens', 'pages/registration-tokens/create-registration-token.tsx'],
  ]
  return [
    { what: 'the palette', at: user, open: (page) => page.keyboard.press('Control+k') },
    {
      what: 'the palette with records',
      open: (page) => page.keyboard.type('anna'),
      shows: (page) => page.getByRole('option', { name: /Anna Shaw/ }),
    },
    { what: 'the palette without any', open: (page) => page.keyboard.type('xyz'), shows: (page) => page.getByText(t.shell.nothingMatches) },
    { what: 'the shortcuts', of: 'shell/shortcuts-dialog.tsx', at: user, open: (page) => page.keyboard.press('?') },
    { what: 'the calls of a page', of: 'shell/api-drawer.tsx', at: user, open: press(t.shell.apiDrawer) },
    { what: 'the response of a call', open: (page) => page.getByRole('tab', { name: t.shell.response }).first().click() },
    {
      what: 'a tooltip',
      at: user,
      open: (page) => button(page, t.shell.apiDrawer).hover(),
      shows: (page) => page.getByText(t.shell.apiDrawer, { exact: true }),
      on: 'desktop',
    },
    {
      what: 'the menu of the person',
      of: 'shell/user-menu.tsx',
      at: user,
      open: (page) => page.getByRole('banner').getByRole('button').last().click(),
    },
    { what: 'the preferences', of: 'shell/preferences-dialog.tsx', open: choose(t.shell.preferences) },
    { what: 'the choice of columns', of: 'parts/resource-list.tsx', at: () => '/users', open: press(t.shell.columns) },
    {
      what: 'the choices of a filter',
      at: () => '/users',
      open: (page) => page.getByRole('combobox', { name: t.users.status }).click(),
      shows: (page) => page.getByRole('listbox'),
    },
    {
      what: 'selected rows',
      at: () => '/users',
      open: (page) => page.getByRole('checkbox', { name: t.shell.select('Wei Zhang') }).click(),
      shows: (page) => page.getByRole('toolbar'),
    },
    {
      what: 'a question for many with a picker',
      of: 'parts/bulk-dialog.tsx',
      open: (page) => page.getByRole('toolbar').getByRole('button', { name: t.users.giveRole, exact: true }).click(),
      shows: question,
    },
    {
      what: 'the choices of the picker',
      open: (page) => question(page).getByRole('combobox').click(),
      shows: (page) => page.getByRole('option').first(),
    },
    ...creations.map(
      ([page, of]): Overlay => ({
        what: `the form for new ${page} with refused fields`,
        of,
        at: () => `/${page}?create=yes`,
        open: submit,
        shows: refusedField,
      }),
    ),
    {
      what: 'the form for new users with an address that is taken',
      at: () => '/users?create=yes',
      open: async (page, { owner }) => {
        const fields = dialog(page).getByRole('textbox')
        for (const field of await fields.all()) await field.fill(owner.email)
        await submit(page)
      },
      shows: refusedField,
      isRefused: true,
    },
    {
      what: 'the form for new API keys',
      of: 'pages/api-keys/create-api-key.tsx',
      at: () => '/api-keys?create=yes',
      open: (page) => dialog(page).getByRole('button', { name: t.apiKeys.readAll }).click(),
      shows: (page) => page.getByRole('checkbox', { checked: true }).first(),
    },
    {
      what: 'a choice in a drawer',
      open: (page) => dialog(page).getByRole('combobox').first().click(),
      shows: (page) => page.getByRole('listbox'),
    },
    {
      what: 'a secret that is shown once',
      of: ['parts/secret-once.tsx', 'pages/api-keys/api-keys.tsx'],
      open: async (page) => {
        await page.keyboard.press('Escape')
        await dialog(page).getByLabel(t.apiKeys.name).fill('Nightly import')
        await submit(page)
      },
      shows: (page) => question(page).locator('pre'),
    },
    {
      what: 'the choices of a team',
      at: () => '/invitations?create=yes',
      open: (page) => dialog(page).getByRole('combobox').last().click(),
      shows: (page) => page.getByRole('option').first(),
    },
    {
      what: 'the form for a workload of an API key',
      at: () => '/api-keys',
      open: async (page) => {
        await page.getByRole('button', { name: t.federatedCredentials.showOf('Nightly export') }).click()
        await dialog(page).getByRole('button', { name: t.federatedCredentials.add }).click()
      },
      shows: (page) => dialog(page).getByLabel(t.federatedCredentials.issuer),
    },
    {
      what: 'the menu of a row',
      of: 'pages/invitations/invitation-actions.tsx',
      at: () => '/invitations',
      open: (page) =>
        page
          .getByRole('button', { name: t.invitations.actionsFor('invited-') })
          .first()
          .click(),
    },
    { what: 'the menu of a record', of: 'pages/users/user-actions.tsx', at: user, open: press(t.users.actions) },
    { what: 'a question with a reason', of: 'parts/confirm.tsx', open: choose(t.users.delete), shows: question },
    {
      what: 'the question whether access ends',
      of: 'parts/consents.tsx',
      at: (scene) => `${user(scene)}/applications`,
      open: press(t.consents.endAccess),
      shows: question,
    },
    {
      what: 'the question whether an account is unlinked',
      of: 'pages/users/user-identities.tsx',
      at: (scene) => `${user(scene)}/identities`,
      open: press(`${t.users.unlink}: carol@acme.test`),
      shows: question,
    },
    {
      what: 'the question whether a passkey goes',
      of: 'pages/users/user-passkeys.tsx',
      at: (scene) => `${user(scene)}/passkeys`,
      open: press(t.passkeys.deleteName('Work laptop')),
      shows: question,
    },
    {
      what: 'the question for a proof',
      of: 'shell/proof-dialog.tsx',
      open: async (page) => {
        await page.route('**/passkeys/*', refused)
        await question(page).locator('[type=submit]').click()
      },
      shows: (page) => page.getByRole('alertdialog', { name: t.proof.title }),
      isRefused: true,
    },
    {
      what: 'a bar of changes',
      at: user,
      open: (page) => page.getByLabel(t.users.firstName).fill('Anne'),
      shows: (page) => page.getByRole('region', { name: t.shell.unsavedChanges }),
    },
    {
      what: 'a question with an impact',
      of: 'pages/roles/role-actions.tsx',
      at: role,
      open: async (page) => {
        await press(t.shell.moreActions)(page)
        await choose(t.roles.delete)(page)
      },
      shows: question,
    },
    {
      what: 'the impact of a changed role',
      of: 'parts/use-question.tsx',
      at: role,
      open: async (page) => {
        await page.getByRole('checkbox', { name: 'audit:read' }).click()
        await press(t.shell.save)(page)
      },
      shows: question,
    },
    {
      what: 'the impact of a changed matrix',
      of: 'pages/roles/review-changes.tsx',
      at: () => '/roles/matrix',
      open: async (page) => {
        await page.getByRole('checkbox', { name: t.roles.cell('roles:read', 'Support') }).click()
        await press(t.roles.review(1))(page)
      },
      shows: question,
    },
    {
      what: 'a conflict with another administrator',
      of: 'parts/conflict-dialog.tsx',
      at: role,
      open: async (page, { owner, roleId }) => {
        await page.getByLabel(t.shell.description).fill('Answers in English and German')
        await owner.patch(`/v1/admin/roles/${roleId}`, { description: `Answers the telephone, ${language}` })
        await press(t.shell.save)(page)
      },
      // On a phone it has no heads of columns.
      shows: (page) => page.getByRole('alertdialog', { name: t.conflict.changedMeanwhile }),
      isRefused: true,
    },
    {
      what: 'the question whether a team goes',
      of: 'pages/teams/team-actions.tsx',
      at: team,
      open: async (page) => {
        await press(t.shell.moreActions)(page)
        await choose(t.teams.delete)(page)
      },
      shows: question,
    },
    {
      what: 'the menu of an application',
      of: 'pages/applications/application-actions.tsx',
      at: application,
      open: press(t.applications.actionsFor('Northwind Planner')),
    },
    { what: 'what has to be typed, with a reason', open: choose(t.applications.delete), shows: question },
    {
      what: 'the question about a new secret',
      of: 'pages/applications/rotate-secret.tsx',
      at: (scene) => `${application(scene)}/security`,
      open: press(t.clientSecurity.rotate),
      shows: question,
    },
    {
      what: 'the question whether a key is made',
      of: 'pages/applications/client-security.tsx',
      at: (scene) => `${application(scene)}/security`,
      open: press(t.clientSecurity.makeKey),
      shows: question,
    },
    {
      what: 'the question whether a profile is applied',
      of: 'pages/applications/client-profile.tsx',
      at: (scene) => `${application(scene)}/security`,
      open: press(t.clientSecurity.holdToProfile),
      shows: question,
    },
    {
      what: 'the question whether the access of a user ends',
      of: 'parts/consents.tsx',
      at: (scene) => `${application(scene)}/users`,
      open: press(t.consents.endAccess),
      shows: question,
    },
    {
      what: 'what an application was told of an ended session',
      of: 'pages/applications/client-logout.tsx',
      at: (scene) => `${application(scene)}/logout`,
      open: async (page) => page.getByRole('row').last().click(),
      shows: dialog,
    },
    {
      what: 'the change that mends a refused request',
      of: 'parts/refusal-remedy.tsx',
      at: ({ reference }) => `/diagnostics/${reference}`,
      open: (page) =>
        page
          .getByRole('button', { name: t.refusals.fixes.redirectUris })
          .or(page.getByRole('button', { name: t.refusals.fixes.allowedCallbackUrls }))
          .click(),
      shows: question,
    },
    {
      what: 'the question about a period',
      of: 'pages/webhooks/replay-range.tsx',
      at: webhook,
      open: async (page) => {
        await press(t.webhooks.actions)(page)
        await choose(t.webhooks.replayMany)(page)
      },
      shows: question,
    },
    {
      what: 'the question about a new secret of a webhook',
      of: ['pages/webhooks/webhook-actions.tsx', 'pages/webhooks/rotate-secret.tsx'],
      at: webhook,
      open: async (page) => {
        await press(t.webhooks.actions)(page)
        await choose(t.webhooks.rotate)(page)
      },
      shows: question,
    },
    {
      what: 'the new secret of a webhook',
      of: 'pages/webhooks/webhooks.tsx',
      open: (page) => question(page).locator('[type=submit]').click(),
      shows: (page) => question(page).locator('pre'),
    },
    {
      what: 'a delivery as a test',
      of: ['pages/webhooks/delivery.tsx', 'pages/webhooks/copy-as-test.tsx'],
      at: (scene) => `${webhook(scene)}/deliveries/${scene.deliveryId}`,
      open: async (page) => {
        await press(t.webhooks.actions)(page)
        await choose(t.webhooks.copyAsTest)(page)
      },
      shows: dialog,
    },
    {
      what: 'an entry of the audit log',
      of: 'pages/audit/entry.tsx',
      at: ({ entryId }) => `/audit?entry=${entryId}`,
      open: async () => {},
    },
    {
      what: 'what undoing an entry would do',
      of: 'pages/audit/undo.tsx',
      at: ({ userId }) => `/audit?action=user.updated&targetId=${userId}`,
      open: async (page) => {
        await page.locator('tbody tr[data-id] th a').first().click()
        await press(t.audit.undo)(page)
        await question(page).locator('[type=submit]').waitFor()
      },
      shows: question,
    },
    { what: 'the kinds of export', of: 'pages/audit/export.tsx', at: () => '/audit', open: press(t.audit.export) },
    {
      what: 'the choice of a period',
      at: () => '/audit',
      open: (page) => page.getByRole('combobox', { name: t.timeFilter.time }).click(),
      shows: (page) => page.getByRole('listbox'),
    },
    {
      what: 'a period of one’s own',
      open: (page) => page.getByRole('option', { name: t.timeFilter.ownPeriod }).click(),
      shows: (page) => page.getByLabel(t.timeFilter.since),
    },
    {
      what: 'the form for new connections with refused fields',
      of: 'pages/connections/connections.tsx',
      at: () => '/connections?create=yes',
      open: async (page) => {
        await dialog(page).getByLabel(t.shell.name, { exact: true }).fill('')
        await submit(page)
      },
      shows: refusedField,
    },
    {
      what: 'the question about the secret of a connection',
      of: 'pages/connections/connection-actions.tsx',
      at: connection,
      open: press(t.connections.rotate),
      shows: question,
    },
    {
      what: 'a row for what a claim gives',
      at: (scene) => `${connection(scene)}/accounts`,
      open: press(t.connections.addMapping.teams),
      shows: (page) => page.getByRole('combobox', { name: t.connections.gives.teams, exact: true }),
    },
    {
      what: 'the guide for new directories with refused fields',
      at: () => '/directories/new',
      open: async (page) => {
        await page.getByLabel(t.shell.name, { exact: true }).fill('')
        await press(t.directories.connect)(page)
      },
      shows: refusedField,
    },
    {
      what: 'the form for new resource servers with refused fields',
      of: 'pages/resources/resources.tsx',
      at: () => '/resources?create=yes',
      open: async (page) => {
        await dialog(page).getByLabel(t.shell.name, { exact: true }).fill('')
        await submit(page)
      },
      shows: refusedField,
    },
    {
      what: 'what an MCP server answers, and the form that adds it',
      at: () => '/resources/new-mcp-server',
      open: async (page) => {
        await page.getByLabel(t.resources.mcpAddress).fill('https://127.0.0.1:9/mcp')
        await press(t.resources.checkIt)(page)
      },
      shows: (page) => page.getByRole('heading', { name: t.resources.addIt }),
    },
    {
      what: 'the question whether a resource server goes',
      of: 'parts/switch-or-remove.tsx',
      at: ({ resourceId }) => `/resources/${resourceId}`,
      open: press(t.resources.remove),
      shows: question,
    },
    {
      what: 'the form for other companies with refused fields',
      of: 'pages/other-apis/register-other-api.tsx',
      at: () => '/other-apis?create=yes',
      open: async (page) => {
        await dialog(page).getByLabel(t.shell.name, { exact: true }).fill('')
        await submit(page)
      },
      shows: refusedField,
    },
    {
      what: 'the inspection of a pasted assertion',
      of: 'parts/assertion-drawer.tsx',
      at: () => '/other-apis',
      open: async (page) => {
        await press(t.assertionChecks.title)(page)
        await dialog(page).getByLabel(t.assertionChecks.assertion, { exact: true }).fill('no assertion')
        await dialog(page).getByRole('button', { name: t.assertionChecks.inspect, exact: true }).click()
      },
      shows: (page) => dialog(page).getByRole('list', { name: t.assertionChecks.checks }),
    },
    {
      what: 'the form for what an application may do at an API of another company',
      of: 'pages/other-apis/grant-form.tsx',
      at: ({ otherApiId }) => `/other-apis/${otherApiId}/grants`,
      open: press(t.otherApis.allow),
      shows: dialog,
    },
    {
      what: 'the question whether an application may do something there no longer',
      of: 'pages/other-apis/other-api-grants.tsx',
      at: ({ otherApiId }) => `/other-apis/${otherApiId}/grants`,
      open: press(t.otherApis.takeAwayFrom('Northwind Agent')),
      shows: question,
    },
    {
      what: 'the question whether another company goes',
      of: 'parts/switch-or-remove.tsx',
      at: ({ otherApiId }) => `/other-apis/${otherApiId}`,
      open: press(t.otherApis.remove),
      shows: question,
    },
    {
      what: 'the question whether a directory gets a token',
      of: 'pages/directories/directory-tokens.tsx',
      at: ({ directoryId }) => `/directories/${directoryId}`,
      open: press(t.directories.createToken),
      shows: question,
    },
    {
      what: 'the question whether a directory goes',
      of: 'parts/switch-or-remove.tsx',
      at: ({ directoryId }) => `/directories/${directoryId}`,
      open: press(t.directories.remove),
      shows: question,
    },
    {
      what: 'a row for what a group gives',
      at: ({ directoryId }) => `/directories/${directoryId}/groups`,
      open: press(t.directories.addMapping),
      shows: (page) => page.getByLabel(t.directories.group, { exact: true }).last(),
    },
    {
      what: 'a request of a directory',
      of: 'pages/directories/directory-requests.tsx',
      at: ({ directoryId }) => `/directories/${directoryId}/requests`,
      open: async (page) => page.getByRole('row').last().click(),
      shows: dialog,
    },
    {
      what: 'a request of a directory that is tried',
      of: 'pages/directories/try-request.tsx',
      at: ({ directoryId }) => `/directories/${directoryId}/requests`,
      open: async (page) => {
        await press(t.directories.tryRequest)(page)
        await submit(page)
      },
      shows: (page) => page.getByText(t.directories.wouldGet),
    },
    {
      what: 'the question whether a registration token ends',
      of: 'pages/registration-tokens/registration-tokens.tsx',
      at: () => '/applications/registration-tokens',
      open: press(t.registrationTokens.endName('Previews')),
      shows: question,
    },
    {
      what: 'the question whether a set-up link ends',
      of: 'pages/setup-links/setup-link.tsx',
      at: ({ setupLinkId }) => `/setup-links/${setupLinkId}`,
      open: press(t.setupLinks.end),
      shows: question,
    },
    {
      what: 'the question whether a domain goes',
      of: 'pages/domains/domain.tsx',
      at: ({ domainId }) => `/domains/${domainId}`,
      open: press(t.domains.remove),
      shows: question,
    },
    {
      what: 'what has to be typed',
      of: 'pages/organisation/danger.tsx',
      at: () => '/organisation/danger',
      open: press(t.organisation.delete),
      shows: question,
    },
    {
      what: 'the impact of changed settings',
      of: 'parts/use-organisation-impact.tsx',
      at: () => '/organisation/sign-in',
      open: async (page) => {
        await page.getByRole('switch', { name: t.organisation.fields.requireMfa }).click()
        await press(t.shell.save)(page)
      },
      shows: question,
    },
    {
      what: 'toasts with Undo',
      at: webhook,
      open: async (page) => {
        for (const name of [t.webhooks.deactivate, t.webhooks.activate]) {
          // Where the toast of the first does not come to lie over the second.
          await button(page, name).evaluate((one) =>
            (one as unknown as { scrollIntoView(to: object): void }).scrollIntoView({ block: 'center' }),
          )
          await press(name)(page)
        }
      },
      shows: (page) => page.getByRole('button', { name: t.shell.undo }).nth(1),
    },
    { what: 'the navigation', of: 'shell/navigation-drawer.tsx', at: () => '/users', open: press(t.shell.navigation), on: 'phone' },
    {
      what: 'the end of the session',
      of: 'shell/session-ended.tsx',
      at: () => '/roles',
      open: async (page) => {
        // Toasts would lie over it on a phone.
        await page.reload()
        await page.getByRole('heading', { level: 1 }).waitFor()
        await prepareLooks(page)
        await page.context().clearCookies()
        await page.evaluate("history.pushState({}, '', '/console/teams?q=x')")
      },
      shows: question,
      isRefused: true,
    },
  ]
}
