import { createStore } from '../base/store.ts'

/** An outage of the service, from the last attempt to the next one. */
export interface Away {
  attempts: number
  /** In milliseconds since 1970. */
  nextAt: number
  /** The status of the last response; 0 without a response. */
  status: number
  requestId: string | undefined
}

const longestSeconds = 30

const away = createStore<Away | undefined>(undefined)
let isAsking = false
let timer: ReturnType<typeof setTimeout> | undefined

/** Calls a cheap endpoint. */
const ask = () => fetch('/v1/auth/csrf', { cache: 'no-store' }).catch(() => undefined)

async function attempt(attempts: number): Promise<void> {
  clearTimeout(timer)
  isAsking = true
  const response = await ask()
  isAsking = false
  const isBack = response !== undefined && response.status < 500
  const asked = Number(response?.headers.get('retry-after') ?? Number.NaN)
  const seconds = Number.isNaN(asked) ? Math.min(2 ** attempts, longestSeconds) : asked
  if (!isBack) timer = setTimeout(() => void attempt(attempts + 1), seconds * 1000)
  away.set(
    isBack
      ? undefined
      : {
          attempts,
          nextAt: Date.now() + seconds * 1000,
          status: response?.status ?? 0,
          requestId: response?.headers.get('x-request-id') ?? undefined,
        },
  )
}

/** Tracks whether the service responds, and when the next attempt is due, for every page to show. */
export const reach = {
  away: away.get,
  subscribe: away.subscribe,
  /** Called after a request without a response. It probes the service at once, so that one broken address does not count as an outage. */
  suspect(): void {
    if (!away.get() && !isAsking) void attempt(1)
  },
  askNow(): void {
    if (!isAsking) void attempt((away.get()?.attempts ?? 0) + 1)
  },
}

addEventListener('online', () => away.get() && reach.askNow())
