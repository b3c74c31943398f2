import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../runs.ts';
import { openInput } from '../terminal/open-input.ts';
import {
	byteCuts,
	feedPieces,
	paste,
	unfinishedSequence,
	unknownSequence,
} from './terminal-bytes.ts';

const keys = [
	['j', 'j'],
	['\x1b[A', 'up'],
	['\x1bOP', 'f1'],
	['\x1b[1;5C', 'ctrl-right'],
	['\x1b[5~', 'pageup'],
	['\r', 'enter'],
	['\x1bx', 'alt-x'],
	['\x1b[106;5u', 'ctrl-j'],
	['é', 'é'],
] as const;

test('an unknown escape sequence is dropped whole, and the keys around it are delivered', async () => {
	const part = fc.oneof(
		{ weight: 3, arbitrary: unknownSequence.map(bytes => ({ bytes, keys: [] as string[] })) },
		{
			weight: 1,
			arbitrary: fc
				.constantFrom(...keys)
				.map(([bytes, name]) => ({ bytes, keys: [name as string] })),
		},
	);
	await fc.assert(
		fc.asyncProperty(fc.array(part, { maxLength: 8 }), byteCuts, async (parts, cuts) => {
			const { clock, passed, receive } = openInput();
			await feedPieces(parts.map(({ bytes }) => bytes).join(''), cuts, receive, clock.move);
			clock.move(100);
			expect(passed).toEqual(parts.flatMap(({ keys }) => keys));
		}),
		runs(200),
	);
});

test('an unfinished escape sequence delivers no key', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(unknownSequence, { maxLength: 3 }),
			unfinishedSequence,
			byteCuts,
			async (sequences, last, cuts) => {
				const { clock, passed, receive } = openInput();
				await feedPieces(sequences.join('') + last, cuts, receive, clock.move);
				clock.move(10_000);
				expect(passed).toEqual([]);
			},
		),
		runs(100),
	);
});

test('a paste is delivered in one piece, however it is split and delayed', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(paste, { maxLength: 3 }), byteCuts, async (pastes, cuts) => {
			const { clock, passed, receive } = openInput();
			await feedPieces(pastes.map(({ bytes }) => bytes).join(''), cuts, receive, clock.move);
			expect(passed).toEqual(pastes.map(({ content }) => `paste ${content}`));
		}),
		runs(150),
	);
});

test('an escape character before an unknown escape sequence delivers at most an Esc', async () => {
	await fc.assert(
		fc.asyncProperty(unknownSequence, byteCuts, async (sequence, cuts) => {
			const { clock, passed, receive } = openInput();
			await feedPieces(`\x1b${sequence}`, cuts, receive, clock.move);
			clock.move(100);
			expect(passed.filter(key => key !== 'escape')).toEqual([]);
		}),
		runs(100),
	);
});
