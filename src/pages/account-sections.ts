import type { ActivityEntry } from '../audit/own-activity.ts'
import type { Consent } from '../oauth/authorization/consents.ts'
import type { PasswordState } from '../passwords/own-password-state.ts'
import type { Device } from '../platform/http/devices.ts'
import { type Html, type HtmlValue, html } from '../platform/http/html.ts'
import type { Profile } from '../profile/schemas.ts'
import type { SessionRecord } from '../sessions/session-list.ts'
import { areFew, type Factors } from './account-factors.ts'
import { identitiesPath } from './account-identities.ts'
import { passkeysPath } from './account-passkeys.ts'
import { enrolmentFrom } from './account-visit.ts'
import { claimsInWords, scopeInWords } from './consent.ts'
import { hidden } from './fields.ts'
import { formTo } from './forms.ts'
import { textWith, timeIn } from './times.ts'
import { home, type View } from './view.ts'

const section = (id: string, title: string, content: HtmlValue): Html => html`
  <section aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${content}
  </section>`

export const name = (view: View, { name, phone }: Profile): Html =>
  section(
    'name',
    view.texts.account.name,
    html`
      <p>${name}${phone && html`<br>${phone}`}</p>
      <p><a href="${view.to(`${home}/profile`)}">${view.texts.account.changeName}</a></p>`,
  )

export function email(view: View, { email, emailVerified }: Profile): Html {
  const texts = view.texts.account
  return section(
    'email',
    view.texts.email,
    html`
      <p>${email}</p>
      <p>${emailVerified ? texts.emailConfirmed : texts.emailNotConfirmed}</p>
      ${!emailVerified && formTo(view, view.to(`${home}/verification`), smallButton(texts.sendLink))}`,
  )
}

export function password(view: View, { passwordChangedAt }: Profile, state: PasswordState): Html {
  const texts = view.texts.account
  const title = view.texts.password
  if (state !== 'set') {
    const link = state === 'settable' && formTo(view, view.to(`${home}/password/link`), smallButton(texts.sendPasswordLink))
    return section('password', title, html`<p>${state === 'settable' ? texts.noPassword : texts.noPasswordNeeded}</p>${link}`)
  }
  return section(
    'password',
    title,
    html`
      ${passwordChangedAt !== null && html`<p>${textWith(texts.lastChanged, timeIn(view, new Date(passwordChangedAt)))}</p>`}
      <p><a href="${view.to(`${home}/password`)}">${texts.changePassword}</a></p>`,
  )
}

/** The sections with the ways to sign in of a user without a password, by their id. */
export const waysToSignIn = (view: View, { passkeys }: { passkeys: boolean }): [id: string, title: string][] => [
  ...(passkeys ? [['passkeys', view.texts.passkeys.title] as [string, string]] : []),
  ...(view.hasConnections ? [['identities', view.texts.identities.title] as [string, string]] : []),
  ['second-factor', view.texts.account.secondFactor],
]

export const passkeys = (view: View): Html =>
  section(
    'passkeys',
    view.texts.passkeys.title,
    html`
      <p>${view.texts.passkeys.section}</p>
      <p><a href="${view.to(passkeysPath)}">${view.texts.passkeys.manage}</a></p>`,
  )

export const identities = (view: View): Html =>
  section(
    'identities',
    view.texts.identities.title,
    html`
      <p>${view.texts.identities.section}</p>
      <p><a href="${view.to(identitiesPath)}">${view.texts.identities.manage}</a></p>`,
  )

export function secondFactor(view: View, factors: Factors): Html {
  const texts = view.texts.account
  const { enabled, backupCodesLeft } = factors
  if (!enabled) {
    return section(
      'second-factor',
      texts.secondFactor,
      html`
        <p>${texts.factorsOff}</p>
        <p><a href="${enrolmentFrom(view)}">${texts.setUpFactors}</a></p>`,
    )
  }
  return section(
    'second-factor',
    texts.secondFactor,
    html`
      <p>${texts.factorsOn(backupCodesLeft)}</p>
      <ul class="records">
        ${factors.methods.map(({ method }) => factorItem(texts.methods[method], texts.goodFor[method]))}
        ${factorItem(view.texts.backupCodes.label, texts.goodForCodes)}
      </ul>
      ${areFew(backupCodesLeft) && html`<div class="notice warning"><p>${texts.fewCodes(backupCodesLeft)}</p></div>`}
      <p><a href="${view.to(`${home}/second-factor`)}">${texts.changeFactors}</a></p>`,
  )
}

const factorItem = (name: string, goodFor: string) => html`<li><span>${name}<br><span class="aside">${goodFor}</span></span></li>`

