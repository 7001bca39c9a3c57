import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { allocatorSettings, nodeFlags } from '../support/built-service.ts'

const [image, ignored, compose, unit, variables, ofHighAvailability] = await Promise.all(
  [
    'Dockerfile',
    '.dockerignore',
    'compose.yaml',
    'deploy/gatehouse.service',
    'docs/configuration.md',
    'deploy/high-availability/gatehouse.env',
  ].map((file) => readFile(file, 'utf8')),
)

describe('the files of deployments', () => {
  it('start the program of the package, as an unprivileged user', () => {
    const program = packageJson.bin.gatehouse
    expect(nodeFlags).toContain('--min-semi-space-size=16')
    expect(image).toContain(`CMD ["node", "${nodeFlags.join('", "')}", "${program}", "serve"]`)
    expect(unit).toMatch(
      new RegExp(`^ExecStart=/usr/bin/env node ${nodeFlags.join(' ')} .*/node_modules/${packageJson.name}/${program} serve$`, 'm'),
    )
    expect(Object.keys(allocatorSettings)).toEqual(['MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_'])
    for (const setting of Object.entries(allocatorSettings).map((pair) => pair.join('='))) {
      expect(image).toMatch(new RegExp(`^ENV .*\\b${setting}( |$)`, 'm'))
      expect(unit).toContain(`\nEnvironment=${setting}\n`)
    }
    expect(image).toMatch(/^USER node$/m)
    expect(unit).toMatch(/^User=gatehouse$/m)
  })

  it('copy files that exist and that the build may see', () => {
    const allowed = new Set([...(ignored ?? '').matchAll(/^!(\S+)$/gm)].map(([, path]) => path))
    const copied = [...(image ?? '').matchAll(/^COPY (?!--from)(?!\. )(.+) \S+$/gm)].flatMap(([, paths = '']) => paths.split(' '))
    expect(copied).toContain('package.json')
    for (const path of [...copied, ...allowed] as string[]) expect([path, existsSync(path)]).toEqual([path, true])
    for (const path of copied) expect([path, allowed.has(path.split('/')[0])]).toEqual([path, true])
  })

  it('give a service of systemd the time to drain, and no more of the system than it needs', () => {
    const [, drainSecondsMax] = /^ {2}DRAIN_SECONDS: whole\(0, (\d+)\)/m.exec(readFileSync('src/app/variables.ts', 'utf8')) ?? []
    const [, stopSeconds] = /^TimeoutStopSec=(\d+)$/m.exec(unit ?? '') ?? []
    expect(Number(stopSeconds)).toBeGreaterThanOrEqual(Number(drainSecondsMax) + 10)
    for (const setting of [
      'LimitCORE=0',
      'ProtectProc=invisible',
      'ProcSubset=pid',
      'SystemCallArchitectures=native',
      'SystemCallFilter=@system-service',
      'SystemCallFilter=~@privileged @resources',
      'SystemCallFilter=@chown',
    ])
      expect(unit).toContain(`\n${setting}\n`)
    // Node compiles while it runs.
    expect(unit).not.toMatch(/^MemoryDenyWriteExecute=/m)
  })

  it('set variables that exist', () => {
    const ofService = /^ {2}gatehouse:\n(.*?)\n\n/ms.exec(compose ?? '')?.[1] ?? ''
    const set = [
      ...[...ofService.matchAll(/^ {6}([A-Z_]+): /gm)],
      ...[...(unit ?? '').matchAll(/^Environment=([A-Z_]+)=/gm)],
      ...[...(ofHighAvailability ?? '').matchAll(/^([A-Z_]+)=/gm)],
      ...[...(/^ENV (.*)$/m.exec(image ?? '')?.[1] ?? '').matchAll(/(\w+)=/g)],
    ].flatMap(([, name]) => (name?.startsWith('MALLOC_') ? [] : [name]))
    expect(set).toEqual(expect.arrayContaining(['DATABASE_URL', 'DATA_DIR', 'PORT']))
    for (const name of set) expect(variables).toContain(`| \`${name}\` |`)
  })

  it('of high availability name only variables that exist, in comments, too', () => {
    const folder = 'deploy/high-availability'
    const text = readdirSync(folder)
      .map((file) => readFileSync(join(folder, file), 'utf8'))
      .join('\n')
    const set = new Set([...text.matchAll(/\b([A-Z]\w*)(?:=|:-)/g)].map(([, name]) => name))
    const named = new Set([...text.matchAll(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g)].map(([name]) => name))
    expect([...named].filter((name) => !set.has(name) && !variables?.includes(`| \`${name}\` |`))).toEqual([])
  })
})
