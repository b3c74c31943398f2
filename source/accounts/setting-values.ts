import * as v from 'valibot';
import { parseDuration } from '../foundation/duration.ts';
import { nearestName } from '../foundation/nearest-name.ts';
import { isSafeForSecrets } from '../foundation/network.ts';
import { isObject } from '../foundation/schema.ts';

export type SettingProblem = { message: string; isInFile?: boolean; line?: number };

export const tomlKeyText = (name: string): string =>
	/^[A-Za-z0-9_-]+$/.test(name) ? name : JSON.stringify(name);

export function readSetting<Schema extends v.GenericSchema>(
	schema: Schema,
	input: unknown,
	path: readonly string[],
	isInFile = true,
): { value?: v.InferOutput<Schema>; problems: readonly (SettingProblem & { path: string })[] } {
	const { success, output, issues = [] } = v.safeParse(schema, input);
	const problems = issues.map(issue => {
		const names = (issue.path ?? []).flatMap(({ key }) => (typeof key === 'string' ? key : []));
		const whole = [...path, ...names].map(tomlKeyText).join('.');
		return { path: whole, message: `${whole} ${issue.message}`, isInFile };
	});
	return success ? { value: output, problems } : { problems };
}

export const setting = <Schema extends v.GenericSchema>(
	schema: Schema,
	example: string,
	explanation = '',
) => v.pipe(schema, v.description(explanation), v.metadata({ example }));

export type SettingTable = Readonly<Record<string, v.GenericSchema>>;

export const explanationOf = (schema: v.GenericSchema) => v.getDescription(schema) ?? '';
export const exampleOf = (schema: v.GenericSchema) => String(v.getMetadata(schema)['example']);

export const exampleLinesOf = (table: SettingTable) =>
	Object.entries(table)
		.map(([name, row]) => `${commentFrom(explanationOf(row))}#${name} = ${exampleOf(row)}\n`)
		.join('');

export const commentFrom = (explanation: string) =>
	explanation.replace(/^(?=.)/gm, '# ') + (explanation === '' ? '' : '\n');

export const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
	isObject(value) && !(value instanceof Date);

const anyTable = v.custom<Readonly<Record<string, unknown>>>(isTable, 'must be a table');

export type TableValues<Table extends SettingTable> = {
	[Name in keyof Table]?: v.InferOutput<Table[Name]>;
};

/** `refused` explains names that people may try. */
export function tableOf<const Table extends SettingTable>(
	settings: Table,
	refused: Readonly<Record<string, string>> = {},
): v.GenericSchema<unknown, TableValues<Table>> {
	const schema = v.pipe(
		anyTable,
		v.partial(v.looseObject(settings)),
		v.rawCheck(({ dataset, addIssue }) => {
			const input: Readonly<Record<string, unknown>> = Object(dataset.value);
			for (const [key, value] of Object.entries(input)) {
				if (Object.hasOwn(settings, key)) continue;
				const why = Object.hasOwn(refused, key) ? refused[key] : undefined;
				const message = why ?? unknownSettingText(key, Object.keys(settings));
				addIssue({ message, path: [{ type: 'object', origin: 'key', input, key, value }] });
			}
		}),
	);
	return schema as unknown as v.GenericSchema<unknown, TableValues<Table>>;
}

export const mapOf = <Schema extends v.GenericSchema>(schema: Schema) =>
	v.pipe(
		anyTable,
		v.record(v.string(), schema),
		v.transform(values => new Map(Object.entries(values))),
	);

function unknownSettingText(name: string, names: readonly string[]): string {
	const nearest = nearestName(name, names);
	return `is not a setting; ${nearest ? `did you mean ${nearest}?` : `the settings are ${names.join(', ')}`}`;
}

export const onOff = v.boolean('must be true or false');

const textRule = 'must be text in quotes';
export const anyText = v.string(textRule);
export const text = v.pipe(anyText, v.trim(), v.nonEmpty(textRule));

const headerPattern = /^[\x21-\x7e]{1,16000}$/;
export const isHeaderText = (value: string) => headerPattern.test(value);
export const headerText = v.pipe(
	text,
	v.regex(headerPattern, 'contains characters that are not allowed'),
);

