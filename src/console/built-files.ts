import { readFile } from 'node:fs/promises'
import { type Document, documentOf } from '../platform/http/document.ts'
import { type Language, languages } from '../platform/language.ts'

export interface BuiltConsole {
  /** The page, which differs between addresses only by language. */
  readonly index: Readonly<Record<Language, Document>>
  readonly assets: ReadonlyMap<string, Asset>
}

/** A file whose name changes with its content. */
export interface Asset {
  readonly type: string
  readonly plain: Buffer
  readonly gzip: Buffer
  readonly br: Buffer
}

/** A line of files.json, which tools/build-console.js writes. */
interface ListedFile {
  path: string
  type: string
}

const folder = new URL('../../dist/console/', import.meta.url)

/** Reads all files, so that a later build which replaces them breaks no open page; undefined when the console is not built. */
export async function readBuiltConsole(): Promise<BuiltConsole | undefined> {
  try {
    const files: ListedFile[] = JSON.parse(await readText('files.json'))
    const page = await readText('index.html')
    const assets = files.filter(({ path }) => path.startsWith('assets/'))
    return {
      index: Object.fromEntries(languages.map((language) => [language, inLanguage(page, language)])) as BuiltConsole['index'],
      assets: new Map(await Promise.all(assets.map(async (file) => [file.path, await readAsset(file)] as const))),
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const readText = (path: string) => readFile(new URL(path, folder), 'utf8')

async function readAsset({ path, type }: ListedFile): Promise<Asset> {
  const [plain, gzip, br] = await Promise.all(['', '.gz', '.br'].map((ending) => readFile(new URL(`${path}${ending}`, folder))))
  return { type, plain, gzip, br } as Asset
}

const inLanguage = (page: string, language: Language) => documentOf(page.replace('<html lang="en">', `<html lang="${language}">`))
