import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SmsSender } from './sms.ts'

const timeoutMilliseconds = 10_000

/**
 * Sends through an HTTP gateway: POST `{from, to, text}` as JSON, with the token as bearer. Any 2xx means that the gateway has
 * accepted the message.
 */
export function gatewaySender({ url, token, from }: { url: string; token: string | undefined; from: string | undefined }): SmsSender {
  return {
    async send({ to, text }) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
        body: JSON.stringify({ ...(from && { from }), to, text }),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMilliseconds),
      })
      await response.body?.cancel()
      if (!response.ok) throw new Error(`The SMS gateway responded with status ${response.status}`)
    },
  }
}

/** Writes each message as a text file: for development without a gateway. */
export function fileSender(folder: string): SmsSender {
  return {
    async send({ to, text }) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const name = `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${to.replaceAll(/\D/g, '')}.txt`
      await writeFile(join(folder, name), `To: ${to}\n\n${text}\n`, { mode: 0o600 })
    },
  }
}

/** Reports each message that could not be sent, without its text: the codes in it are secrets. */
export function reportFailures(sender: SmsSender, onFailure: (error: unknown) => void): SmsSender {
  return {
    async send(message) {
      try {
        await sender.send(message)
      } catch (error) {
        onFailure(error)
        throw error
      }
    },
  }
}
