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

let away: Away | undefined
let isAsking = false
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

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
  away = isBack
    ? undefined
    : {
        attempts,
        nextAt: Date.now() + seconds * 1000,
        status: response?.status ?? 0,
        requestId: response?.headers.get('x-request-id') ?? undefined,
      }
  if (away) timer = setTimeout(() => void attempt(attempts + 1), seconds * 1000)
  for (const listener of listeners) listener()
}

/** Tracks whether the service responds, and when the next attempt is due, for every page to show. */
export const reach = {
  away: () => away,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** Called after a request without a response. It probes the service at once, so that one broken address does not count as an outage. */
  suspect(): void {
    if (!away && !isAsking) void attempt(1)
  },
  askNow(): void {
    if (!isAsking) void attempt((away?.attempts ?? 0) + 1)
  },
}

addEventListener('online', () => away && reach.askNow())
