declare module '*/reads.ts?built' {
  // An import statement would make this file a module, and the declaration no longer global.
  // oxlint-disable-next-line typescript/consistent-type-imports
  export const READS: typeof import('./reads.ts').READS;
}
