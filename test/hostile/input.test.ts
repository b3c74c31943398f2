import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Monitor, openMonitor } from '../driver/monitor.ts';
import { fieldTextIn } from '../invariants/screen-walk/frame.ts';
import { runs } from '../runs.ts';
import { openInput } from '../terminal/open-input.ts';
import {
	byteCuts,
	feedPieces,
	paste,
	unfinishedSequence,
	unknownSequence,
} from './terminal-bytes.ts';

describe('unexpected input', () => {
	const runs = 12;

	/** Waits for four turns of the event loop, in which Ink reads its input and draws a frame. */
	async function waitUntilDrawn() {
		for (let turn = 0; turn < 4; turn += 1) await new Promise(setImmediate);
	}

	async function sendInPieces(
		monitor: Monitor,
		bytes: string,
		cuts: Parameters<typeof feedPieces>[1],
	) {
		const receive = Object.assign((text: string) => void monitor.device.send(text), {
			isEscapePending: monitor.isBusy,
		});
		await feedPieces(bytes, cuts, receive, async pause => {
			monitor.clock.move(pause);
			await waitUntilDrawn();
		});
		monitor.clock.move(30);
		await monitor.idle();
	}

	/** Returns everything that only a key can change. */
	const stateOf = (monitor: Monitor) => ({
		question: monitor.session.operations.state().question,
		cursor: monitor
			.lines()
			.find(line => line.includes('❯'))
			?.slice(0, 18),
		marked: monitor.lines().filter(line => line.includes('▪')).length,
		isHelpOpen: monitor.text().includes('reverse the order'),
		hasEnded: monitor.effects.endings.length > 0,
		copied: monitor.effects.copied.length,
		deeds: monitor.operationRequests(),
	});

	const contexts: readonly (readonly [where: string, open: (monitor: Monitor) => Promise<void>])[] =
		[
			['the table', async () => {}],
			[
				'an open question',
				async monitor => {
					await monitor.press('x');
					await monitor.see('Stop atlas?');
					await monitor.answer();
				},
			],
			[
				'a question that wants a name typed',
				async monitor => {
					await monitor.press('D');
					await monitor.see('Type atlas to delete it:');
					await monitor.answer();
				},
			],
		];

	test.each(contexts)(
		'an unknown escape sequence does nothing in %s',
		async (_, open) => {
			const monitor = await openMonitor();
			await monitor.see('gemini');
			await open(monitor);
			const before = stateOf(monitor);
			await fc.assert(
				fc.asyncProperty(
					fc.array(unknownSequence, { minLength: 1, maxLength: 4 }),
					byteCuts,
					async (sequences, cuts) => {
						await sendInPieces(monitor, sequences.join(''), cuts);
						expect(stateOf(monitor)).toEqual(before);
					},
				),
				{ numRuns: runs },
			);
			await monitor.press('?');
		},
		60_000,
	);

	test.each(contexts)(
		'a paste triggers no key in %s',
		async (where, open) => {
			const monitor = await openMonitor();
			await monitor.see('gemini');
			await open(monitor);
			const { question, ...before } = stateOf(monitor);
			const typedBefore = fieldTextIn(monitor.text());
			await fc.assert(
				fc.asyncProperty(paste, byteCuts, async ({ bytes }, cuts) => {
					await sendInPieces(monitor, bytes, cuts);
					const { question: now, ...after } = stateOf(monitor);
					expect(after).toEqual(before);
					expect(now?.id).toBe(question?.id);
					expect(fieldTextIn(monitor.text())).toBe(typedBefore);
				}),
				{ numRuns: runs },
			);
			if (where.endsWith('typed')) await monitor.see('Pasting does not confirm. Type atlas.');
		},
		60_000,
	);

	test('a paste into a text field is inserted whole even if it arrives in pieces, and never submits the field', async () => {
		const monitor = await openMonitor();
		await monitor.see('gemini');
		await monitor.press('p');
		await monitor.see('Port, 1 to 65535:');
		await monitor.answer();
		await fc.assert(
			fc.asyncProperty(fc.integer({ min: 1, max: 65535 }), byteCuts, async (port, cuts) => {
				await monitor.press('ctrl-u');
				await waitUntilDrawn();
				await sendInPieces(monitor, `\x1b[200~${port}\r\ny\x1b[201~`, cuts);
				expect(fieldTextIn(monitor.text())).toBe(`Port, 1 to 65535: ${port}`);
			}),
			{ numRuns: runs },
		);
		expect(monitor.operationRequests()).toEqual([]);
	}, 60_000);

	test('a key after unknown sequences and pastes works as usual', async () => {
		const monitor = await openMonitor();
		await monitor.see('gemini');
		await sendInPieces(monitor, '\x1b[M@x*\x1b[200~D\ratlas\x1b[201~\x1b_Gy\x1b\\', []);
		expect(stateOf(monitor).question).toBeUndefined();
		await sendInPieces(monitor, 'x', []);
		await monitor.see('Stop atlas?');
	});

	test('mouse reports that an earlier program left on do not stop a computer', async () => {
		const monitor = await openMonitor();
		await monitor.see('gemini');
		await sendInPieces(monitor, '\x1b[M@x*', []);
		monitor.clock.move(400);
		await sendInPieces(monitor, '\x1b[M@y*', []);
		expect(monitor.session.operations.state().question).toBeUndefined();
		await monitor.press('x');
		await monitor.see('Stop atlas?');
		monitor.clock.move(400);
		await sendInPieces(monitor, '\x1b[M@y*', []);
		await monitor.see('Stop atlas?');
		expect(monitor.operationRequests()).toEqual([]);
	});
});

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
