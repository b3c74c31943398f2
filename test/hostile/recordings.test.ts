import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Fact } from '../../source/fleet/fact.ts';
import {
	entryFrom,
	factFrom,
	type PreviousLists,
	recordedFactFrom,
	recordingFrom,
} from '../../source/journal/recording.ts';
import { createTimeline } from '../../source/journal/timeline.ts';
import { cleanText } from '../../source/platform/decoding/clean.ts';
import { reading } from '../arbitraries/facts.ts';
import { replacePart } from '../arbitraries/replace-part.ts';
import { everyFact, start } from '../arbitraries/sample-facts.ts';
import { recordingOf, writeRecording } from '../journal/recorded.ts';
import { runs } from '../runs.ts';

const lists = fc.array(
	fc.record({
		account: fc.constantFrom('one', 'other'),
		computers: fc.uniqueArray(reading, { selector: ({ id }) => id, maxLength: 4 }),
	}),
	{ maxLength: 12 },
);

test('the list of computers is restored from the recorded changes', () => {
	fc.assert(
		fc.property(lists, all => {
			const facts = all.map((each, turn): Fact => ({ ...each, at: turn, type: 'listRead' }));
			let [packed, unpacked]: PreviousLists[] = [new Map(), new Map()];
			for (const fact of facts) {
				const written = recordedFactFrom(packed ?? new Map(), fact);
				const restored = factFrom(
					unpacked ?? new Map(),
					JSON.parse(JSON.stringify(written.recordedFact)),
				);
				[packed, unpacked] = [written.lists, restored.lists];
				expect(restored.fact).toEqual(JSON.parse(JSON.stringify(fact)));
			}
		}),
		runs(60),
	);
});

test('a damaged recording is refused, or its readable facts can be folded', async () => {
	const { text } = await writeRecording(everyFact);
	const lines = text.trimEnd().split('\n');
	const values = fc.oneof(fc.jsonValue(), fc.constantFrom(-1, 1e308, '\u001b[2J', [], {}, null));
	fc.assert(
		fc.property(
			fc.array(fc.tuple(fc.nat(lines.length - 1), fc.nat(200), values), { maxLength: 4 }),
			changes => {
				const damaged = [...lines];
				for (const [line, place, value] of changes) {
					const parsed: unknown = JSON.parse(damaged[line] ?? 'null');
					damaged[line] = JSON.stringify(replacePart(parsed, place, value));
				}
				const recording = recordingFrom(damaged.join('\n'), cleanText);
				if (typeof recording === 'string') return;
				const timeline = createTimeline(recording);
				const { accounts } = timeline.stateAfter(timeline.factCount);
				expect(JSON.stringify([...accounts], stringsOnly)).not.toMatch(/\\u001b/);
			},
		),
		runs(100),
	);
});

const stringsOnly = (_: string, value: unknown) =>
	value instanceof Map || value instanceof Set ? [...value] : value;

test('any text as a line of a recording is read or refused without an exception', () => {
	fc.assert(
		fc.property(fc.json(), line => void entryFrom(line, cleanText)),
		runs(100),
	);
	fc.assert(
		fc.property(fc.string(), line => void entryFrom(line, cleanText)),
		runs(100),
	);
});

test('the times in a recording never decrease', async () => {
	const shuffled = [...everyFact].reverse();
	const { text } = await writeRecording(shuffled);
	const { times } = recordingOf(text);
	expect(times).toEqual([...times].sort((first, second) => first - second));
	expect(times[0]).toBeGreaterThanOrEqual(start);
});