export const oneOf = <const Name extends string>(...names: readonly Name[]) =>
	v.picklist(names, ({ input }) => oneOfText(input, names));

function oneOfText(input: unknown, names: readonly string[]): string {
	const nearest = typeof input === 'string' ? nearestName(input, names) : undefined;
	const hint = nearest ? `; did you mean "${nearest}"?` : '';
	return `must be one of ${names.map(name => `"${name}"`).join(', ')}${hint}`;
}

const colourNames = ['red', 'yellow', 'green', 'blue', 'magenta', 'cyan', 'white', 'grey'] as const;

export const colour = v.union(
	[v.picklist(colourNames), v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/i), v.toLowerCase())],
	({ input }) => oneOfText(input, [...colourNames, '#rrggbb']),
);

export const count = v.custom<number>(
	value => Number.isSafeInteger(value) && Number(value) > 0,
	'must be a whole number above 0',
);

const millisecondsOf = (value: unknown) =>
	typeof value === 'string' && /^\d{1,6}[smhd]$/.test(value) ? (parseDuration(value) ?? 0) : 0;

export const duration = v.pipe(
	v.custom<string>(
		value => millisecondsOf(value) > 0,
		'must be a duration such as "30s", "10m", "2h" or "1d"',
	),
	v.transform((value: string) => millisecondsOf(value)),
);

const isArgument = (value: unknown) => typeof value === 'string' && !value.includes('\0');

const isArgumentList = (value: unknown) =>
	Array.isArray(value) && value.length > 0 && value[0] !== '' && value.every(isArgument);

export const wordList = (rule: string) => v.custom<readonly string[]>(isArgumentList, rule);

export type PasswordCommand = readonly string[] | { shell: string };

export const passwordCommand = v.custom<PasswordCommand>(value => {
	if (!isTable(value)) return isArgumentList(value);
	const { shell, ...others } = value;
	return isArgument(shell) && String(shell).trim() !== '' && Object.keys(others).length === 0;
}, 'must be a list of words, such as ["pass", "show", "fleet"], or { shell = "…" }');

export function splitNames(texts: readonly string[]): readonly string[] {
	const names = texts.flatMap(each => each.split(',')).map(name => name.trim());
	return [...new Set(names)].filter(name => name !== '');
}

const profileNamesRule = 'must be the name of a profile, or a list such as ["work", "lab"]';

export const profileNames = v.pipe(
	v.union([v.string(), v.array(v.string())], profileNamesRule),
	v.transform(names => splitNames([names].flat())),
	v.nonEmpty(profileNamesRule),
);

/** The account that only environment variables describe. */
export const environmentAccount = 'environment';

// A comma or a slash would make `--profile work,lab` and `lab/nova` ambiguous.
export const isProfileName = (name: string) =>
	name !== environmentAccount && /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/.test(name);

export const profileNameRule =
	'cannot be the name of a profile: use letters, digits, "_", "-" and ".", but not "environment"';

export const maxShortNameLength = 8;

/** It may stand in front of a computer, as in `wk/atlas`. */
export const shortName = v.custom<string>(
	value => typeof value === 'string' && value.length <= maxShortNameLength && isProfileName(value),
	'must be a short name of at most 8 letters, digits, "_", "-" and "."',
);

function mistakeIn(url: URL): string | undefined {
	if (url.username !== '' || url.password !== '')
		return 'must not contain a user name or a password';
	if (!isSafeForSecrets(url))
		return 'must start with https:// (http:// is allowed for this machine only)';
	return url.search !== '' || url.hash !== '' ? 'must not contain ? or #' : undefined;
}

const addressRule = 'must be a complete address, such as https://example.com';

const address = v.pipe(
	v.string(addressRule),
	v.trim(),
	v.check(text => URL.canParse(text), addressRule),
	v.transform(text => new URL(text)),
	v.check(
		url => mistakeIn(url) === undefined,
		({ input }) => mistakeIn(input) ?? '',
	),
	v.transform(url => url.href.replace(/\/+$/, '')),
);

export const baseAddress = v.pipe(address, v.endsWith('/v1', 'must end in /v1'));

export const authAddress = v.pipe(
	v.string(addressRule),
	v.transform(text => text.trim().replace(/\/auth\/v1(\/token)?\/*(\?.*)?$/, '')),
	address,
);
