import { type Scope, scopes } from './limits.ts';

export type Report = { limit: number | undefined; remaining: number | undefined };

export type RequestLine =
	| { word: 'take'; id: string; scope: Scope }
	| { word: 'done'; id: string }
	| { word: 'free'; id: string }
	| { word: 'refused'; scope: Scope; until: number; times: number }
	| ({ word: 'told'; scope: Scope; until: number } & Report);

/** When a line was written: by the wall clock, and in milliseconds since its host started. */
type Written = { wall: number; boot: number };

const fieldsByWord: ReadonlyMap<string, readonly string[]> = new Map([
	['take', ['id', 'scope']],
	['done', ['id']],
	['free', ['id']],
	['refused', ['scope', 'until', 'times']],
	['told', ['scope', 'limit', 'remaining', 'until']],
]);

export function textFromLine(line: RequestLine, { wall, boot }: Written): string {
	const values: Readonly<Record<string, string | number | undefined>> = line;
	const fields = fieldsByWord.get(line.word) ?? [];
	const texts = fields.map(field => values[field] ?? '-');
	return [line.word, ...texts, digits(wall), digits(boot)].join(' ');
}

export function lineFrom(text: string): (RequestLine & Written) | undefined {
	const [word = '', ...texts] = text.split(' ');
	const fields = fieldsByWord.get(word);
	const boot = texts.at(-1);
	if (!fields || texts.length !== fields.length + 2 || boot !== digits(Number(boot)))
		return undefined;
	const line: Record<string, unknown> = { word };
	for (const [place, field] of [...fields, 'wall', 'boot'].entries()) {
		const value = valueFrom(field, texts[place] ?? '');
		if (value === undefined && !isReported(field)) return undefined;
		line[field] = value;
	}
	return line as RequestLine & Written;
}

const isReported = (field: string) => field === 'limit' || field === 'remaining';

function valueFrom(field: string, text: string): string | number | undefined {
	if (field === 'id') return text;
	if (field === 'scope') return scopes.find(scope => scope === text);
	return /^\d{1,16}$/.test(text) ? Number(text) : undefined;
}

// All times have the same length, so that a line without its last digits is noticed.
const digits = (time: number) => String(Math.floor(time)).padStart(13, '0');
