/** Calls every route as one organisation with what belongs to another, and compares the responses. */

import type { UncommittedEngine } from '../platform/database/uncommitted.ts'
import type { App } from '../platform/http/server.ts'
import type { Credentials, ThrowAwayOrganisation } from './organisation.ts'
import { type IdLocation, nameOfPlace, placesOf } from './records.ts'
import { type Answer, type Request, requestOf, send } from './requests.ts'
import type { Route } from './routes.ts'
import { neverIssued } from './values.ts'

/** Something that one organisation learned of another, or changed there. */
export interface Leak {
  area: 'requests' | 'rows' | 'writes' | 'policies'
  where: string
  what: string
}

export interface AttemptCounts {
  routes: number
  /** Places of routes that take the id of a record. */
  places: number
  /** Requests that use something of the other organisation. */
  attempts: number
  /** Requests whose only purpose is comparison with an attempt. */
  comparisons: number
}

/** The routes of one part of the API. */
export interface Area {
  name: string
  routes: number
  requests: number
  leaks: number
}

export interface AttemptFindings extends AttemptCounts {
  areas: Area[]
  leaks: Leak[]
  /** Attempts that prove little: a record of one's own gets the same response as one that does not exist. */
  undecided: string[]
  /** Places that seem to take an id, but of an unknown kind of record. */
  unknown: string[]
  /** Responses that report a failure of the service. */
  failures: string[]
}

interface Attempting {
  app: App
  engine: UncommittedEngine
  routes: readonly Route[]
  digest(organisationId: string): Promise<string>
  /** The same without the times at which sessions and keys were last used. */
  digestWithoutUse(organisationId: string): Promise<string>
  onProgress(): void
}

/** Deliberate exceptions for a request: anyone who knows an application, or an address, can do the same without an account. */
export interface SharedByDesign {
  /** Whether the response may differ from that for an id which exists nowhere. */
  answers?: true
  /** Whether something may be recorded for the organisation concerned. */
  records?: true
  because: string
}

const signInPage = {
  answers: true,
  records: true,
  because: 'the link of an application leads any browser to its sign-in page, and what goes wrong there is noted for its administrators',
} as const
const page = { answers: true, because: 'the page after signing out names the application that sent the browser' } as const
const oneAccount = {
  answers: true,
  because: 'an e-mail address belongs to one account of the whole installation: a second one is refused',
} as const
const noted = { records: true, because: 'a wrong sign-in of an application is noted for its administrators' } as const
const auditLog = {
  records: true,
  because: 'anyone may try to sign in or ask for a link: the attempt is in the audit log of the account',
} as const

export const sharedByDesign: Record<string, SharedByDesign> = {
  'GET /oauth2/authorize client_id': signInPage,
  'POST /oauth2/authorize client_id': signInPage,
  'GET /oauth2/logout client_id': page,
  'POST /oauth2/logout client_id': page,
  'GET /oauth2/logout id_token_hint': page,
  'POST /oauth2/logout id_token_hint': page,
  'POST /oauth2/token client_id': noted,
  'POST /oauth2/device_authorization client_id': noted,
  'POST /oauth2/par client_id': noted,
  'POST /oauth2/introspect client_id': noted,
  'POST /oauth2/revoke client_id': noted,
  'POST /v1/admin/users email': oneAccount,
  'POST /v1/admin/invitations email': oneAccount,
  'POST /v1/auth/login email': auditLog,
  'POST /v1/auth/password/forgot email': auditLog,
  'POST /v1/auth/email-code email': auditLog,
  'POST /v1/auth/passkey credential.id': { ...auditLog, answers: true },
}

