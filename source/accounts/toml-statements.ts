import { parse } from 'smol-toml';
import { isTable } from './setting-reader.ts';

/** A table header or a setting in a TOML file. Lines are counted from 0. */
export type TomlStatement = {
	isHeader: boolean;
	firstLine: number;
	lastLine: number;
	/**
	 * The paths of the settings that the statement contains, outermost name first. An inline table has a path
	 * for each of its settings, too.
	 */
	paths: readonly (readonly string[])[];
};

/**
 * Splits TOML text into statements, because the parser does not report line numbers. A statement is the
 * smallest number of lines that can be parsed on their own, so strings and lists may span lines.
 */
export function statementsOf(text: string): readonly TomlStatement[] {
	const statements: TomlStatement[] = [];
	let header: readonly string[] = [];
	let pendingLines: string[] = [];
	const tableCounts = new Map<string, number>();

	/** Returns the path of a header. The tables of a list, such as `[[hooks]]`, are counted from 0. */
	function headerOf(path: readonly string[], isOfList: boolean): readonly string[] {
		if (!isOfList) return path;
		const key = JSON.stringify(path);
		const index = tableCounts.get(key) ?? 0;
		tableCounts.set(key, index + 1);
		return [...path, String(index)];
	}

	text.split('\n').forEach((line, lastLine) => {
		pendingLines.push(line);
		const table = parseToml(pendingLines.join('\n'));
		if (table === undefined) return;
		const firstLine = lastLine - pendingLines.length + 1;
		const beginning = pendingLines[0]?.trimStart() ?? '';
		const isHeader = beginning.startsWith('[');
		pendingLines = [];
		const innerPaths = settingPathsIn(table);
		if (innerPaths.length === 0) return;
		if (isHeader) header = [];
		const paths = innerPaths.map(path => [...header, ...path]);
		if (isHeader) header = headerOf(paths.at(-1) ?? [], beginning.startsWith('[['));
		statements.push({
			isHeader,
			firstLine,
			lastLine,
			paths: isHeader ? [...paths, header] : paths,
		});
	});
	return statements;
}

/**
 * Creates a function that finds the line of a setting, counted from 1. For a missing setting, it returns the
 * line of the enclosing table.
 */
export function lineFinder(text: string): (path: readonly string[]) => number | undefined {
	const lines = new Map<string, number>();
	for (const { firstLine, paths } of statementsOf(text)) {
		for (const path of paths) {
			const key = JSON.stringify(path);
			if (!lines.has(key)) lines.set(key, firstLine + 1);
		}
	}
	return path => {
		for (let length = path.length; length > 0; length -= 1) {
			const line = lines.get(JSON.stringify(path.slice(0, length)));
			if (line !== undefined) return line;
		}
		return undefined;
	};
}

function settingPathsIn(value: unknown): readonly (readonly string[])[] {
	if (!isTable(value)) return [];
	return Object.entries(value).flatMap(([name, inner]) => [
		[name],
		...settingPathsIn(inner).map(path => [name, ...path]),
	]);
}

function parseToml(text: string): unknown {
	try {
		return parse(text);
	} catch {
		return undefined;
	}
}
