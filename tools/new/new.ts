/**
 * `npm run new -- kind|endpoint|page|grant NAME` writes what is alike for each of its sort, enters it in the lists of the house, and says what
 * is left to write. Nothing that it writes is special: it is to be changed.
 */
import { spawnSync } from 'node:child_process'
import process from 'node:process'
import { endpoint } from './endpoint.ts'
import { grant } from './grant.ts'
import { kind } from './kind.ts'
import { page } from './page.ts'
import { write } from './skeleton.ts'

const sorts = { kind, endpoint, page, grant }
const usage = `npm run new -- SORT NAME

  kind cost-centre              a kind of record of an organisation, with its five ordinary routes
  endpoint cost-centres/archive a route for one record of src/cost-centres
  page welcome                  a hosted page
  grant token-exchange          a grant of the token endpoint
`

const [sort = '', name = '', ...more] = process.argv.slice(2)
if (!(sort in sorts) || name === '' || more.length > 0) {
  process.stderr.write(usage)
  process.exit(2)
}
try {
  const skeleton = sorts[sort as keyof typeof sorts](name)
  const files = write(skeleton)
  const formatted = spawnSync('biome', ['check', '--write', '--log-level=error', ...files.filter((file) => /\.tsx?$/.test(file))])
  if (formatted.status !== 0) process.stderr.write(`${formatted.stderr ?? formatted.error}\n`)
  process.stdout.write(`Written:\n${files.map((file) => `  ${file}\n`).join('')}\nLeft to write:\n`)
  process.stdout.write(skeleton.left.map((line, index) => `${`${index + 1}.`.padStart(4)} ${line}\n`).join(''))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
}
