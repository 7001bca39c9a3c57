/** /setup/connection: connects the identity provider of a set-up link */
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { neededForTest } from '../connections/refusals.ts'
import { SentConfiguration } from '../connections/schemas.ts'
import { plainText } from '../platform/http/fields.ts'
import { type Html, html } from '../platform/http/html.ts'
import { type FieldError, invalidInput, Problem } from '../platform/http/problem.ts'
import type { App } from '../platform/http/server.ts'
import { setupPath } from '../setup-links/create-setup-link.ts'
import { readMadeBy } from '../setup-links/progress.ts'
import { beginConnection, configureConnection, dropConnection, type SetupProvider, testSetup } from '../setup-links/set-up.ts'
import { continueTo } from './continue-to.ts'
import { definePage } from './define-page.ts'
import { button, type Field, fieldOf, hidden, quietButton } from './fields.ts'
import type { FormState } from './form-state.ts'
import { errorSummary, formTo, successNotice } from './forms.ts'
import type { Page } from './layout.ts'
import { markOf } from './provider-marks.ts'
import { setupStepPage } from './setup-step.ts'
import { shownValues } from './setup-values.ts'
import { type OpenSetupVisit, openSetupVisit } from './setup-visit.ts'
import { type PageDependencies, queryOf, type View } from './view.ts'

const path = `${setupPath}/connection`
const formBytesMax = 2 * 1024 * 1024

const blankIsAbsent = <T extends z.ZodType>(schema: T) => z.preprocess((value) => (value === '' ? undefined : value), schema.optional())
const { issuer, tenant, clientId, metadataUrl, metadataXml } = SentConfiguration.shape

const Change = z.discriminatedUnion('action', [
  z.object({ action: z.literal('begin'), provider: z.enum(['microsoft', 'google', 'oidc', 'saml']) }),
  z.object({
    action: z.literal('save'),
    issuer: blankIsAbsent(issuer),
    tenant: blankIsAbsent(tenant),
    clientId: blankIsAbsent(clientId),
    secret: blankIsAbsent(plainText().max(8_192)),
    metadataUrl: blankIsAbsent(metadataUrl),
    metadataXml: blankIsAbsent(metadataXml),
  }),
  z.object({ action: z.literal('test') }),
  z.object({ action: z.literal('drop') }),
])
type Change = z.infer<typeof Change>

export const setupConnectionPage = (dependencies: PageDependencies) => async (app: App) => {
  definePage(app, dependencies, {
    path,
    bodyLimit: formBytesMax,
    visit: (request, reply) => openSetupVisit(dependencies, request, reply, 'connection'),
    show: async ({ view, setup, request }, form) => {
      const made = await readMadeBy(dependencies.database, setup.link)
      return pageOf(view, setup.link, made, form, queryOf(request, 'notice'), dependencies.publicUrl)
    },
    input: Change,
    operation: ({ view, setup }, change) => carryOut(view, setup, change),
    done: ({ reply, view }: OpenSetupVisit, to): FastifyReply => continueTo(reply, view.language, to ?? view.to(path)),
  })

  /** @returns where the browser continues, if that is not this page */
  async function carryOut(view: View, visit: OpenSetupVisit['setup'], change: Change): Promise<string | undefined> {
    switch (change.action) {
      case 'begin':
        await beginConnection(dependencies, visit, change.provider)
        return undefined
      case 'drop':
        await dropConnection(dependencies, visit)
        return undefined
      case 'test':
        return testSetup(dependencies, visit)
      case 'save': {
        const { action: _, secret, ...sent } = change
        const { connection } = await readMadeBy(dependencies.database, visit.link)
        const missing = connection ? missingIn(connection, change) : []
        if (missing.length > 0) throw invalidInput(missing)
        const configuration = {
          ...Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)),
          // Metadata as a text take the place of an address, which would be read again.
          ...(sent.metadataXml !== undefined && sent.metadataUrl === undefined && { metadataUrl: null }),
        }
        await configureConnection(dependencies, visit, configuration, secret).catch(atFields)
        return view.to(path, { notice: 'saved' })
      }
    }
  }
}

/** What the form has to say, since a test is the next step. */
function missingIn({ provider, secretEncrypted }: Connection, change: Extract<Change, { action: 'save' }>): FieldError[] {
  if (provider === 'saml')
    return change.metadataUrl === undefined && change.metadataXml === undefined ? [neededForTest(['metadataUrl'])] : []
  const needed = [...neededBy(provider), ...(secretEncrypted === null ? (['secret'] as const) : [])]
  return needed
    .filter((name) => change[name] === undefined)
    .map((name) => ({ code: 'invalid_type', path: [name], message: 'Required', isRequired: true }))
}