export async function attemptAll(
  attempting: Attempting,
  organisations: readonly [ThrowAwayOrganisation, ThrowAwayOrganisation],
): Promise<AttemptFindings> {
  const findings: AttemptFindings = {
    ...{ routes: attempting.routes.length, places: 0, attempts: 0, comparisons: 0 },
    areas: [],
    ...{ leaks: [], undecided: [], unknown: [], failures: [] },
  }
  const digests = new Map<string, string>()
  for (const { id } of organisations) digests.set(id, await attempting.digest(id))
  for (const route of attempting.routes) {
    const { places, unknown } = placesOf(route)
    findings.places += places.length
    const before = { requests: findings.attempts, leaks: findings.leaks.length }
    findings.unknown.push(...unknown.map((place) => `${route.method} ${route.path}: ${place}`))
    for (const [own, other] of [organisations, organisations.toReversed()] as [ThrowAwayOrganisation, ThrowAwayOrganisation][]) {
      const digest = digests.get(other.id) as string
      for (const caller of own.callers) {
        const one = new RouteAttempt(attempting, findings, { route, places, own, other, caller, digest })
        if (places.length === 0) await one.withoutPlaces()
        for (const place of places) await one.at([place])
        // The other organisation's records belong together, so also try them all at once.
        if (places.filter((place) => place.in === 'path').length > 1) await one.at(places.filter((place) => place.in === 'path'))
      }
    }
    const area = areaOf(findings, route)
    area.routes++
    area.requests += findings.attempts - before.requests
    area.leaks += findings.leaks.length - before.leaks
    attempting.onProgress()
  }
  findings.undecided = [...new Set(findings.undecided)]
  return findings
}

const namesOfAreas: Record<string, string> = {
  ...{
    service: 'The service itself',
    me: 'One’s own account',
    auth: 'Signing in',
    oauth2: 'OAuth and OpenID Connect',
    system: 'Operator',
    'api-keys': 'API keys',
  },
  ...{ 'audit-logs': 'Audit log', webhooks: 'Webhooks', deliveries: 'Webhooks', events: 'Webhooks', organisations: 'Operator' },
  ...{ clients: 'Applications', diagnostics: 'Diagnostics', 'permission-checks': 'Permissions', 'authorization-checks': 'Permissions' },
  'sign-in-checks': 'Signing in',
  'assertion-checks': 'Connections',
}

function areaOf({ areas }: AttemptFindings, { path }: Route): Area {
  const [first = '', second = '', third = ''] = path.split('/').slice(1)
  const key = first !== 'v1' ? first : second === 'admin' ? third : second
  const isNamed = first === 'v1' || first === 'oauth2'
  const name = namesOfAreas[key] ?? (isNamed ? `${key.charAt(0).toUpperCase()}${key.slice(1).replaceAll('-', ' ')}` : 'The service itself')
  const known = areas.find((area) => area.name === name)
  const area = known ?? { name, routes: 0, requests: 0, leaks: 0 }
  if (!known) areas.push(area)
  return area
}

interface Subject {
  route: Route
  places: readonly IdLocation[]
  own: ThrowAwayOrganisation
  other: ThrowAwayOrganisation
  caller: Credentials
  /** The digest of everything that the other organisation has. */
  digest: string
}

class RouteAttempt {
  readonly #attempting: Attempting
  readonly #findings: AttemptFindings
  readonly #subject: Subject

  constructor(attempting: Attempting, findings: AttemptFindings, subject: Subject) {
    this.#attempting = attempting
    this.#findings = findings
    this.#subject = subject
  }

  async withoutPlaces(): Promise<void> {
    const answer = await this.#try(new Map(), 'attempts')
    this.#lookForValues(answer, [], new Map())
  }

