/** The service does not answer: since the last attempt, until the next one. */
export interface Away {
  /** How often it was asked in vain. */
  attempts: number
  /** Milliseconds since 1970 */
  nextAt: number
  /** Of the last response; 0 where there was none. */
  status: number
  requestId: string | undefined
}

const longestSeconds = 30

let away: Away | undefined
let isAsking = false
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

/** Anything that answers without much work. */
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

/** Whether the service answers at all, and when it is asked again: what every page says of it. */
export const reach = {
  away: () => away,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** Told of a request without a response of the service. It is asked at once, so that one broken address is not taken for all. */
  suspect(): void {
    if (!away && !isAsking) void attempt(1)
  },
  askNow(): void {
    if (!isAsking) void attempt((away?.attempts ?? 0) + 1)
  },
}

addEventListener('online', () => away && reach.askNow())
