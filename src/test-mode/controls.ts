import type { Services } from '../app/services.ts'
import type { Service } from '../app/start-service.ts'
import { newSecret } from '../platform/crypto/secrets.ts'
import type { Engine } from '../platform/database/engine.ts'
import type { App } from '../platform/http/app.ts'
import { Problem } from '../platform/http/problem.ts'
import { type MadeOrganisation, makeOrganisation, type NewTestOrganisation } from '../seeds/organisations.ts'
import { Bends } from './bend-tokens.ts'
import { Faults } from './faults.ts'
import type { FoundUser } from './find-user.ts'
import type { Inbox } from './inbox.ts'
import { Mails, Texts } from './messages.ts'
import type { MovableClock } from './movable-clock.ts'
import type { Receiver } from './receiver.ts'
import type { Repeatable } from './repeatable.ts'
import type { KnownClient } from './sign-in.ts'
import { readRows, restoreRows, type StoredRows } from './snapshots.ts'

const snapshotsMax = 100

interface Snapshot {
  rows: StoredRows
  clock: MovableClock['position']
  inboxes: unknown[]
  faults: Faults['left']
  bends: Bends['waiting']
  failures: Failures
}

/** How many of the next messages are refused, and how the receiver responds. */
interface Failures {
  mails: number
  texts: number
  receiver: number
}

const noFailures: Failures = { mails: 0, texts: 0, receiver: 200 }

/** Everything that a test holds in its hands. */
export class Controls {
  readonly clock: MovableClock
  readonly mails = new Mails()
  readonly texts = new Texts()
  readonly receiver: Receiver
  readonly faults = new Faults()
  readonly bends = new Bends()
  readonly systemApiKey: string
  /** The organisations that are there from the start. */
  readonly seeded: MadeOrganisation[] = []
  readonly #repeatable: Repeatable | undefined
  readonly #clients = new Map<string, KnownClient>()
  readonly #users = new Map<string, FoundUser>()
  readonly #snapshots = new Map<string, Snapshot>()
  #organisationsMade = 0
  #running: { app: App; service: Service; engine: Engine } | undefined

  constructor(parts: { clock: MovableClock; receiver: Receiver; systemApiKey: string; repeatable: Repeatable | undefined }) {
    const { clock, receiver, systemApiKey, repeatable } = parts
    this.clock = clock
    this.systemApiKey = systemApiKey
    this.#repeatable = repeatable
    this.receiver = receiver
    receiver.bend = (body) => this.#bendLogout(body)
  }

  /** Hands over the started service. */
  begin(running: { app: App; service: Service; engine: Engine }): void {
    this.#running = running
  }

  /** @throws Problem `service-unavailable` while the service starts */
  get running(): { app: App; service: Service; engine: Engine; services: Services } {
    if (!this.#running) throw new Problem('not-started', 'service-unavailable', 'The service has not started yet')
    return { ...this.#running, services: this.#running.service.services }
  }

  /** Waits for what follows the responses so far, and does all work that is due. */
  async settle(): Promise<void> {
    const { service } = this.running
    await service.settled()
    await service.finishDueWork()
  }

  /**
   * Takes the next message that matches, and waits for one.
   *
   * @throws Problem `not-found` when none has come in this time
   */
  async next<Message>(inbox: Inbox<Message>, isMeant: (message: Message) => boolean, timeoutMilliseconds: number): Promise<Message> {
    await this.settle()
    const message = await inbox.next(isMeant, timeoutMilliseconds)
    if (message === undefined) {
      const others = inbox.all(() => true).length
      throw new Problem('nothing-has-come', 'not-found', `Nothing like this has come in ${timeoutMilliseconds} ms, and ${others} others`)
    }
    return message
  }

  async makeOrganisation(input: NewTestOrganisation): Promise<MadeOrganisation> {
    const receiverUrl = (id: string) => this.receiver.urlFor(id)
    const relayTo = (target: string) => this.receiver.relayTo(target)
    const make = () => makeOrganisation({ ...this.running.services, receiverUrl, relayTo }, input)
    const made = await (this.#repeatable ? this.#repeatable.run(`organisation ${++this.#organisationsMade}`, make) : make())
    for (const { id, secret, redirectUris } of made.clients) this.#clients.set(id, { secret, redirectUris })
    for (const { id } of [made.owner, ...made.users]) this.#users.set(id, { id, organisationId: made.id })
    return made
  }

  clientOf(id: string): KnownClient | undefined {
    return this.#clients.get(id)
  }

  userOf(id: string): FoundUser | undefined {
    return this.#users.get(id)
  }

  /** @returns its id */
  async takeSnapshot(): Promise<string> {
    await this.settle()
    if (this.#snapshots.size >= snapshotsMax)
      throw new Problem('too-many-snapshots', 'conflict', `At most ${snapshotsMax} snapshots are stored: delete one`)
    const id = newSecret()
    this.#snapshots.set(id, {
      rows: await readRows(this.#embedded()),
      clock: this.clock.position,
      inboxes: this.#inboxes().map((inbox) => inbox.state()),
      faults: this.faults.left.map((fault) => ({ ...fault })),
      bends: this.bends.waiting,
      failures: { mails: this.mails.failures, texts: this.texts.failures, receiver: this.receiver.status },
    })
    return id
  }

  /** Puts everything back as it was. The snapshot remains. */
  async restoreSnapshot(id: string): Promise<void> {
    const snapshot = this.#snapshots.get(id)
    if (!snapshot) throw unknownSnapshot()
    await this.settle()
    await restoreRows(this.#embedded(), snapshot.rows)
    this.clock.position = snapshot.clock
    for (const [index, inbox] of this.#inboxes().entries()) inbox.restore(snapshot.inboxes[index])
    this.faults.left = snapshot.faults
    this.bends.waiting = snapshot.bends
    this.#fail(snapshot.failures)
    const { signingKeys, emailCodeOffer, requiredSso, counters } = this.running.services
    // What was counted since belongs to a time that has not been.
    counters?.forgetAll?.()
    await Promise.all([signingKeys.reload(), emailCodeOffer.refresh(), requiredSso.refresh()])
  }

  /** Forgets the messages, failures, faults and bent tokens that are left. Records stay. */
  async reset(): Promise<void> {
    await this.settle()
    for (const inbox of this.#inboxes()) inbox.clear()
    this.faults.left = []
    this.bends.waiting = []
    this.#fail(noFailures)
  }

  #fail({ mails, texts, receiver }: Failures): void {
    this.mails.failures = mails
    this.texts.failures = texts
    this.receiver.status = receiver
  }

  deleteSnapshot(id: string): void {
    if (!this.#snapshots.delete(id)) throw unknownSnapshot()
  }

  async #bendLogout(body: string): Promise<string> {
    const form = new URLSearchParams(body)
    const token = form.get('logout_token')
    if (token === null) return body
    form.set('logout_token', await this.bends.applyToLogout(token, this.running.services.signingKeys, this.clock.now()))
    return form.toString()
  }

  #embedded(): Engine {
    const { engine } = this.running
    if (engine.kind === 'pglite') return engine
    throw new Problem('snapshots-not-possible', 'conflict', 'Only the embedded database has snapshots: start without DATABASE_URL')
  }

  #inboxes(): Inbox<unknown>[] {
    return [this.mails, this.texts, this.receiver.received] as Inbox<unknown>[]
  }
}

const unknownSnapshot = () => new Problem('snapshot-not-found', 'not-found', 'There is no such snapshot')
