import { type Html, html } from '../platform/http/html.ts'
import type { Profile } from '../profile/schemas.ts'
import { areFew, type Factors, methodsInWords } from './account-factors.ts'
import { dayIn, textWith } from './times.ts'
import type { View } from './view.ts'

interface Card {
  section: string
  label: string
  state: Html | string
  tone?: 'good' | 'warning'
}

/** Summarises each section below in a few words. */
export function accountCards(
  view: View,
  { profile, factors, sessions, applications }: { profile: Profile; factors: Factors; sessions: number; applications: number },
): Html {
  const texts = view.texts.account
  const { cards } = texts
  const changedAt = profile.passwordChangedAt
  const all: Card[] = [
    { section: 'name', label: texts.name, state: profile.name },
    profile.emailVerified
      ? { section: 'email', label: view.texts.email, state: cards.confirmed, tone: 'good' }
      : { section: 'email', label: view.texts.email, state: cards.notConfirmed, tone: 'warning' },
    {
      section: 'password',
      label: view.texts.password,
      state: changedAt === null ? cards.noPassword : textWith(cards.passwordChanged, dayIn(view, new Date(changedAt))),
    },
    secondFactorCard(view, factors),
    { section: 'sessions', label: cards.sessions, state: cards.browsers(sessions) },
    { section: 'applications', label: cards.applications, state: cards.withAccess(applications) },
  ]
  return html`
    <nav aria-label="${cards.label}">
      <ul class="cards">${all.map(cardItem)}</ul>
    </nav>`
}

function secondFactorCard(view: View, factors: Factors): Card {
  const { secondFactor: label, cards, codesLeft } = view.texts.account
  const section = 'second-factor'
  if (!factors.enabled) return { section, label, state: cards.off, tone: 'warning' }
  const { backupCodesLeft } = factors
  return {
    section,
    label,
    state: html`${methodsInWords(view, factors)} · ${codesLeft(backupCodesLeft)}`,
    tone: areFew(backupCodesLeft) ? 'warning' : 'good',
  }
}

const cardItem = ({ section, label, state, tone }: Card) => html`
  <li><a href="#${section}"><span class="card-label">${label}</span> <span class="card-state${tone && ` ${tone}`}"><span>${state}</span></span></a></li>`
