/** Which file may import which. Each rule says why. */

const only = (name, folder, allowed, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { path: folder },
  to: {
    path: '^src/',
    pathNot: [
      folder,
      '^src/(defaults|environment|environment-flags|errors|once|origin)\\.ts$',
      '^src/files/json/',
      ...allowed,
    ],
  },
})

const never = (name, from, to, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { path: from },
  to: { path: to },
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
      name: 'folders-are-floors',
      severity: 'error',
      scope: 'folder',
      comment:
        'Folders that need each other are one folder, or a file lies on the wrong floor. A folder and the folders in it are no pair: what stands beside its rooms serves them, or is made of them.',
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
      '^src/model/(?!values/)',
      ['^src/text/'],
      'The contract says what the service is. It can be read without knowing who calls it, or how.',
    ),
    only(
      'api-knows-no-person',
      '^src/api/',
      ['^src/text/(connection-codes|duration|text-hash)\\.ts$', '^src/model/'],
      'The api is the service seen by a client. It is handed an address, a key, a fetch and a clock; it knows no command, no profile and no screen.',
    ),
    only(
      'sandbox-knows-only-the-contract',
      '^src/sandbox/',
      ['^src/model/', '^src/text/day\\.ts$'],
      'The sandbox shares the tables of the contract and the calendar with the client and none of its code, so that the two can disagree.',
    ),
    never(
      'sandbox-maps-by-itself',
      '^src/sandbox/',
      '^src/model/(mapping/|resources/check-record\\.ts$)',
      'The sandbox shapes its answers by its own code: a mistake in the client’s mapping must show.',
    ),
    only(
      'rendering-is-pure',
      '^src/render/',
      ['^src/model/', '^src/text/', '^src/files/formats/', '^src/secrets\\.ts$'],
      'Rendering takes a value and gives text. It calls nobody.',
    ),
    only(
      'secrets-stand-alone',
      '^src/secrets\\.ts$',
      [],
      'What keeps a secret needs to know nothing but the secret.',
    ),
    only(
      'files-are-files',
      '^src/files/local/',
      ['^src/text/'],
      'A file is written safely whatever is in it.',
    ),
    only(
      'formats-are-formats',
      '^src/files/formats/',
      ['^src/model/', '^src/text/'],
      'A format knows bytes and values, and no command.',
    ),
    only(
      'values-are-words',
      '^src/model/values/',
      ['^src/model/', '^src/text/', '^src/files/formats/'],
      'What people write is read alike in a form, a spreadsheet and an option.',
    ),
    only(
      'tables-are-read',
      '^src/files/table/',
      ['^src/model/', '^src/text/', '^src/files/', '^src/render/formats\\.ts$'],
      'A file becomes records without knowing what is done with them.',
    ),
    only(
      'credentials-stand-alone',
      '^src/credentials/',
      [
        '^src/files/',
        '^src/text/',
        '^src/secrets\\.ts$',
        '^src/model/resources/operations\\.ts$',
        '^src/api/(client|http/)',
      ],
      'Settings and keys are read without a command and without a screen.',
    ),
    only(
      'drafts-are-kept',
      '^src/commands/kit/create/draft\\.ts$',
      ['^src/files/', '^src/text/'],
      'A draft is kept without knowing which form it is of, or how it is sent.',
    ),
    only(
      'shared-journal-knows-keys',
      '^src/import/shared-journal/',
      ['^src/files/', '^src/text/'],
      'The shared journal knows keys and states; what a row is, and what is sent, is the business of an import.',
    ),
    never(
      'shared-journal-has-one-door',
      '^src/(?!import/shared-journal/)',
      '^src/import/shared-journal/(?!(shared-journal|claim)\\.ts$)',
      'What a claim is and how the journal is opened is all that anybody outside needs to know, whichever database it lies in.',
    ),
    only(
      'imports-print-nothing',
      '^src/import/',
      [
        '^src/api/',
        '^src/model/',
        '^src/text/',
        '^src/files/',
        '^src/write/(at-risk|guards|judge|record-write|send-write|service-knowledge)\\.ts$',
      ],
      'An import is handed a client, a clock and a place for its journal, and tells what happens; who shows it is not its business.',
    ),
    only(
      'reading-decides-nothing',
      '^src/reading/',
      ['^src/api/', '^src/model/', '^src/text/'],
      'The one reader of many records says what it saw and what it did not; what follows from it is the business of others.',
    ),
    only(
      'checks-print-nothing',
      '^src/commands/check/(?!check\\.ts$)',
      ['^src/api/', '^src/model/', '^src/text/', '^src/files/', '^src/reading/'],
      'A check is handed a client and a day, and gives findings; who shows them is not its business.',
    ),
    only(
      'bookmarks-know-records',
      '^src/commands/kit/export/since-last\\.ts$',
      ['^src/model/records/', '^src/files/', '^src/text/'],
      'A bookmark says which records were exported before, and neither reads nor writes a list.',
    ),
    only(
      'prompts-ask',
      '^src/prompts/',
      ['^src/model/', '^src/text/', '^src/render/', '^src/secrets\\.ts$'],
      'The form goes from fields to questions. It sends nothing.',
    ),
    {
      name: 'commands-know-no-command',
      severity: 'error',
      comment:
        'What two commands share is a verb or a step. Completion offers topics, rules and marks by their names; check compares with a mark.',
      from: { path: '^src/commands/([^/]+)' },
      to: {
        path: '^src/commands/',
        pathNot: [
          '^src/commands/$1/',
          '^src/commands/(kit|cli)/',
          '^src/commands/(help/topics|check/rules|changes/(marks|plan))',
        ],
      },
    },
    never(
      'declarations-stand-alone',
      '^src/commands/cli/',
      '^src/commands/(?!cli/)',
      'A verb is data: what is said of it is known without the code that runs it.',
    ),
    never(
      'verbs-know-no-command',
      '^src/commands/kit/',
      '^src/commands/(?!(kit|cli)/)',
      'A verb serves every resource; which resources have it is said in commands.',
    ),
    never(
      'context-is-handed-down',
      '^src/context/',
      '^src/(commands|prompts|import/(?!shared-journal/))',
      'What a command is handed knows neither the command nor its verb, nor what they do with it.',
    ),
    never(
      'only-main-starts',
      '^src/(?!main\\.ts|program\\.ts)',
      '^src/(main|program)\\.ts$',
      'Imports go one way: bin, main, program, commands. Nothing calls back up.',
    ),
    home(
      'commander-in-the-cli',
      ['commander'],
      ['^src/(main|program)\\.ts$', '^src/commands/cli/(register|options|usage-failure)\\.ts$'],
      'How words are parsed is decided in one place; a verb is data.',
    ),
    home(
      'ky-in-the-attempt',
      ['ky'],
      ['^src/api/http/attempt\\.ts$'],
      'One place knows how a request is made.',
    ),
    home(
      'proxy-at-the-transport',
      ['https-proxy-agent'],
      ['^src/api/http/proxy\\.ts$'],
      'One place knows the way through a proxy.',
    ),
    home(
      'zod-in-its-places',
      ['zod'],
      [
        '^src/credentials/settings-shape\\.ts$',
        '^src/files/local/private-json\\.ts$',
        '^src/(commands/changes/marks|commands/check/accepted|import/write-journal|files/table/column-map)\\.ts$',
        '^src/(commands/kit/(create/draft|find/reference-memory|export/export)|write/(knowledge-file|history/history))\\.ts$',
        '^src/(context/facts/(fact-shapes|own-facts)|model/facts/fact-values)\\.ts$',
      ],
      'It reads back what lies on a disk, and where it does so is counted.',
    ),
    home(
      'ibantools-in-the-standards',
      ['ibantools'],
      ['^src/model/standards/'],
      'Public standards live together.',
    ),
    home(
      'leven-in-nearest',
      ['leven'],
      ['^src/model/fields/nearest\\.ts$'],
      'One place guesses what was meant.',
    ),
    home(
      'inquirer-in-the-prompts',
      ['@inquirer'],
      ['^src/prompts/terminal/draw\\.ts$'],
      'One folder asks, by two prompts of our own on the core of inquirer (docs/decisions/prompts.md).',
    ),
    home(
      'pg-in-the-session',
      ['pg'],
      ['^src/import/shared-journal/session\\.ts$'],
      'One place talks to PostgreSQL.',
    ),
    home('conf-in-the-settings', ['conf'], ['^src/credentials/'], 'One place keeps settings.'),
    home(
      'widths-in-the-text',
      ['string-width', 'wrap-ansi'],
      ['^src/render/text/wrap-text\\.ts$'],
      'One place measures text, so that all of it is measured alike.',
    ),
    home(
      'cli-table3-in-the-table',
      ['cli-table3'],
      ['^src/render/table-output\\.ts$'],
      'One place draws tables.',
    ),
    home('ora-in-the-progress', ['ora'], ['^src/render/progress\\.ts$'], 'One place spins.'),
    home('oauth4webapi-in-the-auth', ['oauth4webapi'], ['^src/commands/auth/'], 'One place makes verifiers.'),
    home(
      'formats-at-home',
      ['csv-parse', 'yauzl', 'saxes', 'write-excel-file'],
      ['^src/files/formats/'],
      'One place knows how CSV and workbooks are written.',
    ),
    home('jmespath-in-the-query', ['@jmespath-community'], ['^src/render/query\\.ts$'], 'One place queries.'),
    home('yaml-at-home', ['yaml'], ['^src/render/yaml-output\\.ts$'], 'One place writes YAML.'),
    home('mrmime-in-the-documents', ['mrmime'], ['^src/commands/documents/'], 'One place names media types.'),
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
