const SHA512 = /^sha512-[A-Za-z0-9+/]{86}==$/;

/** What makes a lock file unfit for `npm ci` on every system, one line each. */
export function lockProblems({ packages }) {
  const entries = Object.entries(packages).filter(([path]) => path.includes('node_modules/'));
  return [
    ...missingPackages(packages).map((path) => `${path} is missing`),
    ...entries
      .filter(([path, entry]) => !entry.link && !hasHash(packages, path))
      .map(([path]) => `${path} has no sha512 hash`),
    // A host in the lock file would tie every install to one registry.
    ...entries
      .filter(([, { resolved }]) => resolved !== undefined && URL.canParse(resolved))
      .map(([path]) => `${path} names the host it came from`),
    ...entries
      .flatMap(([path]) => otherProcessor(path))
      .filter((path) => packages[path] === undefined)
      .map((path) => `${path} is missing`),
  ];
}

/** npm leaves an optional package out when the registry does not have it; `npm ci` then fails. */
function missingPackages(packages) {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !isLocked(packages, path, name))
      .map((name) => `node_modules/${name}`),
  );
}

/** npm looks for a package beside the one that asks, and then in every folder above it. */
function isLocked(packages, path, name) {
  for (let folder = path; ; folder = parentOf(folder)) {
    const candidate = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (packages[candidate] !== undefined) return true;
    if (folder === '') return false;
  }
}

/** A bundled package is part of another one's archive, whose hash covers it. */
function hasHash(packages, path) {
  const { integrity, inBundle } = packages[path] ?? {};
  return inBundle ? hasHash(packages, parentOf(path)) : SHA512.test(integrity ?? '');
}

function otherProcessor(path) {
  if (/linux-x64(?!.*musl)/.test(path)) return [path.replace('linux-x64', 'linux-arm64')];
  if (/linux-arm64(?!.*musl)/.test(path)) return [path.replace('linux-arm64', 'linux-x64')];
  return [];
}

function parentOf(folder) {
  return folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')));
}
