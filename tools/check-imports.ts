/** Holds the imports of src/ against the table of who may import whom; prints each that it forbids. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import process from 'node:process'

const source = 'src'
const features = [
  'organisations',
  'users',
  'roles',
  'permissions',
  'teams',
  'invitations',
  'clients',
  'api-keys',
  'audit',
  'passwords',
  'mfa',
  'profile',
  'tokens',
]
const entries = ['oauth', 'webhooks', 'sign-in', 'system', 'pages', 'operations', 'cli']

/** What each folder may import besides itself. `app.ts` and its neighbours compose everything. */
const mayImport: Record<string, readonly string[]> = {
  platform: [],
  activity: ['platform'],
  access: ['activity', 'platform'],
  mails: ['platform'],
  ...Object.fromEntries(features.map((feature) => [feature, ['access', 'activity', 'mails', 'platform', 'sign-in', ...features]])),
  ...Object.fromEntries(entries.map((entry) => [entry, ['access', 'activity', 'mails', 'platform', ...features, ...entries]])),
}

// `migrate` runs alone or with the service, which needs it at once.
const whereTheCommandDecides = ['src/platform/database/migrate.ts']

const mistakes: string[] = []
const graph = new Map<string, string[]>()
for (const file of globSync(`${source}/**/*.ts`)) {
  const text = readFileSync(file, 'utf8')
  const targets = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+\.[jt]s)'/g)].map((match) => join(dirname(file), match[1] as string))
  graph.set(file, targets)
  for (const target of targets) {
    const mistake = judge(file, target, text)
    if (mistake) mistakes.push(`${file} imports ${target}: ${mistake}`)
  }
}
mistakes.push(...staticImportsOfLazyModules())
for (const cycle of cycles(graph)) mistakes.push(`cycle: ${cycle.join(' → ')}`)

process.stdout.write(mistakes.map((mistake) => `${mistake}\n`).join(''))
process.exitCode = mistakes.length > 0 ? 1 : 0

function judge(file: string, target: string, text: string): string | undefined {
  const [from, to] = [folderOf(file), folderOf(target)]
  const name = target.split('/').at(-1) ?? ''
  if (from === undefined) return undefined
  if (to === undefined) return 'only what starts the service and the tests import what composes the service'
  if (from !== to && !mayImport[from]?.includes(to)) return `${from} may import ${mayImport[from]?.join(', ') || 'nothing of ours'}`
  if (from !== to && name === 'routes.ts') return 'a routes.ts is for app.ts'
  if (from === 'pages' && name === 'queries.ts') return 'pages go through operations'
  if (file.endsWith('/rules.ts') && !isTypeImport(text, target) && name !== 'rules.ts') return 'rules import types and other rules'
  return undefined
}

/**
 * What is loaded by `import()` in one place is meant to be loaded when it is needed: an import of its values anywhere else
 * loads it with every start. Types cost nothing.
 */
function staticImportsOfLazyModules(): string[] {
  const files = [...graph.keys()].filter((file) => !file.endsWith('.test.ts'))
  const nameOf = (file: string, specifier: string) => (specifier.startsWith('.') ? join(dirname(file), specifier) : specifier)
  const lazy = new Set<string>()
  for (const file of files) {
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(/(?<![{*] )import\('([^']+)'\)/g))
      lazy.add(nameOf(file, specifier))
  }
  for (const name of whereTheCommandDecides) lazy.delete(name)
  return files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^(?:im|ex)port (?!type )[^'(]*?from '([^']+)'/gm)]
      .map(([, specifier = '']) => nameOf(file, specifier))
      .filter((name) => lazy.has(name))
      .map((name) => `${file} imports ${name}, which is meant to be loaded when it is needed: use import()`),
  )
}

function folderOf(file: string): string | undefined {
  const parts = relative(source, file).split('/')
  return parts.length > 1 ? parts[0] : undefined
}

function isTypeImport(text: string, target: string): boolean {
  const name = target.split('/').at(-1) ?? ''
  return text.split('\n').some((line) => line.startsWith('import type ') && line.includes(name))
}

/** Each cycle of imports once, from the file where it was met. */
function cycles(imports: Map<string, string[]>): string[][] {
  const found: string[][] = []
  const done = new Set<string>()
  const visit = (file: string, path: string[]): void => {
    const start = path.indexOf(file)
    if (start !== -1) {
      found.push([...path.slice(start), file])
      return
    }
    if (done.has(file)) return
    for (const target of imports.get(file) ?? []) visit(target, [...path, file])
    done.add(file)
  }
  for (const file of imports.keys()) visit(file, [])
  return found
}
