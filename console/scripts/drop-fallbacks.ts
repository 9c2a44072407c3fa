import type { Plugin } from 'vite';

/** Initial values of custom properties, for browsers without `@property`. */
const REGISTERED = /@layer properties\s*\{\s*@supports [^{]*\{[^{}]*\{[^{}]*\}\s*\}\s*\}/gu;
/** The same color without transparency stands before it, for browsers without `color-mix()`. */
const MIXED =
  /@supports \(color:\s*color-mix\(in lab, red, red\)\)\s*\{((?:[^{}]*\{[^{}]*\})+)\s*\}/gu;

/**
 * Leaves out what Tailwind writes for browsers older than `build.target`: it has no option for that, and the
 * people's page has a limit of 90 kB. Stands after its plugin.
 */
export function dropFallbacks(): Plugin {
  return {
    name: 'drop-fallbacks',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\.css$/u },
      handler: (code) => code.replaceAll(REGISTERED, '').replaceAll(MIXED, '$1'),
    },
  };
}
