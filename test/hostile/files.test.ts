import fc from 'fast-check';
import { stringify } from 'smol-toml';
import { expect, test } from 'vitest';
import { settingsFrom } from '../../source/accounts/account-settings.ts';
import { configExample, configFrom } from '../../source/accounts/config-text.ts';
import type { Fact } from '../../source/fleet/fact.ts';
import {
	entryFrom,
	factFrom,
	type PreviousLists,
	recordedFactFrom,
	recordingFrom,
} from '../../source/journal/recording.ts';
import { createTimeline } from '../../source/journal/timeline.ts';
import { anyCharacter } from '../arbitraries/characters.ts';
import { reading } from '../arbitraries/facts.ts';
import { replacePart } from '../arbitraries/replace-part.ts';
import { everyFact, start } from '../arbitraries/sample-facts.ts';
import { recordingOf, writeRecording } from '../journal/recorded.ts';
import { runs } from '../runs.ts';

const example = configExample().replace(/^#(?=[[\w])/gm, '');
const lines = example.split('\n');

const damage: fc.Arbitrary<(line: string) => string[]> = fc.oneof(
	fc.constant((line: string) => [line, line]),
	fc.constant(() => []),
	fc.string({ unit: anyCharacter }).map(text => (line: string) => [line + text]),
	fc.string({ unit: anyCharacter }).map(text => () => [text]),
	fc.nat(40).map(length => (line: string) => [line.slice(0, length)]),
);
/** Generates variants of the example configuration, with some lines removed, repeated, replaced or damaged. */
const damaged = fc
	.array(fc.record({ at: fc.nat(lines.length - 1), edit: damage }), { maxLength: 4 })
	.map(edits => {
		const text = [...lines];
		for (const { at, edit } of edits) text.splice(at, 1, ...edit(text[at] ?? ''));
		return text.join('\n');
	});

const key = fc.oneof(fc.constantFrom('url', 'keys', 'a b', '', 'ü', '"', 'a.b'), fc.string());
const value: fc.Arbitrary<unknown> = fc.letrec(tie => ({
	value: fc.oneof(
		{ depthSize: 'small' },
		fc.string(),
		fc.boolean(),
		fc.integer(),
		fc.array(fc.string(), { maxLength: 3 }),
		tie('table'),
	),
	table: fc.dictionary(key, tie('value'), { maxKeys: 4 }),
}))['value'];
const table = fc.dictionary(key, value, { maxKeys: 6 });

test('no configuration makes parsing throw', () => {
	fc.assert(
		fc.property(fc.oneof(damaged, fc.string(), table.map(stringify)), text => {
			for (const { message } of configFrom(text).problems)
				expect(message).not.toMatch(/[\u0000-\u001f\u007f]/);
		}),
		runs(200),
	);
});

test('no environment makes the settings throw or reveal a secret', () => {
	const text = fc.oneof(fc.string(), fc.constantFrom('https://a.example/v1', 'work', 'x'));
	const names = ['URL', 'AUTH_URL', 'EMAIL', 'PROFILE'].map(name => `CROWSNEST_${name}`);
	const secretNames = ['ANON_KEY', 'PASSWORD', 'TOKEN'].map(name => `CROWSNEST_${name}`);
	const secret = fc.tuple(fc.uuid(), fc.string()).map(parts => parts.join(''));
	const openValues = fc.dictionary(fc.constantFrom(...names), text);
	const secretValues = fc.dictionary(fc.constantFrom(...secretNames), secret);
	const config = fc.constantFrom(undefined, '', example);
	const paths = { configPath: '/c', statePath: '/s', tokensPath: '/s/tokens' };
	fc.assert(
		fc.property(openValues, secretValues, config, (open, secrets, configText) => {
			const environment = { ...open, ...secrets };
			const shown = JSON.stringify(settingsFrom({ flags: {}, environment, configText, paths }));
			for (const each of Object.values(secrets)) expect(shown).not.toContain(each.slice(0, 36));
		}),
		runs(150),
	);
});

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
			let packed: PreviousLists = new Map();
			let unpacked: PreviousLists = new Map();
			for (const fact of facts) {
				const written = recordedFactFrom(packed, fact);
				const restored = factFrom(unpacked, JSON.parse(JSON.stringify(written.recordedFact)));
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
	const change = fc.tuple(fc.nat(lines.length - 1), fc.nat(200), values);
	fc.assert(
		fc.property(fc.array(change, { maxLength: 4 }), changes => {
			const damaged = [...lines];
			for (const [line, place, value] of changes) {
				const parsed: unknown = JSON.parse(damaged[line] ?? 'null');
				damaged[line] = JSON.stringify(replacePart(parsed, place, value));
			}
			const recording = recordingFrom(damaged.join('\n'));
			if (typeof recording === 'string') return;
			const timeline = createTimeline(recording);
			const { accounts } = timeline.stateAfter(timeline.factCount);
			expect(JSON.stringify([...accounts], stringsOnly)).not.toMatch(/\\u001b/);
		}),
		runs(100),
	);
});

const stringsOnly = (_: string, value: unknown) =>
	value instanceof Map || value instanceof Set ? [...value] : value;

test('any text as a line of a recording is read or refused without an exception', () => {
	for (const lines of [fc.json(), fc.string()])
		fc.assert(
			fc.property(lines, line => void entryFrom(line)),
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
