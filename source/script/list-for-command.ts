import type { PrintList } from '../sharing/shared-watch-options.ts';

/**
 * Prints the list for a command of another process. Most monitors are never asked, so the code is loaded when the
 * first question arrives.
 */
export const printListLater: PrintList = async (question, source) => {
	const { printedListFrom } = await import('./printed-list.ts');
	return printedListFrom(question, source);
};
