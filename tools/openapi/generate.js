/**
 * Writes `console/src/api/schema.d.ts` from `docs/openapi.json`: the types of every request and response, and the names of operations and
 * permissions. It does nothing when the file was generated from the same document.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { typesOf } from './types-of.js'

const source = new URL('../../docs/openapi.json', import.meta.url)
const target = fileURLToPath(new URL('../../console/src/api/schema.d.ts', import.meta.url))

const document = readFileSync(source, 'utf8')
const head = `// Made from docs/openapi.json ${createHash('sha256')
  .update(document)
  .update(readFileSync(new URL(import.meta.url)))
  .digest('hex')}\n`

if (!existsSync(target) || !readFileSync(target, 'utf8').startsWith(head)) {
  const types = await typesOf(JSON.parse(document))
  writeFileSync(target, `${head}${types}${names(JSON.parse(document))}`)
}

/** @param {{ paths: Record<string, Record<string, { 'x-permission'?: string }>> }} document */
function names({ paths }) {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      key: `${method.toUpperCase()} ${path}`,
      permission: operation['x-permission'],
    })),
  )
  const permissions = new Set(operations.flatMap(({ permission }) => permission ?? []))
  return `
export type OperationName = ${unionOf(operations.map(({ key }) => key).filter((key) => key.includes(' /v1/')))}
export type PermissionSlug = ${unionOf([...permissions].sort())}
`
}

/** @param {readonly string[]} values */
function unionOf(values) {
  return values.map((value) => `\n  | ${JSON.stringify(value)}`).join('')
}
