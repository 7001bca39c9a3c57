/** What comes back to `/console/try` in the window of a sign-in, told to the page that has opened the window. */
export interface TryAnswer {
  code?: string
  state?: string
  iss?: string
  error?: string
  error_description?: string
}

const name = 'gatehouse-try'

export const tryPath = '/console/try'

/** Hands the answer over. Resolves once a page has taken it; never when none waits for it any more. */
export function tellAnswer(answer: TryAnswer): Promise<void> {
  const channel = new BroadcastChannel(name)
  return new Promise((resolve) => {
    channel.addEventListener('message', ({ data }: MessageEvent<TryAnswer | { taken: string }>) => {
      if ('taken' in data && data.taken === answer.state) resolve()
    })
    channel.postMessage(answer)
  })
}

/** Resolves with the answer to the request of this state. Several may be tried at once, in as many tabs. */
export function answerTo(state: string, signal: AbortSignal): Promise<TryAnswer> {
  return new Promise((resolve, reject) => {
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
