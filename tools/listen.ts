/**
 * A local receiver for webhooks: prints each event and says of a bad signature which part is wrong.
 * `npm run webhooks:listen -- --secret whsec_… [--port 8443]`; the certificate is made at each start and written beside.
 */
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { generate } from 'selfsigned'
import { explainRequest } from './webhook-signature.ts'

const { values } = parseArgs({ options: { secret: { type: 'string' }, port: { type: 'string', default: '8443' } } })

const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
  keyType: 'ec',
  extensions: [
    { name: 'basicConstraints', cA: true },
    {
      name: 'subjectAltName',
      altNames: [
        { type: 2, value: 'localhost' },
        { type: 7, ip: '127.0.0.1' },
      ],
    },
  ],
})
const certificateFile = join(tmpdir(), 'gatehouse-webhook-receiver.pem')
await writeFile(certificateFile, cert)

const server = createServer({ key, cert }, async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { accepted, lines } = explainRequest(request.headers, Buffer.concat(chunks), values.secret, new Date())
  process.stdout.write(`\n${request.method} ${request.url}\n${lines.map((line) => `  ${line}\n`).join('')}`)
  response.writeHead(accepted ? 200 : 401).end()
})
server.listen(Number(values.port), '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(
    `Listening on https://localhost:${port}/
Start the service with NODE_EXTRA_CA_CERTS=${certificateFile} and WEBHOOK_ALLOW_PRIVATE_ADDRESSES=true
${values.secret ? '' : 'Signatures are not checked: give the secret with --secret whsec_…\n'}`,
  )
})
