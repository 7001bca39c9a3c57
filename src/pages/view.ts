import type { FastifyReply, FastifyRequest } from 'fastify'
import { originOf, type PageRequest } from '../access/caller.ts'
import type { Origin } from '../activity/actor.ts'
import type { AutomaticClients } from '../automatic-clients/automatic-client.ts'
import type { OAuthExtensions } from '../clients/extensions.ts'
import type { FederatedSignInDependencies } from '../connections/federation/sign-in-by-identity.ts'
import type { Asked } from '../connections/federation/start.ts'
import type { EmailCodeOffer } from '../email-codes/offer.ts'
import type { Accepting } from '../invitations/accept-invitation.ts'
import { findPendingRequest, type PendingRequest } from '../oauth/authorization/stored-requests.ts'
import type { DiagnosisStore } from '../oauth/protocol/diagnostics.ts'
import { signInPolicyOf } from '../organisations/rules.ts'
import { findOrganisationBranding, type OfferedConnection } from '../organisations/show-branding.ts'
import type { PasswordReplacement } from '../passwords/replace-password.ts'
import type { Database } from '../platform/database/database.ts'
import { pathOf } from '../platform/http/server.ts'
import type { Language } from '../platform/language.ts'
import type { CookieSettings } from '../sessions/session-cookie.ts'
import type { SetupSteps } from '../setup-links/set-up.ts'
import type { SignInDependencies } from '../sign-in/sign-in.ts'
import { type Brand, brandOf, imageUrlOf } from './branding.ts'
import type { Texts } from './catalogue/en.ts'
import { findDeviceAt } from './device-cookie.ts'
import { issueFormToken } from './form-token.ts'
import { catalogues, chooseLanguage } from './language.ts'
import { inLanguage, parseReturnTo } from './return-to.ts'

export interface PageDependencies
  extends FederatedSignInDependencies,
    SignInDependencies,
    PasswordReplacement,
    Accepting,
    CookieSettings,
    DiagnosisStore,
    SetupSteps {
  oauthExtensions: OAuthExtensions
  automaticClients: AutomaticClients
  environment: 'production' | 'development'
  emailCodeOffer: EmailCodeOffer
  /** Whether pictures may come from the machine itself, during development. */
  allowLoopbackPictures: boolean
}

type SignInOfApplication = Pick<Origin, 'signInId' | 'waitingClient'>

/** Everything that a page needs to be rendered except its own content. */
export interface View {
  language: Language
  texts: Texts
  /** Undefined while the organisation is unknown. */
  brand: Brand | undefined
  /** Undefined while the organisation is unknown. */
  organisationId: string | undefined
  /** Whether that organisation allows passkeys at sign-in. */
  allowsPasskeys: boolean
  allowsEmailCodes: boolean
  /** Whether it has a connection to an identity provider. */
  hasConnections: boolean
  /** The active connections, the oldest first. */
  connections: readonly (OfferedConnection & { isFoundByDomain: boolean })[]
  /** Whether a domain of it leads its users to a connection, so that the address comes first. */
  isIdentifierFirst: boolean
  /** The address of a picture that the page may show; undefined for any other. */
  pictureAt(address: unknown): string | undefined
  /** The sign-in that an application has begun; only on pages that sign in. */
  signIn?: SignInOfApplication | undefined
  /** The hidden field of every form. */
  formToken: string
  asked: Asked
  returnTo: string | undefined
  /** Where the browser continues after this page, in the language that was chosen. */
  onward: string
  /** A path of ours with the language and the place to return to; a step of a sign-in also with what has been asked for. */
  to(path: string, parameters?: Record<string, string | undefined>): string
  /** The same view, on the way to another path of ours. */
  returningTo(path: string): View
  /** This page in another language. */
  inLanguage(language: Language): string
}

/** The target of a sign-in that no application has asked for. */
export const home = '/account'

/** The target of a sign-in that no page has asked for. */
export const landing = '/'

/**
 * @param organisationId whose branding the page shows; without it, the signed-in user's. `returnTo` decides only before sign-in: an
 *   attacker can write the link that contains it, and the branding decides on the page's policy.
 * @param asked what the sign-in has been asked for, where the address of the page does not say it
 */
export async function viewOf(
  dependencies: PageDependencies,
  request: PageRequest,
  reply: FastifyReply,
  organisationId?: string,
  asked = askedOf(request),
): Promise<View> {
  const { allowLoopbackPictures } = dependencies
  const { uiLocales } = asked
  const returnTo = parseReturnTo(queryOf(request, 'returnTo'))
  const language = chooseLanguage(uiLocales, request.headers['accept-language'])
  const owner =
    organisationId ??
    request.browserSession?.caller.organisationId ??
    (await findPendingAt(dependencies.database, returnTo))?.organisationId
  const found = owner === undefined ? undefined : await findOrganisationBranding(dependencies.database, owner)
  const policy = found && signInPolicyOf(found.signInPolicy)
  const constant = {
    language,
    texts: catalogues[language],
    organisationId: found && owner,
    brand: found && brandOf(found, allowLoopbackPictures),
    allowsPasskeys: policy?.passkeys !== 'off',
    allowsEmailCodes: policy?.emailCode !== 'off',
    hasConnections: (found?.connections.length ?? 0) > 0,
    connections: found?.connections.filter(({ signsIn }) => signsIn) ?? [],
    isIdentifierFirst: found?.connections.some(({ isFoundByDomain }) => isFoundByDomain) === true,
    pictureAt: (address: unknown) => imageUrlOf(address, allowLoopbackPictures),
    formToken: issueFormToken(dependencies, request, reply),
    asked,
    inLanguage: (other: Language) => addressOf(pathOf(request), { ...singleValues(request.query), ui_locales: other }),
  }
  const returningTo = (path: string | undefined): View => ({
    ...constant,
    returnTo: path,
    onward: inLanguage(path ?? landing, uiLocales),
    to: (target, parameters = {}) =>
      addressOf(target, { ...(isStepOfSignIn(target) && wishesIn(asked)), ...parameters, returnTo: path, ui_locales: uiLocales }),
    returningTo,
  })
  return returningTo(returnTo)
}

