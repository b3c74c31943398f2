import { expect, test } from 'vitest';
import { hintsLine } from '../../../source/wording/frame/hints-line.ts';
import { theme } from '../../sample-theme.ts';

const open = { group: 'look', dropOrder: 1, key: 'enter', text: 'open' } as const;
const stop = { group: 'do', dropOrder: 2, key: 'x', text: 'stop' } as const;
const nothing: readonly [] = [];

test('a cursor that moves between rows with different hints finds both lines again', () => {
	const both = hintsLine([open, stop], nothing, 80, theme);
	const one = hintsLine([open], nothing, 80, theme);
	expect(one.text).not.toBe(both.text);
	expect(hintsLine([open, stop], nothing, 80, theme)).toBe(both);
	expect(hintsLine([open], nothing, 80, theme)).toBe(one);
});

test('the line of hints is composed again only when a hint, the room or the theme changes', () => {
	const line = hintsLine([open, stop], nothing, 80, theme);
	expect(hintsLine([{ ...open }, { ...stop }], nothing, 80, theme)).toBe(line);
	const changes = [
		hintsLine([open], nothing, 80, theme),
		hintsLine([open, { ...stop, text: 'cancel' }], nothing, 80, theme),
		hintsLine([open, { ...stop, key: 'X' }], nothing, 80, theme),
		hintsLine([open, { ...stop, group: 'look' }], nothing, 80, theme),
		hintsLine([open, stop], [['3 marked ']], 80, theme),
		hintsLine([open, stop], nothing, 16, theme),
	];
	expect(new Set([line, ...changes].map(({ text }) => text)).size).toBe(1 + changes.length);
	// The hint with the higher number is dropped first where there is not enough room.
	expect(hintsLine([open, stop], nothing, 16, theme).zones).toHaveLength(2);
	expect(hintsLine([open, { ...stop, dropOrder: 0 }], nothing, 16, theme).zones[0]?.click).toEqual({
		type: 'key',
		key: 'x',
	});
});
