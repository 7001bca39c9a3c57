import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Damage, FailoverLoad, type Tally } from './failover-load.ts'
import { HighAvailability } from './high-availability.ts'
import { Receiver } from './receiver.ts'

/** How a primary ends. */
export type End = 'killed' | 'cut off' | 'switched over' | 'hanging'

export interface Failover extends Tally, Damage {
  end: End
  /** From its end to the moment in which a replica has become the primary. */
  takeOverSeconds: number
  /** From that moment to the first change that was confirmed. */
  untilServedSeconds: number
}

/** The servers, two services, and the load on them. */
export class FailoverRun {
  readonly cluster: HighAvailability
  readonly #load: FailoverLoad
  readonly #receiver: Receiver
  readonly #folder: string

  private constructor(cluster: HighAvailability, load: FailoverLoad, receiver: Receiver, folder: string) {
    this.cluster = cluster
    this.#load = load
    this.#receiver = receiver
    this.#folder = folder
  }

  static async start(options: { isSynchronous: boolean }): Promise<FailoverRun> {
    const receiver = await Receiver.start()
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-authority-'))
    const authority = join(folder, 'receiver.pem')
    await writeFile(authority, receiver.ca)
    const environment = { WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true', NODE_EXTRA_CA_CERTS: authority }
    const cluster = await HighAvailability.start({ ...options, environment })
    return new FailoverRun(cluster, await FailoverLoad.prepare(cluster.origin, cluster.owner, receiver), receiver, folder)
  }

  /** Ends the primary under load, in one of the ways, and has the former one return as a replica. */
  async end(end: End): Promise<Failover> {
    const { cluster } = this
    const former = await cluster.primary()
    const load = this.#load.start()
    while (load.storedCount() < 20) await pause(20)

    const began = performance.now()
    const [takenOver] = await Promise.all([
      cluster.takenOver(former),
      {
        killed: () => cluster.kill(former),
        'cut off': () => cluster.cutOff(former),
        'switched over': () => cluster.switchOver(),
        hanging: () => cluster.hang(former),
      }[end](),
    ])
    let served = load.tally().firstStoredAfter(takenOver)
    for (const never = Date.now() + 60_000; served === undefined && Date.now() < never; served = load.tally().firstStoredAfter(takenOver))
      await pause(20)
    if (end === 'killed') await cluster.restart(former)
    if (end === 'cut off') await cluster.mend(former)
    if (end === 'hanging') await cluster.wake(former)
    await cluster.whole()
    const counted = load.storedCount()
    while (load.storedCount() < counted + 20) await pause(20)

    const primary = await cluster.primary()
    const result = await load.stop(
      async () => new Set((await cluster.sql(primary, 'select slug from teams')).map(({ slug }) => String(slug))),
    )
    return {
      end,
      ...result,
      takeOverSeconds: (takenOver - began) / 1_000,
      untilServedSeconds: ((served ?? Number.POSITIVE_INFINITY) - takenOver) / 1_000,
    }
  }

  async stop(): Promise<void> {
    await this.cluster.stop()
    await this.#receiver.stop()
    await rm(this.#folder, { recursive: true, force: true })
  }
}
