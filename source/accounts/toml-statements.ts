import { parse } from 'smol-toml';
import { isTable } from './setting-reader.ts';

/** A table header or a setting in a TOML file. Lines are counted from 0. */
export type Statement = {
	isHeader: boolean;
	first: number;
	last: number;
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
export function statementsOf(text: string): readonly Statement[] {
	const statements: Statement[] = [];
	let header: readonly string[] = [];
	let pending: string[] = [];
	text.split('\n').forEach((line, last) => {
		pending.push(line);
		const table = parsed(pending.join('\n'));
		if (table === undefined) return;
		const first = last - pending.length + 1;
		const isHeader = pending[0]?.trimStart().startsWith('[') ?? false;
		pending = [];
		const within = pathsIn(table);
		if (within.length === 0) return;
		if (isHeader) header = [];
		const paths = within.map(path => [...header, ...path]);
		if (isHeader) header = paths.at(-1) ?? [];
		statements.push({ isHeader, first, last, paths });
	});
	return statements;
}

/**
 * Creates a function that finds the line of a setting, counted from 1. For a missing setting, it returns the
 * line of the enclosing table.
 */
export function lineFinder(text: string): (path: readonly string[]) => number | undefined {
	const lines = new Map<string, number>();
	for (const { first, paths } of statementsOf(text)) {
		for (const path of paths) {
			const key = JSON.stringify(path);
			if (!lines.has(key)) lines.set(key, first + 1);
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

function pathsIn(value: unknown): readonly (readonly string[])[] {
	if (!isTable(value)) return [];
	return Object.entries(value).flatMap(([name, inner]) => [
		[name],
		...pathsIn(inner).map(path => [name, ...path]),
	]);
}

function parsed(text: string): unknown {
	try {
		return parse(text);
	} catch {
		return undefined;
	}
}
