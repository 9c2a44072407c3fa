import { type Plugin, runnerImport } from 'vite';

const SUFFIX = '?built';

/** `import { X } from './x.ts?built'`: the module runs at build time, its exports arrive as data. */
export function builtValues(): Plugin {
  return {
    name: 'built-values',
    enforce: 'pre',
    async load(id) {
      if (!id.endsWith(SUFFIX)) return null;
      const file = id.slice(0, -SUFFIX.length);
      const { module, dependencies } = await runnerImport<Record<string, unknown>>(file, {
        configFile: false,
        logLevel: 'error',
      });
      for (const dependency of [file, ...dependencies]) this.addWatchFile(dependency);
      return Object.entries(module)
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
        .join('\n');
    },
  };
}
