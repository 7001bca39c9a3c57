/** What claim mappings cost a token, as CPU time: the evaluation of 20, from sources of ordinary size. */
import process from 'node:process'
import { evaluateClaims, mappingsFor, withAdded } from '../src/claims/evaluate.ts'
import type { ClaimMapping } from '../src/platform/database/column-types.ts'

const goalMicroseconds = 15
const rounds = 9
const tokens = 20_000
const forms = ['string', undefined, 'first', 'join', 'lowercase', 'array'] as const
const pointers = [
  '/user/metadata/department',
  '/user/teams',
  '/user/roles',
  '/organisation/metadata/plan',
  '/identity/unit',
  '/session/acr',
]

const mappings: ClaimMapping[] = Array.from({ length: 20 }, (_, index) => ({
  name: `claim-${index}`,
  in: ['id_token', 'access_token'],
  from: pointers[index % pointers.length] as string,
  as: forms[index % forms.length],
  default: 'none',
}))
const sources = {
  metadata: { department: 'Sales', desk: { floor: 3 } },
  teams: ['europe', 'asia', 'leads'],
  roles: ['member', 'editor'],
  organisation: { slug: 'acme', metadata: { plan: 'gold' } },
  identity: { unit: 'Sales EMEA' },
}
const claims = { iss: 'https://id.example.com', sub: 'usr_01kahm3z9n4v7f2t8q6w5r1y0x', scope: 'openid' }

function microsecondsEach(): number {
  const began = process.cpuUsage()
  for (let count = 0; count < tokens; count++) {
    const added = evaluateClaims(mappingsFor('access_token', mappings), { scope: ['openid'], sources, user: { acr: 'aal1' } })
    withAdded(claims, added.claims)
  }
  const { user, system } = process.cpuUsage(began)
  return (user + system) / tokens
}

microsecondsEach()
const measured = Array.from({ length: rounds }, microsecondsEach).sort((one, other) => one - other)
const median = measured[Math.floor(rounds / 2)] as number
process.stdout.write(`20 claim mappings take ${median.toFixed(1)} µs a token (goal ${goalMicroseconds})\n`)
process.exitCode = median <= goalMicroseconds ? 0 : 1
