import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

interface Chunk {
  file: string
  imports?: string[]
  dynamicImports?: string[]
  css?: string[]
}

const read = (name: string) => JSON.parse(readFileSync(`dist/console/${name}`, 'utf8'))
const kilobyte = 1_000

describe('what a browser loads of the console', () => {
  const manifest: Record<string, Chunk> = read('manifest.json')
  const files: { path: string; sizes: { br: number } }[] = read('files.json')
  const index = readFileSync('dist/console/index.html', 'utf8')
  const sizeOf = (path: string) => files.find((file) => file.path === path)?.sizes.br ?? Number.NaN
  const sum = (paths: Iterable<string>) => [...new Set(paths)].reduce((total, path) => total + sizeOf(path), 0)

  /** The chunks that are loaded with these: their static imports, and what they load at once in a language. */
  function loadedWith(keys: readonly string[], language: string): Set<string> {
    const loaded = new Set<string>()
    const load = (key: string) => {
      if (loaded.has(key)) return
      loaded.add(key)
      const { imports = [], dynamicImports = [] } = manifest[key] as Chunk
      for (const other of [...imports, ...dynamicImports.filter((one) => one.startsWith(`src/texts/${language}/`))]) load(other)
    }
    for (const key of keys) load(key)
    return loaded
  }
  const scriptsOf = (keys: Iterable<string>) => [...keys].map((key) => manifest[key]?.file ?? '').filter((file) => file.endsWith('.js'))
  const stylesOf = (keys: Iterable<string>) => [...keys].flatMap((key) => manifest[key]?.css ?? [])

  /** What the page itself names: the entry, and the application that it imports. */
  const first = Object.entries(manifest).flatMap(([key, { file }]) => (index.includes(`"/console/${file}"`) ? [key] : []))
  const laterOf = (key: string) => manifest[key]?.dynamicImports ?? []
  const pages = laterOf('src/application.tsx').filter((key) => key.startsWith('src/pages/'))

  /** What a page loads when it is shown: its tabs, one of which is there at once, and what opens over it. */
  function partsOf(page: string): string[] {
    const [before, after] = [loadedWith(first, 'en'), loadedWith([...first, page], 'en')]
    const later = [...after.difference(before)].flatMap(laterOf).filter((key) => /^src\/(pages|parts)\//.test(key))
    return [...new Set(later)].filter((key) => !after.has(key))
  }
  /** Each page as it is alone, and with each of its parts. */
  const looks = pages.flatMap((page) => [[page], ...partsOf(page).map((part) => [page, part])])

  /** The larger of both languages. */
  const measured = (look: readonly string[]) => {
    const sizes = ['en', 'de'].map((language) => {
      const [before, after] = [loadedWith(first, language), loadedWith([...first, ...look], language)]
      return {
        script: sum(scriptsOf(after)),
        style: sum(stylesOf(after)),
        further: sum(scriptsOf(after)) - sum(scriptsOf(before)),
      }
    })
    const largest = (name: 'script' | 'style' | 'further') => Math.max(...sizes.map((size) => size[name]))
    return { script: largest('script'), style: largest('style'), further: largest('further') }
  }

  it('is measured for every page, with each of its tabs', () => {
    const inRouter = readFileSync('console/src/router.tsx', 'utf8').match(/import\('\.\/pages\//g) ?? []
    expect(pages).toHaveLength(inRouter.length)
    expect(first).toEqual(expect.arrayContaining(['index.html', 'src/application.tsx']))
    expect(looks).toContainEqual(['src/pages/applications/application.tsx', 'src/pages/applications/client-security.tsx'])
    for (const look of looks) expect(measured(look).script).toBeGreaterThan(50 * kilobyte)
  })

  it('is at most 170 kB of script and 10 kB of styles for the first page, whichever it is, and for each that follows 30 kB of script', () => {
    const found = looks.map((look) => ({ look: look.join(' with '), ...measured(look) }))
    const beyond = found.filter(({ script, style, further }) => script > 170 * kilobyte || style > 10 * kilobyte || further > 30 * kilobyte)
    expect(beyond).toEqual([])
  })

  it('is named by the page as far as every visit needs it: a chunk names the rest, to be loaded along with it', () => {
    const needed = new Set<string>()
    const need = (key: string) => {
      if (needed.has(key)) return
      needed.add(key)
      manifest[key]?.imports?.forEach(need)
    }
    first.forEach(need)
    const unnamed = [...scriptsOf(needed), ...stylesOf(needed)].filter((file) => !index.includes(`"/console/${file}"`))
    expect(unnamed).toEqual([])
  })

  it('has no chunks that import each other in a circle: they would fail, depending on which is loaded first', () => {
    const circles = Object.keys(manifest).filter((start) => {
      const reached = new Set<string>()
      const reach = (key: string) => {
        for (const other of manifest[key]?.imports ?? []) {
          if (reached.has(other)) continue
          reached.add(other)
          reach(other)
        }
      }
      reach(start)
      return reached.has(start)
    })
    expect(circles).toEqual([])
  })

  it('is at most 700 kB of script in all, in either language', () => {
    const scripts = files.map(({ path }) => path).filter((path) => path.endsWith('.js'))
    const textsIn = (language: string) =>
      new Set(Object.keys(manifest).flatMap((key) => (key.startsWith(`src/texts/${language}/`) ? [manifest[key]?.file] : [])))
    const [english, german] = [textsIn('en'), textsIn('de')]
    expect(Math.min(english.size, german.size)).toBeGreaterThan(10)
    for (const other of [english, german]) expect(sum(scripts.filter((path) => !other.has(path)))).toBeLessThanOrEqual(700 * kilobyte)
  })
})

describe('the licences of the console', () => {
  it('are in the build, of each package that is bundled', () => {
    const text = readFileSync('dist/console/licences.md', 'utf8')
    const listed = [...text.matchAll(/^## (\S+) - (\S+) \((.+)\)$/gm)].map(([, name = '']) => name)
    for (const name of [
      'react',
      'react-dom',
      'scheduler',
      '@base-ui/react',
      '@tanstack/react-router',
      '@tanstack/react-query',
      'openapi-fetch',
      'lucide-react',
    ])
      expect(listed).toContain(name)
    for (const section of text.split(/^## /m).slice(1))
      expect(section).toMatch(/Permission (is hereby granted|to use)|Apache License|Redistribution/)
  })
})
