import { expect, test } from 'vitest';
import { refusalMessage } from '../../../source/screen/notice.ts';
import { refusalOnAll, skippedLines } from '../../../source/wording/phrases/outcome-text.ts';

const refusedText = (...refused: Parameters<typeof refusalOnAll>) =>
	refusalMessage(refusalOnAll(...refused)).text;

const newest = 'already on 1.4.2, the latest';
const skipped = (reason: string, ...names: readonly string[]) =>
	names.map(name => ({ id: `sb_${name}`, name, reason }));

test('skipped computers are counted by reason, and each reason is named once', () => {
	const all = [
		...skipped(newest, 'atlas', 'borealis'),
		...skipped('in error', 'draco'),
		...skipped(newest, 'cygnus'),
	];
	expect(refusedText({ operation: 'update' }, all)).toBe(
		`Cannot update atlas and 2 more: ${newest}; draco: in error`,
	);
	expect(skippedLines(all)).toEqual([
		`Skipped 3 (${newest}): atlas, borealis, cygnus`,
		'Skipped draco: in error',
	]);
});

test('a refusal names the operation and its port', () => {
	const refused = { operation: 'delete' };
	expect(refusedText(refused, skipped('its stop is already queued', 'altair-10'))).toBe(
		'Cannot delete altair-10: its stop is already queued',
	);
	const inError = skipped('in error', 'draco');
	expect(refusedText({ operation: 'publish' }, inError)).toBe(
		'Cannot publish a port of draco: in error',
	);
	expect(refusedText({ operation: 'publish', port: 80 }, inError)).toBe(
		'Cannot publish port 80 of draco: in error',
	);
});

test('skipped computers take at most four lines, and the other computers are only counted', () => {
	const all = ['one', 'two', 'three', 'four', 'five'].flatMap(reason =>
		skipped(reason, `${reason}-a`, `${reason}-b`),
	);
	const lines = skippedLines(all);
	expect(lines).toHaveLength(4);
	expect(lines.at(-1)).toBe('… and 4 more for other reasons');
	expect(skippedLines([])).toEqual([]);
});
