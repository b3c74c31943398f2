import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createInput } from '../../source/terminal/input/input.ts';
import { sequenceForInk } from '../../source/terminal/input/key-sequences.ts';
import { createHeldClock } from '../held-clock.ts';
import { runs } from './runs.ts';
import {
	byteCuts,
	feedPieces,
	paste,
	unfinishedSequence,
	unknownSequence,
} from './terminal-bytes.ts';

function openInput() {
	const clock = createHeldClock();
	const receivedKeys: string[] = [];
	const receive = createInput({
		clock,
		hasPasteMarks: true,
		onReport() {},
		onKey: text => receivedKeys.push(text),
	});
	return { clock, receivedKeys, receive };
}

const keys = ['j', '\x1b[A', '\x1bOP', '\x1b[1;5C', '\x1b[5~', '\r', '\x1bx', '\x1b[106;5u', 'é'];

test('an unknown escape sequence is dropped whole, and the keys around it are delivered', async () => {
	const part = fc.oneof(
		{ weight: 3, arbitrary: unknownSequence.map(bytes => ({ bytes, keys: [] as string[] })) },
		{
			weight: 1,
			arbitrary: fc.constantFrom(...keys).map(key => ({ bytes: key, keys: [sequenceForInk(key)] })),
		},
	);
	await fc.assert(
		fc.asyncProperty(fc.array(part, { maxLength: 8 }), byteCuts, async (parts, cuts) => {
			const { clock, receivedKeys, receive } = openInput();
			await feedPieces(parts.map(({ bytes }) => bytes).join(''), cuts, receive, clock.move);
			clock.move(100);
			expect(receivedKeys).toEqual(parts.flatMap(({ keys }) => keys));
		}),
		runs(600),
	);
}, 60_000);

test('an unfinished escape sequence delivers no key', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(unknownSequence, { maxLength: 3 }),
			unfinishedSequence,
			byteCuts,
			async (sequences, last, cuts) => {
				const { clock, receivedKeys, receive } = openInput();
				await feedPieces(sequences.join('') + last, cuts, receive, clock.move);
				clock.move(10_000);
				expect(receivedKeys).toEqual([]);
			},
		),
		runs(300),
	);
}, 60_000);

test('a paste is delivered in one piece, however it is split and delayed', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(paste, { maxLength: 3 }), byteCuts, async (pastes, cuts) => {
			const { clock, receivedKeys, receive } = openInput();
			await feedPieces(pastes.map(({ bytes }) => bytes).join(''), cuts, receive, clock.move);
			expect(receivedKeys).toEqual(pastes.map(({ content }) => `\x1b[200~${content}\x1b[201~`));
		}),
		runs(400),
	);
}, 60_000);

test('an escape character before an unknown escape sequence delivers at most an Esc', async () => {
	await fc.assert(
		fc.asyncProperty(unknownSequence, byteCuts, async (sequence, cuts) => {
			const { clock, receivedKeys, receive } = openInput();
			await feedPieces(`\x1b${sequence}`, cuts, receive, clock.move);
			clock.move(100);
			expect(receivedKeys.filter(text => text !== sequenceForInk('\x1b'))).toEqual([]);
		}),
		runs(300),
	);
}, 60_000);
