/**
 * The commands that shell prompts and scripts wait for. The built file contains two programs, and the launcher starts the
 * quick one, which has only these commands, if a command line begins with one of them.
 */
export const quickNames = ['status', 'list', 'show', 'credits', 'log'] as const;

export type QuickName = (typeof quickNames)[number];
