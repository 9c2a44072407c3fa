// Imported first, for its effect: says in one sentence what a too old Node would say in twenty lines.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `Meridian needs Node 20.19 or newer to start; this is ${process.versions.node}.\n`,
  );
  process.exit(1);
}
