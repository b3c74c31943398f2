import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Monitor, openMonitor } from '../driver/monitor.ts';
import { fieldTextIn } from '../invariants/screen-walk/frame.ts';
import { runs } from '../runs.ts';
import { openInput } from '../terminal/open-input.ts';
import {
	byteCuts,
	type Cuts,
	feedPieces,
	paste,
	unfinishedSequence,
	unknownSequence,
} from './terminal-bytes.ts';

const casesOnScreen = { numRuns: 12 };

/** Waits for four turns of the event loop, in which Ink reads its input and draws a frame. */
async function waitUntilDrawn() {
	for (let turn = 0; turn < 4; turn += 1) await new Promise(setImmediate);
}

/** Opens the monitor with a function that sends bytes in pieces. */
async function openFed() {
	const monitor = await openMonitor();
	await monitor.see('gemini');
	const receive = Object.assign((text: string) => void monitor.device.send(text), {
		isEscapePending: monitor.isBusy,
	});
	async function feed(bytes: string, cuts: Cuts = []) {
		await feedPieces(bytes, cuts, receive, async pause => {
			monitor.clock.move(pause);
			await waitUntilDrawn();
		});
		monitor.clock.move(30);
		await monitor.idle();
	}
	return { ...monitor, feed };
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

test.each([
	['the table', [], 'NAME', 'gemini'],
	['an open question', ['x'], 'Stop atlas?', 'Stop atlas?'],
	[
		'a question that wants a name typed',
		['D'],
		'Type atlas to delete it:',
		'Pasting does not confirm. Type atlas.',
	],
])(
	'in %s, neither an unknown escape sequence nor a paste does what a key does',
	async (_, keys, opened, afterPastes) => {
		const monitor = await openFed();
		await monitor.press(...keys);
		await monitor.see(opened);
		await monitor.answer();
		const { question: asked, ...before } = stateOf(monitor);
		const typedBefore = fieldTextIn(monitor.text());
		const sequences = fc.array(unknownSequence, { minLength: 1, maxLength: 4 });
		await fc.assert(
			fc.asyncProperty(sequences, byteCuts, async (sequences, cuts) => {
				await monitor.feed(sequences.join(''), cuts);
				expect(stateOf(monitor)).toEqual({ question: asked, ...before });
			}),
			casesOnScreen,
		);
		await fc.assert(
			fc.asyncProperty(paste, byteCuts, async ({ bytes }, cuts) => {
				await monitor.feed(bytes, cuts);
				const { question, ...after } = stateOf(monitor);
				expect(after).toEqual(before);
				expect(question?.id).toBe(asked?.id);
				expect(fieldTextIn(monitor.text())).toBe(typedBefore);
			}),
			casesOnScreen,
		);
		await monitor.see(afterPastes);
	},
	60_000,
);

test('a paste into a text field is inserted whole even if it arrives in pieces, and never submits the field', async () => {
	const monitor = await openFed();
	await monitor.press('p');
	await monitor.see('Port, 1 to 65535:');
	await monitor.answer();
	await fc.assert(
		fc.asyncProperty(fc.integer({ min: 1, max: 65535 }), byteCuts, async (port, cuts) => {
			await monitor.press('ctrl-u');
			await waitUntilDrawn();
			await monitor.feed(`\x1b[200~${port}\r\ny\x1b[201~`, cuts);
			expect(fieldTextIn(monitor.text())).toBe(`Port, 1 to 65535: ${port}`);
		}),
		casesOnScreen,
	);
	expect(monitor.operationRequests()).toEqual([]);
}, 60_000);

test('mouse reports that an earlier program left on and a paste stop no computer, and the next key works as usual', async () => {
	const monitor = await openFed();
	await monitor.feed('\x1b[M@x*\x1b[200~D\ratlas\x1b[201~\x1b_Gy\x1b\\');
	monitor.clock.move(400);
	await monitor.feed('\x1b[M@y*');
	expect(stateOf(monitor).question).toBeUndefined();
	await monitor.feed('x');
	await monitor.see('Stop atlas?');
	monitor.clock.move(400);
	await monitor.feed('\x1b[M@y*');
	await monitor.see('Stop atlas?');
	expect(monitor.operationRequests()).toEqual([]);
});

/** Returns what the program gets from bytes that arrive in pieces, and after the last a pause. */
async function passedFrom(bytes: string, cuts: Cuts, pause = 0) {
	const { clock, passed, receive } = openInput();
	await feedPieces(bytes, cuts, receive, clock.move);
	clock.move(pause);
	return passed;
}

const keys: readonly (readonly [bytes: string, name: string])[] = [
	['j', 'j'],
	['\x1b[A', 'up'],
	['\x1bOP', 'f1'],
	['\x1b[1;5C', 'ctrl-right'],
	['\x1b[5~', 'pageup'],
	['\r', 'enter'],
	['\x1bx', 'alt-x'],
	['\x1b[106;5u', 'ctrl-j'],
	['é', 'é'],
];

test('an unknown escape sequence is dropped whole, and the keys around it are delivered', async () => {
	const unknown = unknownSequence.map(bytes => ({ bytes, keys: [] as string[] }));
	const known = fc.constantFrom(...keys).map(([bytes, name]) => ({ bytes, keys: [name] }));
	const part = fc.oneof({ weight: 3, arbitrary: unknown }, { weight: 1, arbitrary: known });
	await fc.assert(
		fc.asyncProperty(fc.array(part, { maxLength: 8 }), byteCuts, async (parts, cuts) => {
			const bytes = parts.map(part => part.bytes).join('');
			expect(await passedFrom(bytes, cuts, 100)).toEqual(parts.flatMap(({ keys }) => keys));
		}),
		runs(200),
	);
});

test('an unfinished escape sequence delivers no key', async () => {
	const sequences = fc.array(unknownSequence, { maxLength: 3 });
	await fc.assert(
		fc.asyncProperty(sequences, unfinishedSequence, byteCuts, async (sequences, last, cuts) => {
			expect(await passedFrom(sequences.join('') + last, cuts, 10_000)).toEqual([]);
		}),
		runs(100),
	);
});

test('a paste is delivered in one piece, however it is split and delayed', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(paste, { maxLength: 3 }), byteCuts, async (pastes, cuts) => {
			const bytes = pastes.map(paste => paste.bytes).join('');
			const contents = pastes.map(({ content }) => `paste ${content}`);
			expect(await passedFrom(bytes, cuts)).toEqual(contents);
		}),
		runs(150),
	);
});

test('an escape character before an unknown escape sequence delivers at most an Esc', async () => {
	await fc.assert(
		fc.asyncProperty(unknownSequence, byteCuts, async (sequence, cuts) => {
			const passed = await passedFrom(`\x1b${sequence}`, cuts, 100);
			expect(passed.filter(key => key !== 'escape')).toEqual([]);
		}),
		runs(100),
	);
});
