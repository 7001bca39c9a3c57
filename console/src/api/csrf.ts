import { early } from './early.ts'

let token: string | undefined
let asked: Promise<string> | undefined

/** The CSRF token of the session, fetched once. */
export async function csrfToken(): Promise<string> {
  token ??= (await early).csrfToken
  return token ?? renewCsrfToken()
}

/** Fetches the token again: the session has changed. */
export function renewCsrfToken(): Promise<string> {
  asked ??= fetch('/v1/auth/csrf')
    .then(async (response) => {
      token = response.ok ? ((await response.json()) as { csrfToken: string }).csrfToken : ''
      return token
    })
    .catch(() => '')
    .finally(() => {
      asked = undefined
    })
  return asked
}
