// Checks a report of `gatehouse verify isolation`, as JSON or as a page, with Node.js 20 or later and nothing else:
//   node check-isolation-report.mjs REPORT https://id.example.com [JWKS]
// The address is that of the installation that must have signed it. JWKS is a copy of its published keys, where they cannot be fetched.
import { createPublicKey, verify } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { isDeepStrictEqual } from 'node:util'

const [file, issuer, jwks] = process.argv.slice(2)
const say = (line) => process.stdout.write(`${line}\n`)
const end = (message) => {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
if (!file || !issuer) end('Give the file of the report, and the address of the installation that must have signed it')

const text = await readFile(file, 'utf8')
const written = text.trimStart().startsWith('<') ? undefined : JSON.parse(text)
const jws = written?.jws ?? /<pre id="jws">([\w.-]+)<\/pre>/.exec(text)?.[1] ?? end('It is not a report of Gatehouse')
const [header, payload, signature] = jws.split('.')
const read = (part) => JSON.parse(Buffer.from(part, 'base64url').toString())
const { kid, typ, alg } = read(header)
const report = read(payload)
if (typ !== 'isolation-report+jwt' || alg !== 'EdDSA') end('It is signed as something else than a report')
if (report.iss !== issuer.replace(/\/$/, '')) end(`The report is of ${report.iss}, not of ${issuer}`)

const published = jwks
  ? JSON.parse(await readFile(jwks, 'utf8'))
  : await (await fetch(`${report.iss}/oauth2/jwks.json`, { redirect: 'error' })).json()
const jwk = published.keys.find((one) => one.kid === kid) ?? end(`${report.iss} does not publish the key ${kid}`)
const key = createPublicKey({ key: jwk, format: 'jwk' })
const isGenuine =
  key.asymmetricKeyType === 'ed25519' && verify(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'))
if (!isGenuine) end('The signature is wrong: it has been changed, or another installation has made it')
if (written && !isDeepStrictEqual(written.report, report)) end('What the file says is not what was signed')

const { requests, routes, tables } = report.tried
say(`Valid: signed by ${report.iss} with its key ${kid}`)
say(`What was signed, to compare with the page: ${report.result}, ${report.leaks.length} leaks`)
say(`${report.product} ${report.release}, started ${report.startedAt}: ${requests} requests, ${routes} routes, ${tables} tables`)
