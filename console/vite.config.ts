import { globSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown, type UserConfig } from 'vite'
import { operations } from './operations-plugin.ts'

/** What the development server passes on to the service, so that a session holds on both. */
const ofTheService = [
  '/v1',
  '/oauth2',
  '/.well-known',
  '/login',
  '/logged-out',
  '/account',
  '/mfa',
  '/password',
  '/email',
  '/invitations',
  '/assets',
  '/problems',
  '/docs',
  '/dev',
  '/openapi.json',
]

/** Menus, lists to choose from, dialogs, toasts and hints. */
const opensOverPage = /@base-ui\/react\/(menu|select|combobox|autocomplete|tooltip|popover|dialog|alert-dialog|toast)\//

/** What moves the focus within radio buttons and menus. */
const movesFocus = /@base-ui\/react\/(internals\/composite|floating-ui-react\/utils\/composite)/

/** What many pages have only in a dialog, in one of their tabs, or for a question that few visits meet. */
const isSeldomFirst = (id: string) =>
  movesFocus.test(id) ||
  /@base-ui\/react\/checkbox|\/src\/(ui\/(checkbox|disclosure|disclosure\.module)|texts\/questions|parts\/(use-trust-question|use-typed))\.(tsx?|css)$/.test(
    id,
  )

/** Small pieces of these that fields of a page need, too. A page that found them among the popups would load all of those. */
const pagesShareWithPopups =
  /@base-ui\/(utils\/(addEventListener|clamp|inertValue|stringifyLocale|useValueAsRef)|react\/(internals\/(csp-context\/CSPContext|serializeValue)|toolbar\/root\/ToolbarRootContext))\.mjs/

/** Small pieces of most pages of a record: each as a chunk of its own would weigh twice as much. */
const ofMostRecords =
  /\/src\/(ui\/(tab-links|tabs\.module)|api\/(service|organisation-record)|parts\/(use-leave|loading-panel))\.|@base-ui\/utils\/formatNumber\.mjs/

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/console/',
  plugins: [react(), operations(), preloadApplication()],
  css: { modules: { generateScopedName: nameClass } },
  build: {
    target: 'es2023',
    modulePreload: { polyfill: false, resolveDependencies: (_page, needed) => needed.filter((file) => !loadedFirst.has(file)) },
    manifest: true,
    license: true,
    reportCompressedSize: false,
    emptyOutDir: true,
    rolldownOptions: {
      output: {
        // Named by their content alone: chunks refer to each other 1300 times, so longer names cost 7 kB. manifest.json says what each is.
        chunkFileNames: 'assets/[hash:7].js',
        assetFileNames: 'assets/[hash:7][extname]',
        // One chunk of React, one of the icons that three pages share, one of what most pages share, and one of what opens over a page,
        // which the first such thing loads. Many small ones compress worse, by 30 kB in all. A chunk takes with it what it imports:
        // chunks that import each other in a circle fail, depending on which is loaded first.
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
            { name: 'icons', test: /lucide-react/, minShareCount: 3 },
            { name: 'base', minShareCount: 20, test: (id) => !isNeededFirst(id) && !isSeldomFirst(id) },
            { name: 'base', test: pagesShareWithPopups },
            { name: 'base', test: ofMostRecords },
            { name: 'composite', test: movesFocus },
            { name: 'popups', test: opensOverPage },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    // As the service has it: a window of a page of the service would lose its opener otherwise.
    headers: { 'Cross-Origin-Opener-Policy': 'same-origin' },
    proxy: Object.fromEntries(ofTheService.map((path) => [path, { target: process.env.PUBLIC_URL ?? 'http://localhost:3000' }])),
  },
} satisfies UserConfig)

/** What the entry runs before anything else is loaded. */
const isNeededFirst = (id: string) => /\/src\/(api\/early|parts\/preferences)\.ts$/.test(id)

/** The order of the layers, as `base.css` has it. */
const layers = /@layer [^;{]+;/.exec(readFileSync(new URL('./src/styles/base.css', import.meta.url), 'utf8'))?.[0] ?? ''

const isApplication = (file: Rolldown.OutputChunk | Rolldown.OutputAsset): file is Rolldown.OutputChunk =>
  file.type === 'chunk' && file.facadeModuleId?.endsWith('/src/application.tsx') === true

const sheets = globSync('src/**/*.module.css', { cwd: import.meta.dirname }).sort()

/** A class is called after its file by a number: a hash in each name would be a tenth of the styles, and does not compress. */
function nameClass(name: string, file: string): string {
  const sheet = relative(import.meta.dirname, file)
  if (!sheets.includes(sheet)) sheets.push(sheet)
  return `${name}_${sheets.indexOf(sheet).toString(36)}`
}

/** The files that the page itself names: no page that is loaded later names them again. */
const loadedFirst = new Set<string>()

function noteLoadedFirst(bundle: Rolldown.OutputBundle, fileName: string): void {
  const file = bundle[fileName]
  if (file?.type !== 'chunk' || loadedFirst.has(fileName)) return
  for (const one of [fileName, ...(file.viteMetadata?.importedCss ?? [])]) loadedFirst.add(one)
  for (const imported of file.imports) noteLoadedFirst(bundle, imported)
}

/** Lets the browser load the application beside the entry, which asks for the session before it imports the application. */
function preloadApplication(): Plugin {
  return {
    name: 'preload-application',
    apply: 'build',
    // A page adds its styles to the head, before those of the application in the body: each file says the order of the layers.
    generateBundle(_options, bundle) {
      loadedFirst.clear()
      for (const file of Object.values(bundle)) if (isApplication(file)) noteLoadedFirst(bundle, file.fileName)
      for (const file of Object.values(bundle))
        if (file.type === 'asset' && file.fileName.endsWith('.css')) file.source = `${layers}${file.source}`
    },
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        if (loadedFirst.size === 0) throw new Error('The application is not in the build')
        const scripts = [...loadedFirst].filter((file) => file.endsWith('.js'))
        const styles = [...loadedFirst].filter((file) => file.endsWith('.css'))
        // After what is shown first, which is not held back by them, and in their order, which is that of the layers.
        const stylesOfEntry = [...html.matchAll(/\s*<link rel="stylesheet"[^>]*href="([^"]+)">/g)]
        const withoutStyles = stylesOfEntry.reduce((page, [link]) => page.replace(link, ''), html)
        const ofEntry = stylesOfEntry.map(([, address = '']) => address)
        const addresses = [...new Set(styles.map((file) => `/console/${file}`)).difference(new Set(ofEntry)), ...ofEntry]
        const tags = [
          ...scripts.map((file) => ({ tag: 'link', attrs: { rel: 'modulepreload', crossorigin: '', href: `/console/${file}` } })),
          ...addresses.map((href) => ({ tag: 'link', attrs: { rel: 'stylesheet', crossorigin: '', href }, injectTo: 'body' as const })),
        ]
        return { html: withoutStyles, tags }
      },
    },
  }
}
