/**
 * The kinds of records with the five ordinary routes and no other rules. A kind says what a record of it is in a file of `kinds/`: the
 * rows of the tables here follow from that.
 */
import { globSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { type KindWith, kinds } from '../../shared/kinds.ts'
import type { Answer } from '../support/http-client.ts'
import { made, type World } from './world.ts'

export interface OrdinaryKind {
  name: KindWith<'history'>
  /** The body that creates a record: another one with each call. */
  create(world: World): object | Promise<object>
  /** The body of a change. */
  change: object
  /** The field that two records cannot share, and whether it can be changed. */
  unique?: { field: string; canChange: boolean }
}

const files: Promise<{ kind: OrdinaryKind }>[] = globSync('test/http/kinds/*.ts').map(
  (file) => import(/* @vite-ignore */ pathToFileURL(join(process.cwd(), file)).href),
)

const ordinary = (await Promise.all(files)).map(({ kind }) => ({
  ...kind,
  ...kinds[kind.name],
  path: `/v1/admin/${kinds[kind.name].path}`,
}))

async function createOrdinary(world: World, { path, create }: (typeof ordinary)[number]) {
  const body = await create(world)
  return { body: body as Record<string, unknown>, path: `${path}/${await made(world.owner, path, body)}` }
}

/** The routes, and what each does. */
export const ordinaryRoutes: Record<string, string> = Object.fromEntries(
  ordinary.flatMap(({ path, words }) => [
    [`GET ${path}`, `lists every ${words}`],
    [`GET ${path}/{id}`, `one ${words}`],
    [`POST ${path}`, `creates a ${words}`],
    [`PATCH ${path}/{id}`, `changes a ${words}`],
    [`DELETE ${path}/{id}`, `deletes a ${words}`],
  ]),
)

interface OrdinaryMutation {
  leaves: string
  request(world: World): Promise<{ path: string; body?: unknown }>
}

/** A request that succeeds, for each route that changes something. */
export const ordinaryMutations: Record<string, OrdinaryMutation> = Object.fromEntries(
  ordinary.flatMap((kind): [string, OrdinaryMutation][] => {
    const { name, path, create, change } = kind
    return [
      [`POST ${path}`, { leaves: `${name}.created`, request: async (world) => ({ path, body: await create(world) }) }],
      [
        `PATCH ${path}/{id}`,
        { leaves: `${name}.updated`, request: async (world) => ({ path: (await createOrdinary(world, kind)).path, body: change }) },
      ],
      [
        `DELETE ${path}/{id}`,
        { leaves: `${name}.deleted`, request: async (world) => ({ path: (await createOrdinary(world, kind)).path }) },
      ],
    ]
  }),
)

type Provocation = (world: World) => Promise<Answer>

/** A request for each conflict. */
export const ordinaryConflicts: Record<string, Provocation> = Object.fromEntries(
  ordinary.flatMap((kind): [string, Provocation][] => {
    const { path, unique } = kind
    if (!unique) return []
    const onCreation: Provocation = async (world) => world.owner.post(path, (await createOrdinary(world, kind)).body)
    const onChange: Provocation = async (world) => {
      const taken = (await createOrdinary(world, kind)).body[unique.field]
      return world.owner.patch((await createOrdinary(world, kind)).path, { [unique.field]: taken })
    }
    return unique.canChange
      ? [
          [`POST ${path} 409`, onCreation],
          [`PATCH ${path}/{id} 409`, onChange],
        ]
      : [[`POST ${path} 409`, onCreation]]
  }),
)

/** The changes that `If-Match` can make conditional. */
export const ordinaryConditional: string[] = ordinary.flatMap(({ path }) => [`PATCH ${path}/{id}`, `DELETE ${path}/{id}`])

/** The collections of the API, such as `teams`. */
export const ordinaryPaths: string[] = ordinary.map(({ name }) => kinds[name].path)

export const ordinaryTables: string[] = ordinary.map(({ table }) => table)

/** Fills the list of each kind with two records. */
export async function fillOrdinaryLists(world: World): Promise<void> {
  for (const kind of ordinary) for (const _ of ['first', 'second']) await createOrdinary(world, kind)
}
