import fc from 'fast-check';
import { stringify } from 'smol-toml';
import { expect, test } from 'vitest';
import { settingsFrom } from '../../source/accounts/account-settings.ts';
import { configExample, configFrom } from '../../source/accounts/config-text.ts';
import { anyCharacter } from '../arbitraries/characters.ts';
import { runs } from '../runs.ts';

const example = configExample().replace(/^#(?=[[\w])/gm, '');
const lines = example.split('\n');

/** Generates variants of the example configuration, with some lines removed, repeated, replaced or damaged. */
const damaged = fc
	.array(
		fc.record({
			at: fc.nat(lines.length - 1),
			edit: fc.oneof(
				fc.constant((line: string) => [line, line]),
				fc.constant(() => []),
				fc.string({ unit: anyCharacter }).map(text => (line: string) => [line + text]),
				fc.string({ unit: anyCharacter }).map(text => () => [text]),
				fc.nat(40).map(length => (line: string) => [line.slice(0, length)]),
			),
		}),
		{ maxLength: 4 },
	)
	.map(edits =>
		edits
			.reduce<string[]>(
				(text, { at, edit }) => text.toSpliced(at, 1, ...edit(text[at] ?? '')),
				lines,
			)
			.join('\n'),
	);

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
			const { problems } = configFrom(text);
			for (const { message } of problems) {
				expect(message).not.toMatch(/[\u0000-\u001f\u007f]/);
			}
		}),
		runs(200),
	);
});

test('no environment makes the settings throw or reveal a secret', () => {
	const text = fc.oneof(fc.string(), fc.constantFrom('https://a.example/v1', 'work', 'x'));
	const names = ['URL', 'AUTH_URL', 'EMAIL', 'PROFILE'].map(name => `CROWSNEST_${name}`);
	const secretNames = ['ANON_KEY', 'PASSWORD', 'TOKEN'].map(name => `CROWSNEST_${name}`);
	const secret = fc.tuple(fc.uuid(), fc.string()).map(parts => parts.join(''));
	const environments = fc.tuple(
		fc.dictionary(fc.constantFrom(...names), text),
		fc.dictionary(fc.constantFrom(...secretNames), secret),
	);
	const paths = { configPath: '/c', statePath: '/s', tokensPath: '/s/tokens' };
	fc.assert(
		fc.property(
			environments,
			fc.constantFrom(undefined, '', example),
			([open, secrets], configText) => {
				const environment = { ...open, ...secrets };
				const shown = JSON.stringify(settingsFrom({ flags: {}, environment, configText, paths }));
				for (const each of Object.values(secrets)) expect(shown).not.toContain(each.slice(0, 36));
			},
		),
		runs(150),
	);
});
