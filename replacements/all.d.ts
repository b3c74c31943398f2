import type { Replacement } from './plugins.js';

export const replacements: readonly Replacement[];
