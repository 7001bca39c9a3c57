import { Worker } from 'node:worker_threads'
import { say } from '../../../shared/checks/said.ts'
import { checkOf, UpstreamRefusal } from '../upstream/checks.ts'
import { createFairQueue } from './fair-queue.ts'
import { tooManyMessages } from './refusals.ts'
import type { SamlOutcome, SamlTask, SamlWork } from './saml-thread.ts'

export interface SamlReaderLimits {
  /** Of the thread's own processor time: on a busy machine a task may wait long for little. */
  taskMilliseconds: number
  /** Of the time that passes. */
  longestMilliseconds: number
  heapMebibytes: number
  /** Further tasks are refused at once, unless another organisation has more than their own: then one of its. */
  waitingMax: number
  /** The thread ends when it has had nothing to do for so long. */
  idleMilliseconds: number
}

/** Real responses take a few milliseconds. */
const limitsOfReader: SamlReaderLimits = {
  taskMilliseconds: 2_000,
  longestMilliseconds: 20_000,
  heapMebibytes: 64,
  waitingMax: 100,
  idleMilliseconds: 60_000,
}

/** Does everything that is done with XML, in a thread that what it reads can neither stop nor make grow. */
export interface SamlReader {
  /**
   * @param organisationId for which it is done: organisations take turns
   * @throws UpstreamRefusal also when it takes too long, or too much memory; Problem `too-many-messages`
   */
  run<Kind extends keyof SamlWork>(
    organisationId: string,
    kind: Kind,
    ...input: Parameters<SamlWork[Kind]>
  ): Promise<ReturnType<SamlWork[Kind]>>
  close(): Promise<void>
}

interface Waiting {
  task: SamlTask
  outcome: PromiseWithResolvers<unknown>
}

/** The thread starts with the first task, and again after it has ended. One task runs at a time, and organisations take turns. */
export function createSamlReader(limits: SamlReaderLimits = limitsOfReader): SamlReader {
  const waiting = createFairQueue<Waiting>(limits.waitingMax)
  let thread: Worker | undefined
  let isReady = false
  let running: Waiting | undefined
  let timer: NodeJS.Timeout | undefined
  let lastTimer: NodeJS.Timeout | undefined

  function runNext(): void {
    if (running) return
    stopTimers()
    if (waiting.length === 0) {
      thread?.unref()
      timer = setTimeout(() => void end(), limits.idleMilliseconds).unref()
      return
    }
    thread ??= start()
    thread.ref()
    // Its time begins when the thread has loaded what it needs.
    if (!isReady) return
    running = waiting.take() as Waiting
    limitTime(thread, running)
    thread.postMessage(running.task)
  }

  function limitTime(worker: Worker, task: Waiting): void {
    const usedBefore = usedMilliseconds(worker)
    const look = async () => {
      const left = limits.taskMilliseconds - ((await usedMilliseconds(worker)) - (await usedBefore))
      if (running !== task) return
      // Without a number, the time that has passed counts.
      if (left > 0) timer = setTimeout(look, left)
      else giveUp()
    }
    timer = setTimeout(look, limits.taskMilliseconds)
    // A thread that is far down in native code does not say what it has used.
    lastTimer = setTimeout(giveUp, limits.longestMilliseconds)
  }

  function start(): Worker {
    isReady = false
    const worker = new Worker(new URL('./saml-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMebibytes },
    })
    worker.on('message', (outcome: SamlOutcome) => {
      if (worker !== thread) return
      if (outcome.kind === 'ready') isReady = true
      else settle(outcome)
      runNext()
    })
    worker.on('error', (error: NodeJS.ErrnoException) => {
      if (worker !== thread) return
      thread = undefined
      const refusal = error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tookTooMuch() : error
      // Without a task it is the start that has failed, for each that waits.
      for (const { outcome } of running ? [running] : waiting.takeAll()) outcome.reject(refusal)
      running = undefined
      runNext()
    })
    return worker
  }

  function settle(outcome: Exclude<SamlOutcome, { kind: 'ready' }>): void {
    const ended = running?.outcome
    running = undefined
    if (outcome.kind === 'done') ended?.resolve(outcome.output)
    else if (outcome.kind === 'failed') ended?.reject(new Error(outcome.reason))
    else ended?.reject(new UpstreamRefusal(outcome.checks, outcome.fault, { claims: outcome.claims }))
  }

  function stopTimers(): void {
    clearTimeout(timer)
    clearTimeout(lastTimer)
  }

  function giveUp(): void {
    running?.outcome.reject(tookTooMuch())
    running = undefined
    void end()
    runNext()
  }

  async function end(): Promise<void> {
    const ended = thread
    thread = undefined
    await ended?.terminate()
  }

  function tookTooMuch(): UpstreamRefusal {
    const allowed = say('seconds-and-mebibytes', String(limits.taskMilliseconds / 1_000), String(limits.heapMebibytes))
    return new UpstreamRefusal([checkOf('resources', allowed, say('more'), false)], 'browser')
  }

  return {
    run(organisationId, kind, ...input) {
      const outcome = Promise.withResolvers<unknown>()
      waiting.add(organisationId, { task: { kind, input } as SamlTask, outcome })?.outcome.reject(tooManyMessages())
      runNext()
      return outcome.promise as Promise<ReturnType<SamlWork[typeof kind]>>
    },
    async close() {
      stopTimers()
      for (const { outcome } of [...(running ? [running] : []), ...waiting.takeAll()]) outcome.reject(new Error('The service is stopping'))
      running = undefined
      await end()
    },
  }
}

/** The processor time that a thread has used; NaN for one that has ended, or where Node has no such number. */
async function usedMilliseconds(worker: Worker): Promise<number> {
  const used = await worker.cpuUsage?.().catch(() => undefined)
  return used ? (used.user + used.system) / 1_000 : Number.NaN
}
