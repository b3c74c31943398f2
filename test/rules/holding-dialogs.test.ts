import { expect, test } from 'vitest';
import { holdReasonOf, type OpenDialog } from '../../source/views/dialogs/dialog-table.ts';
import { dialogEntryFor } from '../../source/views/look/dialogs.ts';

/** One value of each kind. The type makes sure that no kind is missing. */
const kinds: Readonly<Record<OpenDialog['kind'], true>> = {
	confirmation: true,
	question: true,
	palette: true,
	columns: true,
	order: true,
	filter: true,
	signIn: true,
	password: true,
	welcome: true,
	helpFilter: true,
	help: true,
};

const dialogOf = (kind: string, parts: object = { confirmation: { about: 'unlock' } }) =>
	({ kind, ...parts, entry: dialogEntryFor(undefined, kind) }) as unknown as OpenDialog;

test.each(Object.keys(kinds))('an open dialog, menu or text field holds countdowns (%s)', kind => {
	expect(holdReasonOf(dialogOf(kind))).toBe('dialog');
});

test('the quit dialog holds the queue as well, and nothing is held while nothing is open', () => {
	expect(holdReasonOf(dialogOf('confirmation', { confirmation: { about: 'leave' } }))).toBe('quit');
	expect(holdReasonOf(undefined)).toBeUndefined();
});
