import { isLoopbackHost } from '../platform/http/addresses.ts'

const relayPath = '/relay/'
const timeoutMilliseconds = 5_000

/** A request that the service sends to an application on this machine. */
interface Relayed {
  body: string
  headers: Record<string, string>
}

/** Whether an address is one that an application under test has, but none in production. */
const needsRelay = (address: string) => /^http:/i.test(address) && URL.canParse(address) && isLoopbackHost(new URL(address).hostname)

/** The address that leads to an application; its own, if that is one that the service reaches. */
export const relayAddress = (origin: string, address: string) =>
  needsRelay(address) ? `${origin}${relayPath}${encodeURIComponent(address)}` : address

/** The application that a request to the receiver is meant for. */
export function targetOf(path: string): string | undefined {
  if (!path.startsWith(relayPath)) return undefined
  const target = decodeURIComponent(path.slice(relayPath.length))
  return needsRelay(target) ? target : undefined
}

/** @returns the status of the application; 502 when it does not respond */
export async function relay(target: string, { body, headers }: Relayed): Promise<number> {
  const response = await fetch(target, {
    method: 'POST',
    headers: { 'content-type': headers['content-type'] ?? '', 'user-agent': headers['user-agent'] ?? '' },
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMilliseconds),
  }).catch(() => undefined)
  await response?.body?.cancel()
  return response?.status ?? 502
}
