import { type Scope, scopes } from './limits.ts';

export type Report = { limit: number | undefined; remaining: number | undefined };

export type RequestLine =
	| { word: 'take'; id: string; scope: Scope }
	| { word: 'done'; id: string }
	| { word: 'free'; id: string }
	| { word: 'refused'; scope: Scope; until: number; times: number }
	| {
			word: 'told';
			scope: Scope;
			limit: Report['limit'];
			remaining: Report['remaining'];
			until: number;
	  };

/** When a line was written: by the wall clock, and in milliseconds since its host started. */
type Written = { wall: number; boot: number };

export function textFromLine(line: RequestLine, { wall, boot }: Written): string {
	const values = Object.values(line).map(value => value ?? '-');
	return [...values, digits(wall), digits(boot)].join(' ');
}

export function lineFrom(text: string): (RequestLine & Written) | undefined {
	const [word, ...values] = text.split(' ');
	const [boot, wall] = [values.pop(), values.pop()].map(countFrom);
	if (boot === undefined || wall === undefined || !text.endsWith(digits(boot))) return undefined;
	const written = { wall, boot };
	const [first = '', ...rest] = values;
	const form = `${word} ${values.length}`;
	if (form === 'done 1') return { word: 'done', id: first, ...written };
	if (form === 'free 1') return { word: 'free', id: first, ...written };
	const scope = scopes.find(each => each === (form === 'take 2' ? rest[0] : first));
	if (!scope) return undefined;
	if (form === 'take 2') return { word: 'take', id: first, scope, ...written };
	const counts = rest.map(countFrom);
	if (form === 'refused 3') {
		const [until, times] = counts;
		if (until === undefined || times === undefined) return undefined;
		return { word: 'refused', scope, until, times, ...written };
	}
	const [limit, remaining, until] = counts;
	if (form !== 'told 4' || until === undefined) return undefined;
	return { word: 'told', scope, limit, remaining, until, ...written };
}

// All times have the same length, so that a line without its last digits is noticed.
const digits = (time: number) => String(Math.floor(time)).padStart(13, '0');

const countFrom = (text: string | undefined) =>
	/^\d{1,16}$/.test(text ?? '') ? Number(text) : undefined;