/** @param shown the session of the request first, of this many */
export function sessions(view: View, shown: readonly SessionRecord[], count: number): Html {
  const texts = view.texts.account
  const hasOthers = shown.some(({ current }) => !current)
  return section(
    'sessions',
    texts.sessions,
    html`
      <ul class="records">${shown.map((session) => sessionItem(view, session))}</ul>
      ${others(view, shown, count)}
      ${hasOthers && formTo(view, view.to(`${home}/sessions/others`), smallButton(texts.endOthers))}`,
  )
}

function sessionItem(view: View, session: SessionRecord): Html {
  const texts = view.texts.account
  const device = deviceInWords(view, session.device)
  const firstSeen = textWith(texts.firstSeen, timeIn(view, new Date(session.createdAt)))
  const lastActive = textWith(texts.lastActive, timeIn(view, new Date(session.lastActivityAt)))
  return html`
    <li>
      <span>
        ${device}${session.current && html` <span class="badge">${texts.thisSession}</span>`}<br>
        <span class="aside">${session.ipAddress}${session.current && html` <span data-zone="· ${texts.zone}"></span>`}<br>${firstSeen} · ${lastActive}</span>
      </span>
      ${formTo(
        view,
        view.to(`${home}/sessions`),
        html`
          ${hidden('session', session.id)}
          ${smallButton(texts.endSession, device)}
          ${!session.current && smallButton(texts.notMe, device, html` name="unknown" value="yes"`)}`,
        { confirm: session.current ? texts.confirmEnd : undefined },
      )}
    </li>`
}

/** How many records a section leaves out. */
const others = (view: View, { length }: readonly unknown[], count: number) =>
  count > length && html`<p>${view.texts.account.notShown(count - length)}</p>`

export const applications = (view: View, consents: readonly Consent[], count: number): Html =>
  section(
    'applications',
    view.texts.account.applications,
    consents.length === 0
      ? html`<p>${view.texts.account.noApplications}</p>`
      : html`
        <ul class="records">${consents.map((consent) => consentItem(view, consent))}</ul>
        ${others(view, consents, count)}`,
  )

function consentItem(
  view: View,
  { clientId, clientName, scopes, claims, resources, grantedAt, expiresAt, lastUsedAt, managedBy }: Consent,
): Html {
  const texts = view.texts.account
  const { atResource } = view.texts.consent
  const allowed = [
    ...scopes.map((scope) => scopeInWords(view, scope)),
    ...claimsInWords(view, claims),
    ...resources.map(({ name }) => `${atResource} ${name}`),
  ].join('; ')
  const times = [
    textWith(texts.since, timeIn(view, grantedAt)),
    expiresAt && html`, ${textWith(texts.until, timeIn(view, expiresAt))}`,
    lastUsedAt && html`, ${textWith(texts.lastUsed, timeIn(view, lastUsedAt))}`,
  ]
  const manager = managedBy ? html`<br>${texts.managedBy(managedBy.name)}` : ''
  const revoke = html`${hidden('application', clientId)}${smallButton(texts.takeBack, clientName)}`
  return html`
    <li>
      <span>${clientName}<br><span class="aside">${allowed}<br>${times}${manager}</span></span>
      ${formTo(view, view.to(`${home}/applications`), revoke)}
    </li>`
}

/** @param check where a user without a password looks for what is not theirs; undefined for one who has a password to change */
export const activity = (view: View, entries: readonly ActivityEntry[], check: string | undefined): Html =>
  section(
    'activity',
    view.texts.account.activity,
    html`
      <p>${
        check === undefined
          ? html`<a href="${view.to(`${home}/password`)}">${view.texts.account.activityHint}</a>`
          : html`<a href="#${check}">${view.texts.account.activityHintNoPassword}</a>`
      }</p>
      <ul class="records">${entries.map((entry) => activityItem(view, entry))}</ul>`,
  )

function activityItem(view: View, { action, by, about, device, ipAddress, createdAt }: ActivityEntry): Html {
  const { happened, by: byWhom } = view.texts.account
  const from = [
    by === 'administrator' || by === 'operator' ? byWhom[by] : undefined,
    device ? deviceInWords(view, device) : undefined,
    ipAddress ?? undefined,
  ].filter((part) => part !== undefined)
  return html`
    <li>
      <span>
        ${happened[action](about ?? '')}<br>
        <span class="aside">${timeIn(view, new Date(createdAt))}${from.map((part) => ` · ${part}`)}</span>
      </span>
    </li>`
}

function deviceInWords({ texts }: View, { browser, os }: Device): string {
  const { unknownProgram, device } = texts.account
  return os === null ? (browser ?? unknownProgram) : device(browser ?? unknownProgram, os)
}

const smallButton = (label: string, about?: string, attributes?: Html) =>
  html`<button class="button quiet small" type="submit"${about !== undefined && html` aria-label="${label}: ${about}"`}${attributes}>${label}</button>`