const isStepOfSignIn = (path: string) => /^\/(?:login|password\/forgot|federation\/[^/]+\/start)(?:\/|$)/.test(path)
const wishesIn = ({ loginHint, isNewSignIn }: Asked) => ({
  ...(loginHint !== undefined && { login_hint: loginHint }),
  ...(isNewSignIn && { prompt: 'login' }),
})

// A longer value would not fit into `returnTo`, and the authorization endpoint would refuse other characters.
const uiLocalesPattern = /^[\w\- ]{1,500}$/

/** What the address of a page asks of the sign-in. */
export const askedOf = (request: FastifyRequest): Asked => askedIn(singleValues(request.query))

function askedIn({ login_hint, prompt, ui_locales = '' }: Record<string, string>): Asked {
  return {
    loginHint: login_hint || undefined,
    isNewSignIn: prompt === 'login',
    uiLocales: uiLocalesPattern.test(ui_locales) ? ui_locales : undefined,
  }
}

/** What a sign-in has been asked for, as the query of an address. */
export const writeAsked = (asked: Asked): string =>
  String(new URLSearchParams({ ...wishesIn(asked), ...(asked.uiLocales !== undefined && { ui_locales: asked.uiLocales }) }))

export const readAsked = (query: string): Asked => askedIn(Object.fromEntries(new URLSearchParams(query)))

/** The language of what is no page with a view. */
export const chosenLanguageOf = (request: FastifyRequest): Language =>
  chooseLanguage(askedOf(request).uiLocales, request.headers['accept-language'])

export interface SignInView extends View {
  /** The name of the application whose sign-in is pending. */
  application: string | undefined
}

/** The view of a page that signs in anew: it shows the branding of the application whose sign-in is pending, not of the signed-in user. */
export async function signInViewOf(dependencies: PageDependencies, request: PageRequest, reply: FastifyReply): Promise<SignInView> {
  const returnTo = parseReturnTo(queryOf(request, 'returnTo'))
  const pending = await findPendingAt(dependencies.database, returnTo)
  if (!pending) {
    const device = await findDeviceAt(dependencies, request, returnTo)
    return { ...(await viewOf(dependencies, request, reply, device?.organisationId)), application: device?.clientName }
  }
  const view = await viewOf(dependencies, request, reply, pending.organisationId)
  return { ...view, application: pending.clientName, signIn: signInBegunBy(pending) }
}

export const signInBegunBy = ({ signInId, clientId, organisationId }: PendingRequest): SignInOfApplication => ({
  signInId,
  waitingClient: { id: clientId, organisationId },
})

/** The origin of a sign-in, including the application that has begun it. */
export const originOfSignIn = (request: FastifyRequest, { signIn }: Pick<View, 'signIn'>): Origin => ({ ...originOf(request), ...signIn })

/** A parameter of the page's address; one that is sent twice counts as absent. */
export function queryOf(request: FastifyRequest, name: string): string | undefined {
  return singleValues(request.query)[name]
}

/** The fields of a form that were sent exactly once. */
export function formOf(request: FastifyRequest): Record<string, string> {
  return singleValues(request.body)
}

/** The token of a mailed link: first in the address, then in the form of the page that the link opens. */
export function linkTokenOf(request: FastifyRequest): string {
  return (request.method === 'POST' ? formOf(request).token : queryOf(request, 'token')) ?? ''
}

function singleValues(parameters: unknown): Record<string, string> {
  const entries = Object.entries((parameters ?? {}) as Record<string, unknown>)
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

/** The pending request of the application at the address that the page returns to. */
export async function findPendingAt(database: Database, returnTo: string | undefined): Promise<PendingRequest | undefined> {
  if (!returnTo?.startsWith('/oauth2/authorize?')) return undefined
  const reference = new URLSearchParams(returnTo.slice(returnTo.indexOf('?'))).get('request')
  return reference === null ? undefined : findPendingRequest(database, reference)
}

/** A path of ours in the language that the request has chosen. A page that has its view takes the path from there. */
export function inChosenLanguage(request: FastifyRequest, path: string, parameters: Record<string, string | undefined> = {}): string {
  return inLanguage(addressOf(path, parameters), askedOf(request).uiLocales)
}

/**
 * Where the browser comes back to when another step has to come first: the page that was opened; for a form, which is not sent again, a page
 * that is given, on the same way.
 */
export const comingBackTo = (request: FastifyRequest, path: string): string =>
  request.method === 'GET' ? request.url : inChosenLanguage(request, path, { returnTo: parseReturnTo(queryOf(request, 'returnTo')) })

function addressOf(path: string, parameters: Record<string, string | undefined>): string {
  const present = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return present.length === 0 ? path : `${path}?${new URLSearchParams(present)}`
}
