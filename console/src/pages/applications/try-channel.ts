/** The parameters that return to `/console/try` in the sign-in window, for the page that has opened it. */
export interface TryAnswer {
  code?: string
  state?: string
  iss?: string
  error?: string
  error_description?: string
}

const name = 'gatehouse-try'

export const tryPath = '/console/try'

/** Passes the response on. Resolves once a page has taken it; never when no page awaits it any more. */
export function tellAnswer(answer: TryAnswer): Promise<void> {
  const channel = new BroadcastChannel(name)
  return new Promise((resolve) => {
    channel.addEventListener('message', ({ data }: MessageEvent<TryAnswer | { taken: string }>) => {
      if ('taken' in data && data.taken === answer.state) resolve()
    })
    channel.postMessage(answer)
  })
}

/** Resolves with the response to the request with this state. Several tabs may run attempts at once. */
export function answerTo(state: string, signal: AbortSignal): Promise<TryAnswer> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const channel = new BroadcastChannel(name)
    signal.addEventListener('abort', () => {
      channel.close()
      reject(signal.reason)
    })
    channel.addEventListener('message', ({ data }: MessageEvent<TryAnswer>) => {
      if (data.state !== state) return
      channel.postMessage({ taken: state })
      resolve(data)
    })
  })
}
