/** /reauthenticate */
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { PageRequest } from '../access/caller.ts'
import type { MfaMethod } from '../access/factors.ts'
import { listProofMethods } from '../access/require-fresh.ts'
import { findOwnIdentities, type Identity } from '../connections/own-identities.ts'
import { sendCode } from '../mfa/send-code.ts'
import { showFactors } from '../mfa/show-factors.ts'
import { proofOfUser, startProof } from '../passkeys/options.ts'
import { type Html, html } from '../platform/http/html.ts'
import type { App } from '../platform/http/server.ts'
import { reauthenticate } from '../sign-in/reauthenticate.ts'
import { OwnPassword, type Reauthentication, SecondFactorCode } from '../sign-in/schemas.ts'
import { type AccountVisit, accountPageOf, accountVisit, isOfAccount } from './account-visit.ts'
import { continueTo } from './continue-to.ts'
import { defineForm, definePage } from './define-page.ts'
import type { FormState } from './form-state.ts'
import { errorSummary, formPage } from './forms.ts'
import { heading, type Page } from './layout.ts'
import { arePasskeysPossible, PasskeyFields, passkeyForm, proofOf } from './passkey-form.ts'
import { codeForm, plainCode } from './second-factor.ts'
import type { PageDependencies } from './view.ts'

const path = '/reauthenticate'

const Proof = z.union([OwnPassword, SecondFactorCode, PasskeyFields])

function proofIn(input: z.infer<typeof Proof>): Reauthentication {
  if ('credential' in input) return proofOf(input)
  // Apps show codes in groups.
  return 'code' in input ? { code: plainCode(input.code) } : input
}

interface ProofVisit extends AccountVisit {
  /** The user's second factors, one of which is asked for; undefined where the password is asked for. */
  methods: readonly MfaMethod[] | undefined
  /** The form that asks for a passkey, for users who have one. */
  byPasskey: Html | undefined
  /** The connections of a user who has no other proof; undefined for any other user. */
  connections: readonly Identity['connection'][] | undefined
}

export const reauthenticationPage = (dependencies: PageDependencies) => async (app: App) => {
  const { database } = dependencies
  const visitAccount = accountVisit(dependencies)

  const visit = async (request: PageRequest, reply: FastifyReply): Promise<ProofVisit | undefined> => {
    const visited = await visitAccount(request, reply)
    if (!visited) return undefined
    const proofs = await listProofMethods(dependencies, visited.caller)
    const byCode = proofs.includes('code')
    const byPasskey = proofs.includes('passkey') ? await passkeyProof(visited) : undefined
    const methods = byCode ? (await showFactors(database, visited.caller)).methods.map(({ method }) => method) : undefined
    const isPossible = byCode || proofs.includes('password') || byPasskey !== undefined
    return { ...visited, methods, byPasskey, connections: isPossible ? undefined : await connectionsOf(visited) }
  }

  async function connectionsOf({ caller }: AccountVisit): Promise<Identity['connection'][]> {
    const { identities } = await findOwnIdentities(database, caller)
    const active = identities.map(({ connection }) => connection).filter(({ signsIn }) => signsIn)
    return [...new Map(active.map((connection) => [connection.id, connection])).values()]
  }

  async function passkeyProof({ view, caller }: AccountVisit): Promise<Html | undefined> {
    const { organisationId, session } = caller
    if (!view.allowsPasskeys || !arePasskeysPossible(dependencies)) return undefined
    const started = await startProof(dependencies, { organisationId, userId: session.userId }, proofOfUser)
    return passkeyForm(view, { action: view.to(path), does: 'get', ...started, submit: view.texts.passkeys.verify })
  }

  definePage(app, dependencies, {
    path,
    visit,
    show,
    input: Proof,
    operation: ({ caller, view }, proof) => reauthenticate(dependencies, caller, proofIn(proof), view.language),
    done: ({ reply, view }) => continueTo(reply, view.language, view.onward),
  })

  defineForm(app, dependencies, {
    path: `${path}/code`,
    visit,
    show,
    input: z.object({}),
    operation: ({ caller }) => sendCode(dependencies, caller.organisationId, caller.session.userId),
    done: ({ reply, view }) => reply.redirect(view.to(path, { notice: 'sent' }), 303),
  })
}

/** A step on the way to a page of the account looks like one. */
function show(visited: ProofVisit, form: FormState): Page {
  const page = proofPage(visited, form)
  return isOfAccount(visited.view.returnTo) ? accountPageOf(visited, page) : page
}

function proofPage(visited: ProofVisit, form: FormState): Page {
  const { request, view, caller, methods, byPasskey, connections } = visited
  if (connections) return signInAgain(visited, connections, form)
  const { reauthentication: texts, password } = view.texts
  const passkeys = byPasskey !== undefined
  const after = html`
    ${byPasskey}
    <p class="after"><a href="${view.to('/login', { prompt: 'login' })}">${texts.signInAgain}</a></p>`
  if (methods) {
    return { ...codeForm({ request, view }, form, { methods, action: view.to(path), sends: view.to(`${path}/code`), after }), passkeys }
  }
  const page = formPage(view, form, {
    title: view.texts.secondFactor.title,
    lead: texts.lead(caller.email),
    action: view.to(path),
    fields: [
      {
        name: 'password',
        label: password,
        type: 'password',
        autocomplete: 'current-password',
        reveal: view.texts.reset.showPassword,
        first: true,
      },
    ],
    submit: view.texts.secondFactor.submit,
    after,
  })
  return { ...page, passkeys }
}

/** Providers that do not report when the user has signed in, so a sign-in there proves nothing new: a code by e-mail does. */
const silentProviders: ReadonlySet<string> = new Set(['google', 'microsoft', 'github'])

/** The page of a user who has no password or code to enter: a new sign-in proves who they are. */
function signInAgain({ view, caller }: ProofVisit, connections: readonly Identity['connection'][], form: FormState): Page {
  const { reauthentication: texts, secondFactor } = view.texts
  const ways = connections
    .filter(({ provider }) => !silentProviders.has(provider))
    .map(({ id, name }) => ({ path: view.to(`/federation/${id}/start`, { prompt: 'login' }), label: texts.signInBy(name) }))
  const anyWay = { path: view.to('/login', { prompt: 'login' }), label: texts.signIn }
  return {
    status: form.status,
    title: secondFactor.title,
    hasErrors: form.messages.length > 0,
    body: html`
      ${heading(secondFactor.title, texts.leadSignIn(caller.email))}
      ${errorSummary(view, form)}
      ${(ways.length > 0 ? ways : [anyWay]).map(({ path, label }) => html`<p class="next"><a class="button" href="${path}">${label}</a></p>`)}`,
  }
}
