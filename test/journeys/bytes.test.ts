import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Monitor, openMonitor } from '../driver/monitor.ts';
import { feed, paste, pieces, unknownSequence } from '../properties/terminal-bytes.ts';
import { answer, deedsOf } from './person.ts';

const runs = 12;

/** Ink reads its stream and draws within these turns. */
async function settled() {
	for (let turn = 0; turn < 4; turn += 1) await new Promise(setImmediate);
}

async function send(stage: Monitor, bytes: string, cuts: Parameters<typeof feed>[1]) {
	const receive = Object.assign((text: string) => void stage.device.send(text), {
		isWaiting: stage.isWaiting,
	});
	await feed(bytes, cuts, receive, async pause => {
		stage.clock.move(pause);
		await settled();
	});
	stage.clock.move(30);
	await stage.idle();
}

/** What keys would change: everything that does not change by itself. */
const standing = (stage: Monitor) => ({
	question: stage.lookout.operations.picture().question,
	cursor: stage
		.lines()
		.find(line => line.includes('❯'))
		?.slice(0, 18),
	marked: stage.lines().filter(line => line.includes('▪')).length,
	isHelpOpen: stage.text().includes('turn the order round'),
	hasEnded: stage.said.endings.length > 0,
	copied: stage.said.copied.length,
	deeds: deedsOf(stage),
});

const places: readonly (readonly [where: string, open: (stage: Monitor) => Promise<void>])[] = [
	['in the table', async () => {}],
	[
		'before a question',
		async stage => {
			await stage.press('x');
			await stage.see('Stop atlas?');
			await answer(stage);
		},
	],
	[
		'before a question that is typed',
		async stage => {
			await stage.press('D');
			await stage.see('Type its name to delete it:');
			await answer(stage);
		},
	],
];

test.each(places)(
	'%s a sequence that is not known does nothing',
	async (_, open) => {
		const stage = await openMonitor();
		await stage.see('gemini');
		await open(stage);
		const before = standing(stage);
		await fc.assert(
			fc.asyncProperty(
				fc.array(unknownSequence, { minLength: 1, maxLength: 4 }),
				pieces,
				async (sequences, cuts) => {
					await send(stage, sequences.join(''), cuts);
					expect(standing(stage)).toEqual(before);
				},
			),
			{ numRuns: runs },
		);
		await stage.press('?');
	},
	60_000,
);

test.each(places)(
	'%s a paste acts on nothing',
	async (where, open) => {
		const stage = await openMonitor();
		await stage.see('gemini');
		await open(stage);
		const { question, ...before } = standing(stage);
		await fc.assert(
			fc.asyncProperty(paste, pieces, async ({ bytes }, cuts) => {
				await send(stage, bytes, cuts);
				const { question: now, ...after } = standing(stage);
				expect(after).toEqual(before);
				expect({ id: now?.id, typed: now?.typed }).toEqual({
					id: question?.id,
					typed: question?.typed,
				});
			}),
			{ numRuns: runs },
		);
		if (where.endsWith('typed')) await stage.see('Type atlas by hand: pasting does not confirm.');
	},
	60_000,
);

test('in a field a paste is inserted in whatever pieces it comes, and never submits', async () => {
	const stage = await openMonitor();
	await stage.see('gemini');
	await stage.press('p');
	await stage.see('Port, 1 to 65535:');
	await answer(stage);
	const typed = () => stage.lookout.operations.picture().question?.typed ?? '';
	await fc.assert(
		fc.asyncProperty(fc.integer({ min: 1, max: 65535 }), pieces, async (port, cuts) => {
			await stage.press('ctrl-u');
			await settled();
			await send(stage, `\x1b[200~${port}\r\ny\x1b[201~`, cuts);
			expect(typed()).toBe(String(port));
		}),
		{ numRuns: runs },
	);
	expect(deedsOf(stage)).toEqual([]);
}, 60_000);

test('a key that comes after all of it is a key', async () => {
	const stage = await openMonitor();
	await stage.see('gemini');
	await send(stage, '\x1b[M@x*\x1b[200~D\ratlas\x1b[201~\x1b_Gy\x1b\\', []);
	expect(standing(stage).question).toBeUndefined();
	await send(stage, 'x', []);
	await stage.see('Stop atlas?');
});

test('a mouse that another program left on does not stop a computer', async () => {
	const stage = await openMonitor();
	await stage.see('gemini');
	await send(stage, '\x1b[M@x*', []);
	stage.clock.move(400);
	await send(stage, '\x1b[M@y*', []);
	expect(stage.lookout.operations.picture().question).toBeUndefined();
	await stage.press('x');
	await stage.see('Stop atlas?');
	stage.clock.move(400);
	await send(stage, '\x1b[M@y*', []);
	await stage.see('Stop atlas?');
	expect(deedsOf(stage)).toEqual([]);
});
