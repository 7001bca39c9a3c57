import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type UserConfig } from 'vite'
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

/** Small pieces of these that fields of a page need, too. A page that found them among the popups would load all of those. */
const pagesShareWithPopups =
  /@base-ui\/(utils\/(clamp|inertValue|stringifyLocale)|react\/(internals\/(csp-context\/CSPContext|serializeValue)|toolbar\/root\/ToolbarRootContext))\.mjs/

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/console/',
  plugins: [react(), operations(), preloadApplication()],
  build: {
    target: 'es2023',
    modulePreload: { polyfill: false },
    manifest: true,
    license: true,
    reportCompressedSize: false,
    emptyOutDir: true,
    rolldownOptions: {
      output: {
        // Named by their content alone: chunks refer to each other 1300 times, so longer names cost 7 kB. manifest.json says what each is.
        chunkFileNames: 'assets/[hash:7].js',
        assetFileNames: 'assets/[hash:7][extname]',
        // One chunk of React, one of the icons that pages share, one of what most pages share, and one of what opens over a page,
        // which the first such thing loads. Many small ones compress worse, by 30 kB in all. A chunk takes with it what it imports:
        // chunks that import each other in a circle fail, depending on which is loaded first.
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
            { name: 'icons', test: /lucide-react/, minShareCount: 2 },
            { name: 'base', minShareCount: 20, test: (id) => !isNeededFirst(id) },
            { name: 'base', test: pagesShareWithPopups },
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

/** Lets the browser load the application beside the entry, which asks for the session before it imports the application. */
function preloadApplication(): Plugin {
  return {
    name: 'preload-application',
    apply: 'build',
    // A page adds its styles to the head, before those of the application in the body: each file says the order of the layers.
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'asset' && file.fileName.endsWith('.css')) file.source = `${layers}${file.source}`
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
        const application = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith('/src/application.tsx'))
        if (!application) throw new Error('The application is not in the build')
        const scripts = [application.fileName, ...application.imports]
        const styles = [...(application.viteMetadata?.importedCss ?? [])]
        // After what is shown first, which is not held back by them, and in their order, which is that of the layers.
        const stylesOfEntry = [...html.matchAll(/\s*<link rel="stylesheet"[^>]*href="([^"]+)">/g)]
        const withoutStyles = stylesOfEntry.reduce((page, [link]) => page.replace(link, ''), html)
        const addresses = [...styles.map((file) => `/console/${file}`), ...stylesOfEntry.map(([, address]) => address)]
        const tags = [
          ...scripts.map((file) => ({ tag: 'link', attrs: { rel: 'modulepreload', crossorigin: '', href: `/console/${file}` } })),
          ...addresses.map((href) => ({ tag: 'link', attrs: { rel: 'stylesheet', crossorigin: '', href }, injectTo: 'body' as const })),
        ]
        return { html: withoutStyles, tags }
      },
    },
  }
}