  async at(tried: readonly IdLocation[]): Promise<void> {
    const { own, other, caller } = this.#subject
    const valuesOf = (organisation: ThrowAwayOrganisation) =>
      new Map(tried.map((place) => [place, organisation.values.get(place.kind) as string]))
    const theirs = valuesOf(other)
    const nobodys = new Map([...theirs].map(([place, value]) => [place, neverIssued(value)]))

    const unknown = await this.#try(nobodys, 'comparisons')
    const answer = await this.#try(theirs, 'attempts')
    this.#lookForValues(answer, tried, theirs)
    if (!this.#onPurpose(tried)?.answers && !(await this.#isSame(answer, theirs, unknown, nobodys)))
      this.#leak(tried, `the answer (${answer.status}) differs from the one for what exists nowhere (${unknown.status})`)

    // The request was refused before any lookup, so a value of its own would get the same response.
    if (caller.name === 'client credentials' || [401, 403].includes(unknown.status)) return
    const ours = valuesOf(own)
    const control = await this.#try(ours, 'comparisons')
    if (plain(control, ours) === plain(unknown, nobodys) && (await this.#changesOwn(ours)) === (await this.#changesOwn(nobodys)))
      this.#findings.undecided.push(this.#nameOf(tried))
  }

  /** The request with these values in their places, and values of the organisation's own in all others of the path. */
  #requestWith(values: ReadonlyMap<IdLocation, string>): Request {
    const { route, places, own, caller } = this.#subject
    const filled = new Map(places.filter((place) => place.in === 'path').map((place) => [place, own.values.get(place.kind) as string]))
    for (const [place, value] of values) filled.set(place, value)
    return { ...requestOf(route, { values: filled, fields: own.fields }), headers: caller.headersFor(route) }
  }

  async #try(values: ReadonlyMap<IdLocation, string>, count: 'attempts' | 'comparisons'): Promise<Answer> {
    const { other, digest } = this.#subject
    const { app, engine } = this.#attempting
    const answer = await send(app, this.#requestWith(values))
    this.#findings[count]++
    if (answer.status >= 500)
      this.#findings.failures.push(`${this.#nameOf([...values.keys()])}: ${answer.status} ${answer.text.slice(0, 200)}`)
    if (
      count === 'attempts' &&
      engine.hasWritten() &&
      !this.#onPurpose([...values.keys()])?.records &&
      (await this.#attempting.digest(other.id)) !== digest
    )
      this.#leak([...values.keys()], 'the request changed what the other organisation has')
    await engine.undo()
    return answer
  }

  /** Whether the request changes anything of the caller's own organisation: some get the same response, whatever existed. */
  async #changesOwn(values: ReadonlyMap<IdLocation, string>): Promise<boolean> {
    const { own } = this.#subject
    const { app, engine, digestWithoutUse } = this.#attempting
    const before = await digestWithoutUse(own.id)
    await send(app, this.#requestWith(values))
    const after = engine.hasWritten() ? await digestWithoutUse(own.id) : before
    await engine.undo()
    return after !== before
  }

  #lookForValues(answer: Answer, tried: readonly IdLocation[], sent: ReadonlyMap<IdLocation, string>): void {
    const { other } = this.#subject
    if (this.#onPurpose(tried)?.answers) return
    const text = plain(answer, sent)
    const found = [other.word, other.id, ...[...other.values.values()].filter((value) => value.length > 15)].filter((value) =>
      text.includes(value),
    )
    if (found.length > 0) this.#leak(tried, `the answer (${answer.status}) has something of the other organisation in it`)
  }

  /** Whether two responses say the same, apart from what differs each time. */
  async #isSame(
    answer: Answer,
    sent: ReadonlyMap<IdLocation, string>,
    unknown: Answer,
    nobodys: ReadonlyMap<IdLocation, string>,
  ): Promise<boolean> {
    if (answer.status !== unknown.status) return false
    if (plain(answer, sent) === plain(unknown, nobodys)) return true
    const again = await this.#try(nobodys, 'comparisons')
    return withoutVarying(plain(answer, sent), plain(unknown, nobodys), plain(again, nobodys))
  }

  #onPurpose(tried: readonly IdLocation[]): SharedByDesign | undefined {
    const { route } = this.#subject
    const [place, ...others] = tried
    return place && others.length === 0 ? sharedByDesign[`${route.method} ${route.path} ${nameOfPlace(place)}`] : undefined
  }

  #nameOf(tried: readonly IdLocation[]): string {
    const { route } = this.#subject
    const places = tried.map((place) => `${nameOfPlace(place)} (${place.kind}) in the ${place.in}`)
    return `${route.method} ${route.path}${places.length > 0 ? ` with the other's ${places.join(' and ')}` : ''}`
  }

  #leak(tried: readonly IdLocation[], what: string): void {
    this.#findings.leaks.push({ area: 'requests', where: `${this.#nameOf(tried)}, by ${this.#subject.caller.name}`, what })
  }
}

/** The response as text, without what the request itself has said. */
function plain({ status, text }: Answer, sent: ReadonlyMap<IdLocation, string>): string {
  let rest = text
  for (const value of sent.values()) {
    for (const form of [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]) rest = rest.replaceAll(form, '{sent}')
  }
  return `${status} ${rest}`
}

/** Compares two responses, ignoring the words in which two responses to the same request differ. */
function withoutVarying(answer: string, unknown: string, again: string): boolean {
  const [a, b, c] = [answer, unknown, again].map((text) => text.split(/([^\w.-]+)/)) as [string[], string[], string[]]
  return a.length === b.length && b.length === c.length && a.every((word, index) => word === b[index] || b[index] !== c[index])
}
