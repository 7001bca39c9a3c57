import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { cycles } from './cycles.ts'

const source = 'console/src'

/**
 * The folders that each folder of the console may import in addition to itself.
 * The files next to the folders assemble the parts, and may import all.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  base: [],
  styles: [],
  texts: [],
  ui: ['base', 'styles'],
  api: ['base', 'texts'],
  parts: ['base', 'styles', 'ui', 'api', 'texts'],
  shell: ['base', 'styles', 'ui', 'api', 'texts', 'parts'],
  pages: ['base', 'styles', 'ui', 'api', 'texts', 'parts', 'shell'],
}

/** The packages that one folder wraps for the others. */
const wrapped: Readonly<Record<string, string>> = { '@base-ui/react': 'ui' }

/** @returns a line for each forbidden import of the console, and for each circle of its modules */
export function mistakesInConsole(): string[] {
  const graph = new Map<string, string[]>()
  const mistakes = globSync(`${source}/**/*.{ts,tsx}`).flatMap((file) => {
    const imported = [...readFileSync(file, 'utf8').matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g)].map(
      ([, specifier = '']) => specifier,
    )
    graph.set(
      file,
      imported.filter((specifier) => specifier.startsWith('.')).map((specifier) => join(dirname(file), specifier)),
    )
    return imported.flatMap((specifier) => {
      const mistake = specifier.startsWith('.') ? judge(file, join(dirname(file), specifier)) : judgePackage(file, specifier)
      return mistake === undefined ? [] : [`${file} imports ${specifier}: ${mistake}`]
    })
  })
  return [...mistakes, ...cycles(graph).map((cycle) => `cycle: ${cycle.join(' → ')}`)]
}

function judge(file: string, target: string): string | undefined {
  if (target.startsWith('shared/')) return undefined
  if (relative(source, target).startsWith('..')) return 'the console imports nothing from outside its sources but shared/'
  const [from, to] = [partsOf(file), partsOf(target)]
  // Only the router knows the pages.
  if (from[0] === undefined) return undefined
  const allowed = mayImport[from[0]]
  if (allowed === undefined) return `tools/console-imports.ts does not say what console/src/${from[0]} may import`
  if (from[0] === 'pages' && to[0] === 'pages') return from[1] === to[1] ? undefined : 'a page does not import another'
  if (from[0] === to[0] || (to[0] !== undefined && allowed.includes(to[0]))) return undefined
  return `${from[0]} may import ${allowed.join(', ') || 'nothing else of ours'}`
}

function judgePackage(file: string, specifier: string): string | undefined {
  const [name, folder] = Object.entries(wrapped).find(([name]) => specifier === name || specifier.startsWith(`${name}/`)) ?? []
  return folder === undefined || partsOf(file)[0] === folder ? undefined : `only ${folder} imports ${name}`
}

/** The folders of a file, such as `pages` and `users`. */
const partsOf = (file: string): string[] => relative(source, file).split('/').slice(0, -1)
