import { parse } from 'smol-toml';
import { isTable } from './setting-reader.ts';

/** A header or a setting of a TOML text: the lines it takes, counted from 0, and what it names. */
export type Statement = {
	isHeader: boolean;
	first: number;
	last: number;
	/** Outer names first; for an inline table also what is within. */
	paths: readonly (readonly string[])[];
};

/**
 * The parser tells no lines, but a statement is the fewest whole lines that it can read by
 * themselves. So this follows strings and lists over several lines, and knows no syntax of its own.
 */
export function statementsOf(text: string): readonly Statement[] {
	const statements: Statement[] = [];
	let header: readonly string[] = [];
	let waiting: string[] = [];
	text.split('\n').forEach((line, last) => {
		waiting.push(line);
		const table = parsed(waiting.join('\n'));
		if (table === undefined) return;
		const first = last - waiting.length + 1;
		const isHeader = waiting[0]?.trimStart().startsWith('[') ?? false;
		waiting = [];
		const within = pathsIn(table);
		if (within.length === 0) return;
		if (isHeader) header = [];
		const paths = within.map(path => [...header, ...path]);
		if (isHeader) header = paths.at(-1) ?? [];
		statements.push({ isHeader, first, last, paths });
	});
	return statements;
}

/** The line, counted from 1, where something stands, or where what it would stand in begins. */
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
