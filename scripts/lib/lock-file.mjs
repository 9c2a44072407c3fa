const SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
const PROCESSORS = [
  'arm64',
  'arm',
  'ia32',
  'loong64',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
];

/** Entries for optional packages that a package in the lock file names and the lock file lacks. */
export function missingFromLock({ packages }) {
  const missing = new Map();
  for (const [path, entry] of Object.entries(packages)) {
    for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
      const version = range.replace(/^[~^]/, '');
      if (isLocked(packages, path, name, version)) continue;
      missing.set(`node_modules/${name}`, describe(name, version, entry));
    }
  }
  return [...missing];
}

/** Only a stand-in has no hash. */
export function withoutStandIns(packages) {
  return Object.fromEntries(
    Object.entries(packages).filter(
      ([, { optional, integrity, link }]) => !optional || link || integrity !== undefined,
    ),
  );
}

/** npm looks for a package beside the one that asks, and then in every folder above it. */
function isLocked(packages, path, name, version) {
  for (let folder = path; ; folder = parentOf(folder)) {
    const found =
      packages[folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`];
    // A stand-in may be one for an earlier version.
    if (found !== undefined) return found.integrity !== undefined || found.version === version;
    if (folder === '') return false;
  }
}

function parentOf(folder) {
  return folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')));
}

// The package's own description is out of reach; its name says for which system it is.
function describe(name, version, { dev }) {
  const words = name.split(/[-/]/);
  const cpu = PROCESSORS.filter((one) => words.some((word) => word.startsWith(one))).slice(0, 1);
  const os = SYSTEMS.filter((one) => words.includes(one));
  return {
    version,
    ...(cpu.length > 0 ? { cpu } : {}),
    ...(dev ? { dev } : {}),
    ...(words.includes('musl') || words.includes('musleabihf') ? { libc: ['musl'] } : {}),
    optional: true,
    ...(os.length > 0 ? { os } : name === 'fsevents' ? { os: ['darwin'] } : {}),
  };
}
