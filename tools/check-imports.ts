/** Checks the imports of src/ and of the console against the tables of allowed imports, and prints each violation. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import process from 'node:process'
import { mistakesInConsole } from './console-imports.ts'
import { cycles } from './cycles.ts'
import { floors } from './floors.ts'

const source = 'src'
/** The folder of the modules that service, console and command share. */
const shared = 'shared'

/** The imports that a folder may make from its own floor. */
const sameFloor: Record<string, readonly string[]> = {
  tokens: ['organisations', 'claims'],
  'registration-tokens': ['clients'],
  'resource-servers': ['clients'],
  'resource-authorization-servers': ['teams'],
  'api-keys': ['accounts'],
  domains: ['sessions'],
  passwords: ['mfa', 'passkeys'],
  mfa: ['passkeys'],
  invitations: ['users'],
  provisioning: ['users', 'invitations', 'connections'],
  users: ['sign-in'],
  connections: ['sign-in', 'users', 'invitations'],
  directories: ['sign-in', 'users', 'connections'],
  'setup-links': ['connections', 'directories'],
  console: ['pages'],
  isolation: ['app'],
  seeds: ['app'],
  'test-mode': ['app', 'seeds'],
  cli: ['app', 'isolation', 'seeds', 'test-mode'],
}
/** Folders with several subjects: their subfolders must not import each other in a cycle either. */
const divided = ['platform', 'oauth', 'webhooks', 'connections', 'directories']

const floorOf = (folder: string) => floors.findIndex((floor) => floor.includes(folder))
const besides = (folder: string) => (sameFloor[folder] ? ` and ${sameFloor[folder].join(', ')}` : '')

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
mistakes.push(...staticImportsOfLazyModules(), ...mistakesInConsole(), ...mistakesInShared())
for (const cycle of [...cycles(graph), ...cycles(foldersOf(graph))]) mistakes.push(`cycle: ${cycle.join(' → ')}`)

process.stdout.write(mistakes.map((mistake) => `${mistake}\n`).join(''))
process.exitCode = mistakes.length > 0 ? 1 : 0

function judge(file: string, target: string, text: string): string | undefined {
  // It imports nothing itself, so that it cannot bypass a floor.
  if (target.startsWith(`${shared}/`)) return undefined
  const [from, to] = [folderOf(file), folderOf(target)]
  const name = target.split('/').at(-1) ?? ''
  if (from === undefined || to === undefined) return 'every module is in a folder'
  if (from !== to && !mayImport(from, to)) return `${from} may import the floors below its own${besides(from)}`
  if (from !== to && from !== 'app' && name === 'routes.ts') return 'a routes.ts is for app/'
  if (from === 'pages' && name === 'queries.ts') return 'pages go through operations'
  if (file.endsWith('/rules.ts') && !isTypeImport(text, target) && name !== 'rules.ts') return 'rules import types and other rules'
  return undefined
}

/**
 * Finds forbidden imports in shared/. Every program contains it, so it
 * may import only itself: no package, nothing of Node or of a browser.
 */
function mistakesInShared(): string[] {
  return globSync(`${shared}/**/*.ts`, { exclude: ['**/*.test.ts'] }).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g)]
      .map(([, specifier = '']) => specifier)
      .filter((specifier) => !specifier.startsWith('.') || !join(dirname(file), specifier).startsWith(`${shared}/`))
      .map((specifier) => `${file} imports ${specifier}: ${shared}/ imports nothing from outside itself`),
  )
}

function mayImport(from: string, to: string): boolean {
  const [upper, lower] = [floorOf(from), floorOf(to)]
  if (upper === -1 || lower === -1) throw new Error(`tools/check-imports.ts does not say on which floor ${upper === -1 ? from : to} is`)
  return lower < upper || (sameFloor[from]?.includes(to) ?? false)
}

/** The same graph of folders instead of files, without tests, which may import anything. */
function foldersOf(files: Map<string, string[]>): Map<string, string[]> {
  const folders = new Map<string, Set<string>>()
  for (const [file, targets] of files) {
    const from = subjectOf(file)
    if (from === undefined || file.endsWith('.test.ts')) continue
    const reached = folders.get(from) ?? new Set()
    for (const to of targets.map(subjectOf)) if (to !== undefined && to !== from) reached.add(to)
    folders.set(from, reached)
  }
  return new Map([...folders].map(([folder, reached]) => [folder, [...reached]]))
}

/** The folder of a file: a subfolder, if its folder is divided and the file is in one. */
function subjectOf(file: string): string | undefined {
  const parts = relative(source, file).split('/').slice(0, -1)
  const [folder = '', within] = parts
  if (parts.length === 0) return undefined
  return divided.includes(folder) && within !== undefined ? `${folder}/${within}` : folder
}

/**
 * Finds static imports of a module that one file loads by `import()`: they would load it with every start, while it should be loaded only
 * on demand. Imports of types cost nothing.
 */
function staticImportsOfLazyModules(): string[] {
  const files = [...graph.keys()].filter((file) => !file.endsWith('.test.ts'))
  const nameOf = (file: string, specifier: string) => (specifier.startsWith('.') ? join(dirname(file), specifier) : specifier)
  // Its exports as a module include those of Node's `fetch`, so importing it loads them.
  const lazy = new Set(['node:http'])
  for (const file of files) {
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(/(?<![{*] )import\('([^']+)'\)/g))
      lazy.add(nameOf(file, specifier))
  }
  return files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^(?:im|ex)port (?!type )[^'(]*?from '([^']+)'/gm)]
      .map(([, specifier = '']) => nameOf(file, specifier))
      .filter((name) => lazy.has(name))
      .map(
        (name) =>
          `${file} imports ${name}, which is meant to be loaded when it is needed: use import(), or for node:http platform/http/node-http.ts`,
      ),
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
