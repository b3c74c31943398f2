import fc from 'fast-check';
import { parse, stringify } from 'smol-toml';
import { expect, test } from 'vitest';
import { settingsFrom } from '../../source/accounts/account-settings.ts';
import { withProfile } from '../../source/accounts/config-edit.ts';
import { configExample, configFrom } from '../../source/accounts/config-text.ts';
import { lineFinder } from '../../source/accounts/toml-statements.ts';
import { anyCharacter } from '../arbitraries/characters.ts';
import { runs } from './runs.ts';

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

const isInFile = (line: number | undefined, text: string) =>
	line === undefined || (line >= 1 && line <= text.split('\n').length);

test('no configuration makes parsing throw, and every problem names a line of the configuration', () => {
	fc.assert(
		fc.property(fc.oneof(damaged, fc.string(), table.map(stringify)), text => {
			const { problems } = configFrom(text);
			for (const { line, message } of problems) {
				expect(isInFile(line, text)).toBe(true);
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

function pathsIn(value: unknown): string[][] {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
	return Object.entries(value).flatMap(([name, inner]) => [
		[name],
		...pathsIn(inner).map(path => [name, ...path]),
	]);
}

test('the line number of every entry is found, and the text before that line does not contain the entry', () => {
	fc.assert(
		fc.property(table, content => {
			const text = stringify(content);
			const lineOf = lineFinder(text);
			for (const path of pathsIn(parse(text))) {
				const line = lineOf(path);
				expect(line).toBeDefined();
				const before = text.split('\n').slice(0, (line ?? 1) - 1);
				expect(pathsIn(parse(before.join('\n')))).not.toContainEqual(path);
			}
		}),
		runs(150),
	);
});

test('saving a profile changes only that profile, or is refused and changes nothing', () => {
	const name = fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,9}$/);
	const values = fc.record({ url: fc.string(), authUrl: fc.string(), email: fc.string() });
	fc.assert(
		fc.property(table, name, values, (content, profile, saved) => {
			const text = stringify(content);
			const edited = withProfile(text, profile, saved);
			if (edited === undefined) return;
			const plain = (toml: string) => JSON.parse(JSON.stringify(parse(toml)));
			const { profiles: before = {}, ...others } = plain(text);
			const { profiles: after, ...rest } = plain(edited);
			expect(rest).toEqual(others);
			expect(after).toEqual({ ...before, [profile]: { ...before[profile], ...saved } });
		}),
		runs(150),
	);
});

test('a profile can always be saved in a configuration whose settings are all known', () => {
	fc.assert(
		fc.property(fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,9}$/), name => {
			const edited = withProfile(example, name, { url: 'https://a.example/v1' });
			expect(configFrom(edited ?? 'none').config.profiles?.get(name)?.url).toBe(
				'https://a.example/v1',
			);
		}),
		runs(50),
	);
});
