/** Checks that the modules of src/ have no state: services.ts creates all objects and passes them on. */
import { globSync, readFileSync } from 'node:fs'
import process from 'node:process'

/** Modules whose state is not the service's, with the reason. */
const allowed: Readonly<Record<string, string>> = {
  'src/clients/key-objects.ts': 'what follows from a key alone',
  'src/cli/data-dir-owner.ts': 'the user of the process is one for all of it',
  'src/passwords/common-passwords.ts': 'a list that never changes, loaded when it is first needed',
  'src/platform/database/embedded/pglite-thread.ts': 'the thread is the database',
  'src/platform/database/statement.ts': 'the statements that modules declare, for the tests',
  'src/platform/http/html.ts': 'what follows from a template alone',
  'src/platform/http/lists.ts': 'what follows from a schema alone',
  'src/platform/ids.ts': 'random bytes, for many identifiers at a time',
  'src/tokens/jwt.ts': 'what follows from a key alone',
}

/** A variable, an empty collection, or an object that a factory has created. */
const state = [
  /^(export )?(let|var) /m,
  /^(export )?const \w+(: (?!Readonly)[^=]+)? = (\[\]|\{\}|new (Weak)?(Map|Set)(<.*>)?\(\)|new LRUCache\b)/m,
  /^(export )?const \w+(: [^=]+)? = (await )?((create|open|start)(?!Hash|Require)[A-Z]\w*\(|new (Resolver|Agent|Pool|Registry)\b)/m,
]

const files = globSync('src/**/*.ts').filter((file) => !file.endsWith('.test.ts'))
const withState = files.filter((file) => state.some((pattern) => pattern.test(readFileSync(file, 'utf8'))))
const mistakes = [
  ...withState.filter((file) => !(file in allowed)).map((file) => `${file} has state of its own: let services.ts create it`),
  ...Object.keys(allowed)
    .filter((file) => !withState.includes(file))
    .map((file) => `${file} has no state any more: remove it from tools/check-module-state.ts`),
]
process.stdout.write(mistakes.map((mistake) => `${mistake}\n`).join(''))
process.exitCode = mistakes.length > 0 ? 1 : 0
