/** The import rules of the house. Each says why, to whoever meets it first as an error. */

const only = (name, folder, allowed, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { path: folder },
  to: { path: '^src/', pathNot: [folder, '^src/errors\\.ts$', '^src/json/', ...allowed] },
})

const home = (name, packages, homes, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { path: '^src/', pathNot: homes },
  to: { path: packages.map((each) => `^node_modules/${each}/`) },
})

module.exports = {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      comment:
        'Two files that need each other are one file, or hide a third that both need. Types count too: move them down.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      comment: 'Nothing reaches this file: it is a leftover.',
      from: { orphan: true, pathNot: ['^src/main\\.ts$', '\\.d\\.ts$'] },
      to: {},
    },
    only(
      'contract-is-data',
      '^src/api/contract/',
      [],
      'The contract says what the service is. It can be read without knowing who calls it, or how.',
    ),
    only(
      'api-knows-no-person',
      '^src/api/(?!contract/)',
      ['^src/api/contract/'],
      'The api is the service seen by a client. It is handed an address, a key, a fetch and a clock; it knows no command, no profile and no screen.',
    ),
    only(
      'sandbox-knows-only-the-contract',
      '^src/sandbox/',
      ['^src/api/contract/'],
      'The sandbox shares the tables of the contract with the client and none of its code, so that the two can disagree.',
    ),
    {
      name: 'sandbox-maps-by-itself',
      severity: 'error',
      comment: 'The sandbox shapes its answers by its own code: a mistake in the client’s mapping must show.',
      from: { path: '^src/sandbox/' },
      to: { path: '^src/api/contract/(mapping/|fields/(check|request-schema)\\.ts$)' },
    },
    only(
      'rendering-is-pure',
      '^src/render/',
      ['^src/api/contract/', '^src/formats/'],
      'Rendering takes a value and gives text. It calls nobody.',
    ),
    only(
      'secrets-stand-alone',
      '^src/secrets/',
      [],
      'What keeps a secret needs to know nothing but the secret.',
    ),
    only('files-are-files', '^src/files/', [], 'A file is written safely whatever is in it.'),
    only(
      'formats-are-formats',
      '^src/formats/',
      ['^src/api/contract/'],
      'A format knows bytes and values, and no command.',
    ),
    only(
      'profile-keeps-settings',
      '^src/profile/',
      ['^src/files/'],
      'Settings and keys stand alone: nothing of the service is needed to read them.',
    ),
    only(
      'drafts-are-kept',
      '^src/drafts/',
      ['^src/files/', '^src/formats/'],
      'A draft is kept without knowing which form it is of, or how it is sent.',
    ),
    only(
      'imports-print-nothing',
      '^src/import/',
      ['^src/api/', '^src/formats/', '^src/files/'],
      'An import is handed a client, a clock and a place for its journal, and tells what happens; who shows it is not its business.',
    ),
    only(
      'prompts-ask',
      '^src/prompts/',
      ['^src/api/contract/', '^src/render/', '^src/context/context\\.ts$'],
      'The form goes from fields to questions. It sends nothing.',
    ),
    {
      name: 'commands-know-no-command',
      severity: 'error',
      comment: 'What two commands share belongs in the kit.',
      from: { path: '^src/commands/(?!kit/)([^/]+)' },
      to: { path: '^src/commands/(?!kit/)', pathNot: '^src/commands/$1/' },
    },
    {
      name: 'only-main-starts',
      severity: 'error',
      comment: 'Imports go one way: bin, main, program, commands. Nothing calls back up.',
      from: { path: '^src/(?!main\\.ts|program\\.ts)' },
      to: { path: '^src/(main|program)\\.ts$' },
    },
    home(
      'commander-at-the-door',
      ['commander'],
      ['^src/(main|program)\\.ts$', '^src/commands/kit/declare/(register|options)\\.ts$'],
      'How words are parsed is decided at the door; a verb is data.',
    ),
    home(
      'ky-in-the-attempt',
      ['ky'],
      ['^src/api/http/attempt\\.ts$'],
      'One place knows how a request is made.',
    ),
    home(
      'proxy-at-the-transport',
      ['https-proxy-agent', 'proxy-from-env'],
      ['^src/api/http/proxy\\.ts$'],
      'One place knows the way through a proxy.',
    ),
    home(
      'zod-in-the-contract',
      ['zod'],
      ['^src/api/contract/fields/request-schema\\.ts$'],
      'One place turns declared fields into schemas.',
    ),
    home(
      'ibantools-in-the-standards',
      ['ibantools'],
      ['^src/api/contract/standards/'],
      'Public standards live together.',
    ),
    home(
      'leven-in-nearest',
      ['leven'],
      ['^src/api/contract/fields/nearest\\.ts$'],
      'One place guesses what was meant.',
    ),
    home(
      'inquirer-in-the-prompts',
      ['@inquirer'],
      ['^src/prompts/terminal/(ask|line-prompt|choice-prompt)\\.ts$'],
      'One place asks, draws two kinds of question, and turns Ctrl-C into an interruption.',
    ),
    home(
      'conf-in-the-profile',
      ['conf', 'env-paths'],
      ['^src/profile/', '^src/files/private-directory\\.ts$'],
      'One place keeps settings.',
    ),
    home(
      'cli-table3-in-the-table',
      ['cli-table3'],
      ['^src/render/(table|text/width)\\.ts$'],
      'One place draws tables, by its own measure.',
    ),
    home('ora-in-the-progress', ['ora'], ['^src/render/progress\\.ts$'], 'One place spins.'),
    home('oauth4webapi-in-the-auth', ['oauth4webapi'], ['^src/commands/auth/'], 'One place makes verifiers.'),
    home(
      'formats-at-home',
      ['csv-stringify', 'csv-parse', 'yauzl', 'saxes', 'write-excel-file'],
      ['^src/formats/'],
      'One place knows how CSV and workbooks are written.',
    ),
    home('jmespath-in-the-query', ['@jmespath-community'], ['^src/render/query\\.ts$'], 'One place queries.'),
    home(
      'yaml-at-home',
      ['yaml'],
      ['^src/(render/yaml-output|formats/read-yaml)\\.ts$'],
      'One place writes YAML, and one reads it.',
    ),
    home('mrmime-in-the-documents', ['mrmime'], ['^src/commands/documents/'], 'One place names media types.'),
    home(
      'tab-in-the-completion',
      ['@bomb\\.sh'],
      ['^src/commands/completion\\.ts$'],
      'One place completes words.',
    ),
    home('hono-in-the-sandbox', ['hono', '@hono', 'libsql'], ['^src/sandbox/'], 'Only the sandbox serves.'),
    {
      name: 'only-what-is-declared',
      severity: 'error',
      comment:
        'What is used is named in package.json. All of it but the database is bundled, so none of it is a dependency at run time.',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
}
