interface ImportMetaEnv {
  /** Another origin for all calls; the console's own when unset. */
  readonly VITE_API_BASE_URL?: string;
}