const neededBy = (provider: Connection['provider']) => [
  ...(provider === 'oidc' ? (['issuer'] as const) : []),
  ...(provider === 'microsoft' ? (['tenant'] as const) : []),
  'clientId' as const,
]

/** The fields of the form are the members of the configuration. */
function atFields(error: unknown): never {
  if (!(error instanceof Problem) || !error.errors) throw error
  throw invalidInput(
    error.errors.map((mistake) => ({ ...mistake, path: mistake.path[0] === 'configuration' ? mistake.path.slice(1) : mistake.path })),
  )
}

type Made = Awaited<ReturnType<typeof readMadeBy>>
type Connection = NonNullable<Made['connection']>

function pageOf(
  view: View,
  link: OpenSetupVisit['setup']['link'],
  made: Made,
  form: FormState,
  notice: string | undefined,
  publicUrl: string,
): Page {
  const { connection: texts } = view.texts.setup
  const fields = made.connection ? fieldsOf(view, made.connection) : []
  return setupStepPage(view, form, {
    texts,
    notice: errorSummary(view, form, fields) ?? (notice === 'saved' && !made.isTested && successNotice(texts.saved)),
    content: made.connection ? connectionOf(made.connection) : choiceOf(view, link.purposes),
  })

  function connectionOf(connection: NonNullable<Made['connection']>): Html {
    const { id, provider, configuration } = connection
    const stored = Object.fromEntries(Object.entries(configuration).filter(([, value]) => typeof value === 'string')) as Record<
      string,
      string
    >
    // Another form of the page has sent none of these fields.
    const shown: FormState = { ...form, values: form.values.action === 'save' ? form.values : stored }
    const metadata = `${publicUrl}/saml/${id}/metadata`
    const ours =
      provider === 'saml'
        ? { [texts.entityId]: metadata, [texts.acs]: `${publicUrl}/saml/${id}/acs`, [texts.metadata]: metadata }
        : { [texts.callback]: `${publicUrl}/federation/${id}/callback` }
    return html`
      <ol class="steps">
        <li><h2>${texts.ours}</h2>${shownValues(view, ours)}</li>
        <li>
          <h2>${texts.theirs}</h2>
          ${formTo(view, view.to(path), html`${hidden('action', 'save')}${fields.map((field) => fieldOf(shown, field))}${provider === 'saml' && fileField(view)}${button(texts.save)}`)}
        </li>
        <li>
          <h2>${texts.test}</h2>
          <p class="lead">${texts.testLead}</p>
          ${made.isTested && successNotice(texts.tested)}
          ${made.isConfigured && formTo(view, view.to(path), html`${hidden('action', 'test')}${button(texts.test)}`)}
        </li>
      </ol>
      ${formTo(view, view.to(path), html`${hidden('action', 'drop')}${quietButton(texts.drop)}`)}`
  }
}

/** What can be chosen, by its picture. */
function choiceOf(view: View, purposes: OpenSetupVisit['setup']['link']['purposes']): Html {
  const { connection: texts } = view.texts.setup
  const choices: SetupProvider[] = [
    ...(purposes.includes('oidc') ? (['microsoft', 'google', 'oidc'] as const) : []),
    ...(purposes.includes('saml') ? (['saml'] as const) : []),
  ]
  return html`
    <h2>${texts.choose}</h2>
    ${choices.map((provider) =>
      formTo(
        view,
        view.to(path),
        html`${hidden('action', 'begin')}${hidden('provider', provider)}${quietButton(html`${markOf({ provider })} ${texts.providers[provider]}`)}`,
      ),
    )}`
}

function fieldsOf({ texts: { setup } }: View, { provider, secretEncrypted }: Connection): Field[] {
  const { connection: texts } = setup
  const field = (name: string, label: string, more: Partial<Field> = {}): Field => ({ name, label, autocomplete: 'off', ...more })
  if (provider === 'saml')
    return [
      field('metadataUrl', texts.metadataUrl, { hint: texts.metadataUrlHint, optional: true }),
      field('metadataXml', texts.metadataXml, { rows: 6, optional: true }),
    ]
  const hasSecret = secretEncrypted !== null
  return [
    ...neededBy(provider).map((name) => field(name, texts[name], name === 'issuer' ? { hint: texts.issuerHint } : {})),
    field('secret', texts.secret, { type: 'password', hint: hasSecret ? texts.secretKept : texts.secretHint, optional: hasSecret }),
  ]
}

const fileField = ({ texts: { setup } }: View) => html`
  <div class="field" hidden>
    <div class="label-row"><label for="metadataFile">${setup.connection.file}</label></div>
    <input id="metadataFile" type="file" accept=".xml,text/xml,application/xml" data-reads="metadataXml">
  </div>`
