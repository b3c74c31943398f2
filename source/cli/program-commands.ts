/**
 * The built file contains the whole program, and two small ones that start sooner. This table has the commands of
 * each small program. The launcher tries the programs in the order of the table.
 *
 * The quick program is for shell prompts, and for a list that a running monitor prints. The reading program is for scripts.
 */
export const commandsOfPrograms = {
	quick: ['status', 'list'],
	reading: ['list', 'show', 'credits', 'log'],
} as const;

export type QuickName = (typeof commandsOfPrograms.quick)[number];
export type ReadingName = (typeof commandsOfPrograms.reading)[number];
