import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type SamlifyProvider, type SignedInUser, samlifyProvider } from './samlify-provider.ts'
import type { TestService } from './service.ts'

/** samlify at an address of its own, for real browsers: it signs its user in without a question. */
export interface ListeningSaml extends SamlifyProvider {
  user: SignedInUser
  /** Our metadata, once it has been told them. */
  serviceMetadata: string
  close(): void
}

export async function listeningSaml({ clock }: Pick<TestService, 'clock'>, user: SignedInUser): Promise<ListeningSaml> {
  const server = createServer((request, response) => {
    respond(new URL(request.url ?? '/', origin)).then(
      (body) => response.setHeader('content-type', 'text/html').end(body),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = await samlifyProvider({ origin, now: () => clock.now() })
  const listening: ListeningSaml = { ...provider, user, serviceMetadata: '', close: () => void server.close() }

  async function respond(arrived: URL): Promise<string> {
    if (arrived.pathname !== '/sso') return ''
    const { serviceMetadata } = listening
    const { id, acsUrl } = await provider.readRequest(serviceMetadata, arrived)
    const message = await provider.respond(serviceMetadata, id, listening.user)
    const fields = { SAMLResponse: message, RelayState: arrived.searchParams.get('RelayState') ?? '' }
    const inputs = Object.entries(fields).map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`)
    return `<!doctype html><body onload="document.forms[0].submit()"><form method="post" action="${acsUrl}">${inputs.join('')}</form>`
  }
  return listening
}
