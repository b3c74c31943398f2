import { isDeepStrictEqual } from 'node:util';
import { parse } from 'smol-toml';
import { isTable, tomlKeyText } from './setting-reader.ts';
import { statementsOf, type TomlStatement } from './toml-statements.ts';

/**
 * Returns the configuration with this profile added or changed. Everything else stays as it is, including comments.
 * Returns undefined if this edit would break the file, for example because the profile is an inline table.
 */
export function withProfile(
	configText: string,
	name: string,
	values: Readonly<Record<string, string>>,
): string | undefined {
	const oldConfig = toPlainObject(parse(configText));
	const profiles = isTable(oldConfig['profiles']) ? oldConfig['profiles'] : {};
	const profile = isTable(profiles[name]) ? { ...profiles[name], ...values } : values;
	const expectedConfig = { ...oldConfig, profiles: { ...profiles, [name]: profile } };

	const edited = Object.entries(values).reduce(
		(edit, [key, value]) => withSetting(edit, ['profiles', name], key, value),
		configText,
	);
	return isTomlWithContents(edited, expectedConfig) ? edited : undefined;
}

/**
 * Returns the configuration in which this profile is opened by default; everything else stays. Returns undefined
 * if this edit would break the file.
 */
export function withDefaultProfile(configText: string, name: string): string | undefined {
	const expectedConfig = { ...toPlainObject(parse(configText)), profile: name };
	const statements = statementsOf(configText);
	const firstHeader = statements.findIndex(({ isHeader }) => isHeader);
	// The setting is inserted before the first table, because below the header of a table it would belong to that
	// table.
	const top = statements.slice(0, firstHeader < 0 ? undefined : firstHeader);
	const existing = top.find(each => endsWithPath(each, ['profile']));
	const setting = `profile = ${JSON.stringify(name)}`;
	const lines = configText.split('\n');
	const nextLine = (top.at(-1)?.lastLine ?? -1) + 1;
	const edited = existing
		? lines.toSpliced(existing.firstLine, existing.lastLine - existing.firstLine + 1, setting)
		: lines.toSpliced(nextLine, 0, setting, ...(nextLine === 0 ? [''] : []));
	const text = edited.join('\n');
	return isTomlWithContents(text, expectedConfig) ? text : undefined;
}

function withSetting(
	configText: string,
	tablePath: readonly string[],
	key: string,
	value: string,
): string {
	const setting = `${tomlKeyText(key)} = ${JSON.stringify(value)}`;
	const lines = configText.split('\n');
	const statements = statementsOf(configText);
	const header = statements.findIndex(each => each.isHeader && endsWithPath(each, tablePath));
	if (header < 0) {
		const gap = configText.trim() === '' ? '' : `${configText.trimEnd()}\n\n`;
		return `${gap}[${tablePath.map(tomlKeyText).join('.')}]\n${setting}\n`;
	}
	const rest = statements.slice(header + 1);
	const end = rest.findIndex(({ isHeader }) => isHeader);
	const section = [
		...statements.slice(header, header + 1),
		...rest.slice(0, end < 0 ? undefined : end),
	];
	const existing = section.find(each => endsWithPath(each, [...tablePath, key]));
	const nextLine = (section.at(-1)?.lastLine ?? 0) + 1;
	const { firstLine, lastLine } = existing ?? {
		firstLine: nextLine,
		lastLine: nextLine - 1,
	};
	return lines.toSpliced(firstLine, lastLine - firstLine + 1, setting).join('\n');
}

const endsWithPath = ({ paths }: TomlStatement, path: readonly string[]) =>
	isDeepStrictEqual(paths.at(-1), path);

function isTomlWithContents(text: string, expected: unknown): boolean {
	try {
		return isDeepStrictEqual(toPlainObject(parse(text)), expected);
	} catch {
		return false;
	}
}

// The parser creates objects without a prototype. A deep comparison would not find them equal to ordinary objects.
const toPlainObject = (table: object): Record<string, unknown> => JSON.parse(JSON.stringify(table));
