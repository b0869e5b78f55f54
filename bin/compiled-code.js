/**
 * Loads the files of dist, with what V8 compiled of them at an earlier start: compiling is a third of the time of a short
 * command. What was compiled is kept in the folder of the settings, and only where that folder is there, is ours and is
 * closed to others: who can write there runs code as us. Where anything is wrong, the files are loaded as usual.
 *
 * V8 compares its version, its flags and the length of the source, and nothing else; a damaged file would crash it or
 * run something else. So each is kept twice in its file, and is used only if both are the same; the name of a chunk holds
 * a hash of its content.
 */
const {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
  rmSync,
} = require('node:fs')
const { basename, dirname, isAbsolute, join } = require('node:path')
const { Script } = require('node:vm')

const opening = '(function(exports,require,module,__filename,__dirname){'

/** A function that loads a file as `require` does, or `require` itself where nothing can be kept. */
function loader({ argv, env, execArgv, version, arch, platform }) {
  // Flags, coverage and source maps want the files as Node loads them.
  if (execArgv.length > 0 || env.NODE_OPTIONS || env.NODE_V8_COVERAGE || env.NODE_DISABLE_COMPILE_CACHE)
    return require
  const settings = settingsFolder(env, platform)
  if (settings === undefined || !isPrivate(settings)) return require
  const folder = join(settings, 'compiled')
  // V8 keeps the functions that have run, and each command runs others.
  const words = argv.slice(2).filter((word) => /^[a-z-]{1,20}$/.test(word))
  const suffix = [version, arch, ...words.slice(0, 2)].join('-')
  const keptAs = (file) => join(folder, `${basename(file)}-${suffix}`)
  const loaded = new Map()
  const compiled = []

  function load(file) {
    const known = loaded.get(file)
    if (known) return known.exports
    const module = { exports: {} }
    loaded.set(file, module)
    const cachedData = isChunk(file) ? twiceTheSame(keptAs(file)) : undefined
    const script = new Script(`${opening}${readFileSync(file, 'utf8')}\n})`, {
      filename: file,
      columnOffset: -opening.length,
      cachedData,
    })
    if (isChunk(file) && script.cachedDataRejected !== false) compiled.push({ file, script })
    const here = dirname(file)
    const requireFrom = (name) => (name.startsWith('.') ? load(join(here, name)) : require(name))
    script.runInThisContext()(module.exports, requireFrom, module, file, here)
    return module.exports
  }

  process.on('exit', (exitCode) => {
    if (exitCode === 0 && compiled.length > 0) keep(folder, compiled, keptAs)
  })
  return load
}

/** As settingsDirectory in src/files/private-directory.ts has it, whose loading would cost what is saved here. */
function settingsFolder({ PAYROLL_CONFIG_DIR: chosen, XDG_CONFIG_HOME: shared, HOME: home }, platform) {
  if (chosen) return isAbsolute(chosen) ? chosen : undefined
  // Windows closes folders by other means than modes, which are not looked at here.
  if (platform === 'win32') return undefined
  if (platform !== 'darwin' && shared && isAbsolute(shared)) return join(shared, 'payroll')
  if (!home || !isAbsolute(home)) return undefined
  return join(home, platform === 'darwin' ? 'Library/Preferences' : '.config', 'payroll')
}

function isPrivate(folder) {
  try {
    const stats = lstatSync(folder)
    const isOurs = stats.isDirectory() && (stats.mode & 0o077) === 0 && stats.uid === process.geteuid?.()
    // Where everybody may write, another folder could be put in its place.
    return isOurs && (lstatSync(dirname(folder)).mode & 0o1002) !== 0o002
  } catch {
    return false
  }
}

/** Only their names hold a hash of what is in them. */
const isChunk = (file) => basename(dirname(file)) === 'chunks'

/** One half of a file whose halves are the same. */
function twiceTheSame(file) {
  try {
    const both = readFileSync(file)
    const half = both.subarray(0, both.length / 2)
    return half.length > 0 && half.equals(both.subarray(both.length / 2)) ? half : undefined
  } catch {
    return undefined
  }
}

/** A command has five: far more than the commands that anyone uses often. */
const mostKept = 300

/** Keeps what was compiled, and removes what belongs to no file of dist any more. */
function keep(folder, compiled, keptAs) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (!isPrivate(folder)) return
    const chunks = readdirSync(dirname(compiled[0].file))
    const there = readdirSync(folder)
    for (const name of there) {
      const isOld = !chunks.some((chunk) => name.startsWith(`${chunk}-`))
      if (isOld || there.length > mostKept) rmSync(join(folder, name), { force: true })
    }
    for (const { file, script } of compiled) {
      const data = script.createCachedData()
      const part = `${keptAs(file)}.${process.pid}`
      writeFileSync(part, Buffer.concat([data, data]), { mode: 0o600, flag: 'wx' })
      renameSync(part, keptAs(file))
    }
  } catch {
    // A full or read-only disk: the next start compiles again.
  }
}

module.exports = { loader, settingsFolder }
