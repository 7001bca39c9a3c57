import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { needs } from './needs.ts'
import type { RealSamlProvider } from './real-saml-provider.ts'
import { type SamlProvider, samlProvider } from './saml-provider.ts'

const installed = '/usr/share/lemonldap-ng/portal'
const program = `${installed}/htdocs/index.psgi`

/** Of tests with LemonLDAP::NG, as Debian packages it. */
export const needsLemonLdap = needs(program, existsSync(program))

// What draws the puzzles of its forms is no dependency of Debian's package, and the portal does not start without anything in its place.
const portal = `
use Lemonldap::NG::Portal;
package Lemonldap::NG::Portal::Captcha::None { use Mouse; extends 'Lemonldap::NG::Portal::Main::Plugin'; sub init { 1 } }
$INC{'Lemonldap/NG/Portal/Captcha/None.pm'} = 1;
Lemonldap::NG::Portal->run({});
`

/** LemonLDAP::NG as an identity provider, with a configuration of its own. It has one user with an address: `dwho`, with the password `dwho`. */
export class LemonLdap implements RealSamlProvider {
  readonly name = 'LemonLDAP::NG'
  readonly credentials = { user: 'dwho', password: 'dwho' }
  readonly origin: string
  readonly metadataUrl: string
  readonly #port: number
  readonly #keys: SamlProvider
  readonly #home: string
  readonly #email: string
  #process: ChildProcess | undefined
  #configurations = 0

  private constructor(port: number, { keys, home, email }: { keys: SamlProvider; home: string; email: string }) {
    this.origin = `http://127.0.0.1:${port}`
    this.metadataUrl = `${this.origin}/saml/metadata`
    this.#port = port
    this.#keys = keys
    this.#home = home
    this.#email = email
  }

  static async start(email: string): Promise<LemonLdap> {
    const [port, keys, home] = [await freePort(), await samlProvider(), await mkdtemp(join(tmpdir(), 'lemonldap-'))]
    const provider = new LemonLdap(port, { keys, home, email })
    for (const folder of ['conf', 'sessions', 'persistent', 'locks']) await mkdir(join(home, folder))
    await writeFile(join(home, 'portal.psgi'), portal)
    await writeFile(
      join(home, 'lemonldap-ng.ini'),
      `[all]\nlogLevel = error\nlogger = Lemonldap::NG::Common::Logger::Std\n[configuration]\ntype = File\ndirName = ${home}/conf\n` +
        `[portal]\nstaticPrefix = /static\ntemplateDir = ${installed}/templates\nlanguages = en\n`,
    )
    await provider.#configure({})
    await provider.#start()
    return provider
  }

  /** Tells it the metadata of a service provider: theirs is the parser. */
  async register(metadata: string): Promise<void> {
    await this.#configure({
      samlSPMetaDataXML: { ours: { samlSPMetaDataXML: metadata } },
      samlSPMetaDataOptions: {
        ours: {
          samlSPMetaDataOptionsNameIDFormat: 'persistent',
          samlSPMetaDataOptionsNameIDSessionKey: 'uid',
          samlSPMetaDataOptionsCheckSSOMessageSignature: 1,
          samlSPMetaDataOptionsCheckSLOMessageSignature: 1,
          samlSPMetaDataOptionsSignSSOMessage: 1,
          samlSPMetaDataOptionsSignSLOMessage: 1,
          samlSPMetaDataOptionsSignatureMethod: 'RSA_SHA256',
        },
      },
      samlSPMetaDataExportedAttributes: { ours: { address: '1;mail;;' } },
    })
    // It reads its configuration when it starts; its sessions are in files.
    await this.#end()
    await this.#start()
  }

  async stop(): Promise<void> {
    await this.#end()
    await rm(this.#home, { recursive: true, force: true })
  }

  async #end(): Promise<void> {
    const running = this.#process
    if (!running || running.exitCode !== null) return
    const exited = once(running, 'exit')
    running.kill('SIGKILL')
    await exited
  }

  async #configure(serviceProviders: object): Promise<void> {
    this.#configurations += 1
    const home = this.#home
    const storage = (folder: string) => ({ Directory: join(home, folder), LockDirectory: join(home, 'locks') })
    const configuration = {
      cfgNum: this.#configurations,
      cfgAuthor: 'tests',
      cfgDate: '1700000000',
      cfgVersion: '2.16.1',
      authentication: 'Demo',
      userDB: 'Same',
      passwordDB: 'Null',
      registerDB: 'Null',
      demoExportedVars: { uid: 'uid' },
      macros: { address: `'${this.#email.replace('@', "'.'@'.'")}'` },
      domain: '127.0.0.1',
      portal: `${this.origin}/`,
      cookieName: 'lemonldap',
      securedCookie: 0,
      globalStorage: 'Apache::Session::File',
      globalStorageOptions: { ...storage('sessions'), generateModule: 'Lemonldap::NG::Common::Apache::Session::Generate::SHA256' },
      persistentStorage: 'Apache::Session::File',
      persistentStorageOptions: storage('persistent'),
      locationRules: {},
      exportedHeaders: {},
      exportedVars: {},
      groups: {},
      applicationList: {},
      whatToTrace: 'uid',
      key: 'of a test, 16 b.',
      requireToken: 0,
      captcha: '::Captcha::None',
      issuerDBSAMLActivation: 1,
      issuerDBSAMLPath: '^/saml/',
      samlEntityID: '#PORTAL#/saml/metadata',
      samlServicePrivateKeySig: this.#keys.privateKey,
      samlServicePublicKeySig: this.#keys.certificate,
      ...serviceProviders,
    }
    await writeFile(join(home, 'conf', `lmConf-${this.#configurations}.json`), JSON.stringify(configuration))
  }

  async #start(): Promise<void> {
    const started = spawn('plackup', ['--no-default-middleware', '--listen', `127.0.0.1:${this.#port}`, join(this.#home, 'portal.psgi')], {
      env: { ...process.env, LLNG_DEFAULTCONFFILE: join(this.#home, 'lemonldap-ng.ini') },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    this.#process = started
    let printed = ''
    for await (const chunk of started.stderr.iterator({ destroyOnReturn: false })) {
      printed += chunk
      if (printed.includes('Accepting connections')) break
    }
    started.stderr.resume()
    if (!printed.includes('Accepting connections')) throw new Error(`LemonLDAP::NG did not start: ${printed}`)
  }
}
